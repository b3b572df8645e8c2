# What kernels may not do where they run beside the tool's own: a library that is opened by replay, and a framework.
. tests/lib.sh
if [ "$("$opconform" doctor planted:ok-reference | grep -c '^kernels can .*no ')" != 3 ]; then
    skip_all "this system cannot keep kernels from files, sockets and signals"
fi
# As replay opens a library, in its own process, the library writes, signals and connects.
cat >"$scratch/load.c" <<C
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
__attribute__((constructor)) static void attack(void)
{
    int done = open("$scratch/written", O_WRONLY | O_CREAT, 0666) >= 0;
    done += unlink("$scratch/there") == 0;
    done += socket(AF_INET, SOCK_STREAM, 0) >= 0;
    done += kill(atoi(getenv("BYSTANDER")), SIGTERM) == 0;
    if (done)
        _exit(9);
}
void own_exp(long n, const float *x, float *y) { while (n-- > 0) y[n] = __builtin_expf(x[n]); }
C
"${CC:-cc}" -shared -fPIC -g -O1 -o "$scratch/load.so" "$scratch/load.c" -lm || fail "compiler"
touch "$scratch/there"
sleep 100 &
export BYSTANDER=$!
expect 0 "$opconform" replay "exp/1 dtype=f32 shape=2 | x=ones" --backend "kernel@$scratch/load.so:exp = own_exp(n, x, y)"
check "the library was not opened: $(cat "$scratch/out")" grep -q AGREE "$scratch/out"
kill $BYSTANDER || fail "the process beside was ended"
if ! /usr/bin/python3 -c 'import numpy' 2>"$scratch/err"; then
    skip "frameworks: the system's Python has no NumPy"
    finish
    exit
fi
# What a framework may not do, in its process: each operator tries, and gives a wrong result where it may.
cp -r ops/backend/framework/python "$scratch/attack"
cat >>"$scratch/attack/opconform_worker/adapter_numpy.py" <<P
import os, signal, socket, tempfile
def parent_of(process):
    with open(f'/proc/{process}/stat') as stat:
        return int(stat.read().rpartition(')')[2].split()[1])
def keep():
    with tempfile.TemporaryDirectory() as folder:
        for name in 'from', 'to':
            os.mkdir(f'{folder}/{name}')
        with open(f'{folder}/from/kept', 'w') as file:
            file.write('kept')
        os.rename(f'{folder}/from/kept', f'{folder}/to/kept')
def write():
    with open('$scratch/written', 'w') as file:
        file.write('over')
ATTACKS = {
    'exp': (write, False),
    'log': (lambda: os.remove('$scratch/there'), False),
    'sin': (lambda: socket.socket(), False),
    'cos': (lambda: os.kill(os.getppid(), signal.SIGURG), False),
    'tanh': (lambda: os.kill(parent_of(os.getppid()), signal.SIGURG), False),
    'sqrt': (keep, True),
    'abs': (socket.socketpair, True),
    'neg': (lambda: os.kill(os.getpid(), 0), True),
}
class Adapter(Adapter):
    def call(self, memory, request, operands):
        y = super().call(memory, request, operands)
        if request.name not in ATTACKS:
            return y
        attack, may = ATTACKS[request.name]
        try:
            attack()
            did = True
        except PermissionError:
            did = False
        return y if did == may else y * 2 + 1
P
touch "$scratch/there"
attacks() { # the options of a command
    OPCONFORM_WORKER=$scratch/attack expect 0 "$opconform" "$@" --backend numpy
}
attacks fuzz --engine random --op exp,log,sin,cos,tanh,sqrt,abs,neg --dtype f32,f64 --cases 160 --seed 1 --db "$scratch/attack.db" --quiet
attacks replay "exp/1 dtype=f32 shape=2 | x=ones" "sqrt/1 dtype=f32 shape=2 | x=ones"
check "a framework wrote a file" [ ! -e "$scratch/written" ]
check "a framework removed a file" [ -e "$scratch/there" ]
# A folder that the user names is written to.
OPCONFORM_WRITABLE=$scratch OPCONFORM_WORKER=$scratch/attack expect 1 "$opconform" replay "exp/1 dtype=f32 shape=2 | x=ones" --backend numpy
check "the folder that the user names was not written to" [ -e "$scratch/written" ]
finish
