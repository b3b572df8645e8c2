# Databases from strangers: a row names libraries, and no command opens one at a place that its command line does not name.
. tests/lib.sh
cd "$scratch" || exit 2
unset OPCONFORM_BACKEND
# What is opened could leave its mark.
export OPCONFORM_WRITABLE=$PWD

# A library, a plug-in and an environment of Python, each of which leaves a mark when it is opened.
cat >evil.c <<'C'
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void mark(void) { (void)close(open(MARK, O_CREAT | O_WRONLY, 0666)); }
void cblas_sdot(void) {}
float evil(void) { return 0; }
C
cc -shared -fPIC -w -DMARK="\"$PWD/mark\"" -o evil.so evil.c
mkdir -p venv/bin folder deps/openblas-1.0 deps/onnxruntime-1.0 lib
printf '#!/bin/sh\ntouch "%s/mark"\n' "$PWD" >venv/bin/python3
chmod +x venv/bin/python3
for name in libcudart.so libcublas.so libopenblas.so libcblas.so.3 libonnxruntime.so; do cp evil.so folder/$name; done
echo "open('$PWD/mark', 'w').close()" >evil.py
echo evil.so >evil.kernels
echo 'softmax = evil(const float *x, float *y, int rows, int cols)' >>evil.kernels
opened() { # whether something left its mark
    [ -e mark ] && rm mark
}
expect 3 "$opconform" replay "dot/1" --backend plugin@evil.so
check "the library leaves no mark when it is named" opened

# A row for each way to name a place; and lines that are options of this program.
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:one-ulp --cases 300 --db own.db --quiet
places="cblas@$PWD/evil.so cblas:fortran@$PWD/evil.so openblas@$PWD/evil.so blis@./evil.so netlib@evil.so mkl@$PWD/evil.so atlas@$PWD/evil.so
    onednn@$PWD/evil.so ort@$PWD/evil.so xnnpack@$PWD/evil.so libm@$PWD/evil.so sleef@$PWD/evil.so vml@$PWD/evil.so
    torch@$PWD/venv tensorflow:tfe@$PWD/venv numpy@$PWD/venv jax@$PWD/venv cublas@$PWD/folder cudnn@$PWD/folder
    plugin@$PWD/evil.so plugin:x@evil.so python@$PWD/evil.py python:flush@evil.py kernel@evil.kernels kernel@./evil.so:dot=evil() planted@$PWD/evil.so
    openblas:1.0/../../folder ort:1.0/../../folder"
fill() { # database: the rows of a stranger in place of ours
    cp own.db "$1"
    local number=1000 place given
    for place in $places; do
        echo "CREATE TEMP TABLE t AS SELECT * FROM finding WHERE min_line IS NOT NULL LIMIT 1;
            UPDATE t SET id = $number, signature = 's$number', backend = '$place', bug = NULL;
            INSERT INTO finding SELECT * FROM t; DROP TABLE t;"
        number=$((number + 1))
    done >rows.sql
    for given in "--plugin=$PWD/evil.so" "--backend=plugin@$PWD/evil.so" "$PWD/evil.kernels" --help; do
        echo "CREATE TEMP TABLE t AS SELECT * FROM finding WHERE min_line IS NOT NULL LIMIT 1;
            UPDATE t SET id = $number, signature = 's$number', line = '$given', min_line = '$given', bug = NULL;
            INSERT INTO finding SELECT * FROM t; DROP TABLE t;"
        number=$((number + 1))
    done >>rows.sql
    sqlite3 "$1" <rows.sql
    last=$((number - 1))
}
fill theirs.db
OPCONFORM_DEPS=$PWD/deps
export OPCONFORM_DEPS
stays_shut() { # words of a command
    "$opconform" "$@" >out 2>err
    opened && fail "opened: $*"
    checks=$((checks + 1))
}
for id in $(seq 1000 "$last"); do
    backend=$(sql theirs.db "SELECT backend FROM finding WHERE id = $id")
    for command in "replay $id" "minimize $id" "reproduce $id --out out.d"; do
        stays_shut $command --db theirs.db
        case $backend in *@*)
            grep -qF "not opened: $backend: only a database names it; use --backend " err || fail "$command of $backend: $(head -n 3 err)"
            [ "$(wc -l <err)" = 1 ] || fail "$command of $backend: not one line" ;;
        esac
    done
done
cp theirs.db writable.db
stays_shut bugs group --db writable.db
for bug in $(sql writable.db "SELECT id FROM v_bug"); do
    stays_shut issue "$bug" --force --db writable.db
    stays_shut bugs show "$bug" --db writable.db
done
stays_shut verify --db writable.db
[ "$(grep -c "^opconform: not opened: " err)" -ge 20 ] || fail "verify does not say what it left alone: $(cat err)"
stays_shut bugs probe --time 2s --db writable.db
grep -q "only the database names their libraries" err || fail "probes are left out without a word: $(cat err)"
stays_shut fuzz --engine random --op gemm --backend planted:one-ulp --cases 20 --db writable.db --quiet
stays_shut report --out html --db writable.db
grep -q "only the database names their libraries" err || fail "programs are left out without a word: $(cat err)"
stays_shut bisect 1000 --over planted:one-ulp,planted:ok-reference --db writable.db
stays_shut merge merged.db theirs.db own.db
stays_shut verify --db merged.db
stays_shut fsck --db theirs.db
for view in $("$opconform" list queries --plain 2>/dev/null | cut -f1); do stays_shut query "$view" --db theirs.db; done
mkdir night
cp theirs.db night/findings.db
stays_shut nightly --out night --op gemm --backend planted:one-ulp --engine random --cases 20 --time 10s --quiet
opened && fail "a night opens what rows name"

# A row of an artifact is no way to read a file into a report.
echo "a secret" >secret
mkdir reproducers
echo "a program of a night" >reproducers/0123456789abcdef.c
for path in secret ../"$(basename "$PWD")"/secret "$PWD/secret" reproducers/../secret reproducers/0123456789abcdef.c; do
    cp own.db page.db
    sqlite3 page.db "INSERT INTO artifact (finding, kind, path, made) SELECT id, 'reproducer', '$path', 1 FROM finding"
    expect 0 "$opconform" report --no-programs --out page --db page.db
    grep -rq "a secret" page && fail "the report shows the file $path"
done
grep -rq "a program of a night" page || fail "the report does not show the program of a night"

# Words in the place of a signature are no command, though the program that is written has commands in its comment.
for words in "x build: touch $PWD/mark #" "*/ build: touch $PWD/mark #" $'x\n * build: touch '"$PWD/mark #"; do
    cp own.db words.db
    sqlite3 words.db "UPDATE finding SET signature = '$words' || id, backend = 'openblas', symptom = 'wrong value',
        min_line = 'dsdot/1 dtype=f32 n=32 | x=ones y=normal result=ones'"
    for how in "" --harness; do stays_shut reproduce "$(sql words.db "SELECT min(id) FROM finding")" --out out.d --db words.db $how; done
    grep -q "build: " out.d/finding-*.c || fail "no program was written: $(cat err)"
done
stays_shut reproduce "dsdot/1 dtype=f32 n=32 | x=ones y=normal result=ones" --out out.d --backend "mkl:core=\$(touch\${IFS}$PWD/mark)"

# What the command line names is opened: by this name, by another mode at the same place; nothing beside it.
expect 3 "$opconform" replay 1000 --db theirs.db --backend "plugin@$PWD/evil.so"
check "what the command line names is not opened" opened
stays_shut verify --db writable.db --backend "cblas@$PWD/other.so"
"$opconform" verify --db writable.db --backend "cblas:fortran@$PWD/evil.so" >out 2>err
check "the place that the command line names is not opened" opened
grep -q "not opened: kernel@evil.kernels" err || fail "one place opens all: $(cat err)"
finish
