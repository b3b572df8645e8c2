# Bare environments: an unprivileged user, no /dev/shm, no folder for temporary files, a home that is read-only, few descriptors,
# a limit on files, a clock that is wrong, a full device, a terminal that goes away: each command works, or says in one line
# what is needed, with its documented status.
. tests/lib.sh
cd "$scratch" || exit 2
campaign() { # words...
    "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 60 --quiet "$@"
}
works() { # what, database, command...
    expect 1 "${@:3}"
    check "$1: nothing is in $2" [ "$(sql "$2" "SELECT count(*) > 0 FROM finding")" = 1 ]
    expect 0 "$opconform" fsck --db "$2"
}
# Everything that a user does, in the environment that a word sets up before.
all_of_it() { # what, words before each command...
    local what=$1 number
    shift
    rm -rf day && mkdir -m 777 day
    works "$what: fuzz" day/f.db "$@" "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 60 --quiet --db day/f.db
    number=$(sql day/f.db "SELECT min(id) FROM finding")
    expect 0 "$@" "$opconform" query open --db day/f.db
    expect 0 "$@" "$opconform" bugs --db day/f.db
    expect 1 "$@" "$opconform" replay "$number" --db day/f.db
    expect 0 "$@" "$opconform" merge day/g.db day/f.db
    expect 0 "$@" "$opconform" report --no-programs --out day/html --db day/f.db
    expect 0 "$@" "$opconform" doctor planted:one-ulp
    expect 1 "$@" "$opconform" nightly --out day/night --op gemm --backend planted:drop-last-k --engine random --cases 60 --time 20s --quiet
}

# Nothing but a path.
all_of_it "no environment" env -i PATH=/usr/bin:/bin
all_of_it "no home, no TMPDIR" env -u HOME -u TMPDIR
all_of_it "a TMPDIR that is missing" env TMPDIR="$scratch/no/such/folder"
all_of_it "a home that is missing" env HOME="$scratch/no/such/folder"
all_of_it "a language that is missing" env LC_ALL=xx_XX.nothing LANGUAGE=xx

# Few descriptors: 64 do, and fewer are said to.
limited() { # limit's letter, value, command...
    (ulimit "-$1" "$2" && "${@:3}")
}
all_of_it "64 descriptors" limited n 64
for allowed in 8 16; do
    expect 3 limited n $allowed campaign --db few.db
    says "raise the limit (ulimit -n) or lower --jobs"; one_line
    check "$allowed descriptors: a database was begun" [ ! -e few.db ]
done
# A file that may not be made, with words that go through a pipe.
(ulimit -f 0 && campaign --db none.db 2>&1; echo "status $?") | cat >said
check "a file that may not be made: $(cat said)" grep -qx "status [34]" said
check "a file that may not be made: not a word" grep -q "^opconform: " said

# A clock that is 40 years back, and one that goes back an hour each time that it is asked.
cat >clock.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now)
{
    static long asked;
    long status = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec -= BACK * __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    return (int)status;
}
time_t time(time_t *to)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec;
    to->tv_usec = now.tv_nsec / 1000;
    return 0;
}
C
"${CC:-cc}" -shared -fPIC -O1 -DBACK=3600L -o backwards.so clock.c || fail compiler
sed -i 's/BACK \* .*;/BACK;/' clock.c
"${CC:-cc}" -shared -fPIC -O1 -DBACK=1262304000L -w -o early.so clock.c || fail compiler
for clock in early backwards; do
    if [ "$(LD_PRELOAD=$PWD/early.so date +%Y)" -gt $(($(date +%Y) - 30)) ]; then
        skip "a clock that is wrong: this system has no way to say so"
    else
        all_of_it "a clock that runs $clock" env LD_PRELOAD="$PWD/$clock.so"
    fi
done

# Files of output on a full device.
campaign --db full.db >out 2>err
number=$(sql full.db "SELECT min(id) FROM finding")
if [ -w /dev/full ]; then
    expect 4 campaign --db kept.db --keep /dev/full --seed 2; says "--keep /dev/full: No space left on device"; one_line
    for words in "report --no-programs --out html --markdown /dev/full" "corpus distil lines.cases --out /dev/full --backend planted:ok-reference"; do
        echo "gemm/1 m=2" >lines.cases
        case $words in report*) words="$words --db full.db" ;; esac
        "$opconform" $words >out 2>err
        status=$?
        check "$words: status $status: $(cat err)" [ $status = 3 -o $status = 4 ]
        says "No space left on device"; one_line
        check "$words: the device is none any more" [ -c /dev/full ]
    done
fi

# A terminal that goes away in a night, which goes on from there.
"$opconform" nightly --out night --op gemm --backend planted:drop-last-k --engine random --time 20s --quiet >out 2>err &
sleep 2
kill -HUP $!
wait $! 2>/dev/null
"$opconform" nightly --out night --op gemm --backend planted:drop-last-k --engine random --cases 200 --time 60s --quiet >out 2>err
status=$?
# 0 where what there is was found before the terminal went.
check "a night goes on: status $status: $(cat err)" [ "$status" -le 1 ]
check "a night lost its findings" [ "$(sql night/findings.db "SELECT count(*) > 0 FROM finding")" = 1 ]
expect 0 "$opconform" fsck --db night/findings.db

# As another user, and without what is mounted, where this one may.
if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
    skip "an unprivileged user, no processes: this user is one, and can become no other"
    finish
    exit
fi
chmod 755 "$scratch"
cp "$opconform" "$scratch/opconform"
opconform=$scratch/opconform
all_of_it "an unprivileged user" setpriv --reuid 65534 --clear-groups
all_of_it "a home that is read-only" setpriv --reuid 65534 --clear-groups env HOME=/root TMPDIR=/proc
mkdir -m 755 closed
expect 3 setpriv --reuid 65534 --clear-groups "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 60 --quiet --db closed/f.db
says "closed/f.db"; one_line
cp full.db closed/f.db
expect 0 setpriv --reuid 65534 --clear-groups "$opconform" query open --db closed/f.db
expect 1 setpriv --reuid 65534 --clear-groups "$opconform" replay "$number" --db closed/f.db
mkdir closed/'odd ?#%'
cp full.db closed/'odd ?#%'/'f%41 ?.db'
expect 0 setpriv --reuid 65534 --clear-groups "$opconform" query open --db closed/'odd ?#%/f%41 ?.db'
expect 3 setpriv --reuid 65534 --clear-groups "$opconform" bugs group --db closed/f.db; says "closed/f.db"; one_line
expect 3 limited u 1 setpriv --reuid 65534 --clear-groups "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 60 \
    --quiet --db /tmp/none.db
says "Resource temporarily unavailable"; one_line
if unshare -m true 2>/dev/null; then
    all_of_it "no /dev/shm" unshare -m sh -c 'umount /dev/shm 2>/dev/null; mount -t tmpfs -o ro,size=4k none /dev/shm; exec "$@"' sh
    all_of_it "no /proc/sys, no /sys" unshare -m sh -c 'mount -t tmpfs none /sys; exec "$@"' sh
    all_of_it "no /dev but null" unshare -m sh -c 'mknod "$0/null" c 1 3; mount --bind "$0" /dev; exec "$@"' "$(mktemp -d -p "$scratch")"
    mkdir -m 777 small
    check_small() { # words, status
        expect "$2" unshare -m sh -c 'mount -t tmpfs -o size=16k none small; exec "$@"' sh $1
        checks=$((checks + 1))
        says "No space left on device"; one_line
    }
    check_small "$opconform report --no-programs --out small/html --db full.db" 3
    expect 3 unshare -m sh -c 'mount -t tmpfs -o size=16k none small; exec "$@"' sh "$opconform" merge small/all.db full.db
    says "disk is full"; one_line
else
    skip "no /dev/shm, a small device: nothing can be mounted here"
fi
finish
