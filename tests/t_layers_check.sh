#!/usr/bin/env bash
# Plants a breach of each rule of tests/check-layers in a copy of the sources, and wants its file named.
cd "$(dirname "$0")/.." || exit 2
. tests/lib.sh
BUILD=$(realpath "$BUILD")

tree=$scratch/tree objects=$scratch/objects
mkdir -p "$tree" "$objects"
cp -r reference oracle ops reports fuzz tests include "$tree"
# The objects as they are, beside those of planted files.
(cd "$BUILD" && find . -name '*.o' -not -path './*/test/*' | while read -r object; do
    mkdir -p "$objects/$(dirname "$object")"
    ln -sf "$BUILD/$object" "$objects/$object"
done)
ln -sf "$BUILD/opconform" "$objects/opconform"

layers() { "$tree/tests/check-layers" "$objects" >"$scratch/out" 2>&1; }
compile() { # FILE: as make would, into the folder of objects
    rm -f "$objects/${1%.c}.o"
    (cd "$tree" && "${CC:-clang}" -std=c17 -I. -c -o "$objects/${1%.c}.o" "$1") || fail "cannot compile $1"
}
caught() { # FILE TEXT: the planted breach is named, and nothing else; then the file is taken back
    checks=$((checks + 1))
    layers && fail "not caught: $1: $2"
    grep -q "^$1: .*$2" "$scratch/out" || fail "$1: $2: said instead: $(cat "$scratch/out")"
    [ "$(wc -l <"$scratch/out")" = 1 ] || fail "more than $1: $2: $(cat "$scratch/out")"
    [ ! -e "$1" ] || cp "$1" "$tree/$1"
    find "$tree" -name 'planted_*' -delete
    find "$objects" -name 'planted_*' -delete
}
plant() { printf '%s\n' "$2" >>"$tree/$1"; } # FILE LINE
# Breaches that do not touch each other are planted together, each with what is to be said of it, and looked for in one run.
together() { # FILE LINE TEXT
    plant "$1" "$2"
    planted+=("$1") said+=("$3")
}
caught_together() {
    local number
    layers && fail "not caught: ${planted[*]}"
    for number in "${!planted[@]}"; do
        check "not caught: ${planted[number]}: ${said[number]}" grep -q "^${planted[number]}: .*${said[number]}" "$scratch/out"
    done
    check "more than what was planted: $(cat "$scratch/out")" [ "$(wc -l <"$scratch/out")" = "${#planted[@]}" ]
    for number in "${!planted[@]}"; do cp "${planted[number]}" "$tree/${planted[number]}"; done
    planted=() said=()
}
planted=() said=()

layers || fail "the tree itself: $(cat "$scratch/out")"

# Each room knows something that stands above it, by an include; written as text, beside it, and by a call.
together reference/ref.c '#include "oracle/bound.h"' "must not know oracle"
together oracle/judge.c '#include "ops/op.h"' "must not know op"
together ops/param/exec.c '#include "ops/case/relation.h"' "must not know case"
together ops/case/operands.c '#include "ops/nn/nn.h"' "must not know nn"
together ops/backend/library.c '#include "ops/backend/process/process.h"' "must not know process"
together ops/backend/onednn/plan.c '#include "../blas/cblas.h"' "must not know library-blas"
together ops/backend/xnnpack/plan.c '#include "ops/nn/nn.h"' "must not know nn"
together reports/query.c '#include "fuzz/check/check.h"' "must not know check"
together fuzz/check/check.h '#include "fuzz/campaign/avoid.h"' "must not know campaign"
together fuzz/engine/schedule.c '#include "fuzz/campaign/campaign.h"' "must not know campaign"
together fuzz/campaign/campaign.c '#include "fuzz/command/command.h"' "must not know command"
together fuzz/command/options.c '#include "fuzz/nightly/nightly.h"' "must not know nightly"
caught_together
plant oracle/planted_call.c 'int case_groups(void); int planted_call(void); int planted_call(void) { return case_groups(); }'
compile oracle/planted_call.c
caught oracle/planted_call.c "uses case_groups of ops/case/case.c: oracle must not know case"

# Every room of the table at once: the first file of each includes a header of each room that it must not know.
python3 - "$tree" >"$scratch/expected" <<'PYTHON' || fail "the table of rooms could not be read"
import importlib.machinery
import os
import re
import sys
tree = sys.argv[1]
layers = importlib.machinery.SourceFileLoader('layers', f'{tree}/tests/check-layers').load_module()
os.chdir(tree)
files = sorted(layers.sources())
for room, pattern, _ in layers.ROOMS:
    path = next((each for each in files if re.match(pattern, each) and each.endswith('.c')),
                next(each for each in files if re.match(pattern, each)))
    with open(path, 'a') as file:
        for other, others, _ in layers.ROOMS:
            header = next((each for each in files if re.match(others, each) and each.endswith('.h')), None)
            if header and other != room and other not in layers.ALLOWED[room]:
                print(f'#include "{header}"', file=file)
                print(f'{path}: includes {header}: {room} must not know {other}')
PYTHON
layers && fail "breaches of every room were not caught"
while IFS= read -r breach; do
    check "not caught: $breach" grep -qxF "$breach" "$scratch/out"
done <"$scratch/expected"
check "only $(wc -l <"$scratch/expected") breaches were planted" [ "$(wc -l <"$scratch/expected")" -ge 300 ]
cut -d: -f1 "$scratch/expected" | sort -u | while read -r file; do cp "$file" "$tree/$file"; done

# A folder without a room.
mkdir "$tree/ops/attic"
plant ops/attic/planted_file.c '#include "reference/base.h"'
caught ops/attic/planted_file.c "is in no room"
rmdir "$tree/ops/attic"

# Circles by includes, and by calls alone.
plant fuzz/check/planted_one.h '#include "planted_two.h"'
plant fuzz/check/planted_two.h '#include "planted_one.h"'
caught fuzz/check/planted_one.h "circle with fuzz/check/planted_two.h"
plant reports/store/planted_one.c 'int planted_two(void); int planted_one(void); int planted_one(void) { return planted_two(); }'
plant reports/store/planted_two.c 'int planted_two(void); int planted_one(void); int planted_two(void) { return planted_one(); }'
compile reports/store/planted_one.c
compile reports/store/planted_two.c
caught reports/store/planted_one.c "circle with reports/store/planted_two.c"

# A static function with the name of another file's function.
plant reports/store/planted_name.c 'static int case_groups(int x) { return x; }'
caught reports/store/planted_name.c "static function case_groups, which is a function of ops/case/case.c too"

# Names: of an operator with a file, of a row of a table, of a backend, of a policy.
for file in oracle/judge.c fuzz/engine/mutate.c fuzz/check/check.c reports/store/store.c ops/case/illegal.c; do
    together "$file" 'static const char *const operator = "gemm";' "names gemm, one of the ops"
    together "$file" 'static const char *const row = "layer_norm";' "names layer_norm, one of the ops"
    together "$file" 'static const char *const backend = "openblas";' "names openblas, one of the backends"
done
for file in oracle/judge.c fuzz/engine/mutate.c fuzz/check/check.c reports/store/store.c; do
    together "$file" 'static const char *const policy = "zero-skip";' "names zero-skip, one of the policies"
done
caught_together

# Nothing is passed where half of it cannot be seen.
rm "$objects/opconform"
layers
check "passed without a build" [ $? = 2 ]
finish
