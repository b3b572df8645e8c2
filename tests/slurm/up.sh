#!/usr/bin/env bash
# A Slurm of one node on loopback, of this user alone, with all its files in a folder: up.sh FOLDER.  Prints nothing and exits with 0
# once the node takes jobs; SLURM_CONF=FOLDER/slurm.conf is then its configuration, and down.sh FOLDER ends it.  Status 77 says, with
# the reason, that Debian's slurmctld, slurmd, slurm-client and munge are not there.
set -eu
folder=$1
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd munged mungekey sbatch; do
    command -v "$program" >/dev/null || { echo "skipped: $program is not installed (make packages-all)"; exit 77; }
done
mkdir -p "$folder"/{state,spool,munge}
chmod 755 "$folder" "$folder/munge"
user=$(id -un)
free_port() {
    python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}
cat >"$folder/slurm.conf" <<C
ClusterName=opconform
SlurmctldHost=localhost
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=12
MinJobAge=300
MessageTimeout=30
NodeName=localhost CPUs=4 RealMemory=1 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES OverSubscribe=FORCE:4 MaxTime=INFINITE State=UP
C
export SLURM_CONF=$folder/slurm.conf
mungekey --create --keyfile="$folder/munge/key"
munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/munged.pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" 2>"$folder/munge/errors"
slurmctld -c -f "$SLURM_CONF"
slurmd -c -N localhost -f "$SLURM_CONF"
for _ in $(seq 150); do
    [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || exit 0
    sleep 0.2
done
echo "the node takes no jobs: $(sinfo 2>&1)" >&2
tail -q -n 5 "$folder"/*.log >&2
exit 1
