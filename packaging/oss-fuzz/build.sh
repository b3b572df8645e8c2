#!/bin/bash -eu
# Builds fuzz targets the way OSS-Fuzz, ClusterFuzzLite and ClusterFuzz ask: CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE,
# FUZZING_ENGINE, SANITIZER and OUT are theirs.  A target for each of FAMILIES and PARSERS lies in $OUT afterwards, with its seeds,
# options and dictionary, and with the libraries that it needs in $OUT/lib.
#
# LIBRARY is what is tested: a library with the functions of the BLAS or LAPACK, which goes to $OUT/lib too, as KIND@ names it.
# docs/clusterfuzz.md has more.
cd "$(dirname "$(realpath "$0")")"
while [ ! -e fuzz/main.c ]; do cd ..; [ "$PWD" != / ] || { echo "build.sh: not in a checkout of opconform" >&2; exit 2; }; done
: "${FAMILIES=blas lapack}" "${PARSERS=line import corpus merge reply}" "${KIND=openblas}"
: "${LIBRARY=$(find -L /usr/lib -name libopenblas.so.0 -path '*pthread*' | head -n 1)}"
: "${FUZZING_ENGINE=libfuzzer}" "${SANITIZER=none}" "${JOBS=$(nproc)}"
[ -n "$LIBRARY" ] || { echo "build.sh: no OpenBLAS: name a library by LIBRARY=" >&2; exit 2; }
name=$(basename "$LIBRARY")
build=build/oss-fuzz-$FUZZING_ENGINE-$SANITIZER
# The tool itself, which writes seeds, is built without the engine and its sanitizers.
tool=${OPCONFORM:-build/oss-fuzz-tool/opconform}
[ -x "$tool" ] || env -u CFLAGS -u CXXFLAGS -u FUZZING_ENGINE -u LIB_FUZZING_ENGINE make -j"$JOBS" BUILD=build/oss-fuzz-tool CC="$CC" "$tool"

targets=()
for family in $FAMILIES; do targets+=("$build/fuzz-$family"); done
for parser in $PARSERS; do targets+=("$build/fuzz-own-$parser"); done
make -j"$JOBS" BUILD="$build" HARDENING= CC="$CC" REFERENCE_CC="$CC" TARGET_LD="$CXX $CXXFLAGS" FUZZING_ENGINE="$FUZZING_ENGINE" \
    LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" LDFLAGS="-Wl,-rpath,'\$\$ORIGIN/lib'" TARGET_BACKEND="$KIND@\$\$ORIGIN/lib/$name" "${targets[@]}"

mkdir -p "$OUT/lib"
cp -L "$LIBRARY" "$OUT/lib/$name"
# What a runner does not have, of the target and of the library; not the C library and its parts.
ldd "${targets[0]}" "$LIBRARY" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -v -E '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' | while read -r needed; do cp -L "$needed" "$OUT/lib/"; done

# Cases of the corpus that the library computes right: a service refuses targets whose seeds crash.
seeds() {
    local folder=$1 family=$2
    "$tool" replay corpus/"$family".cases --backend "$KIND@$LIBRARY" --json >"$folder.verdicts" || true
    python3 - "$folder.verdicts" >"$folder.cases" <<'PYTHON'
import json, sys
for text in open(sys.argv[1]):
    verdict = json.loads(text)
    if verdict['verdict'] == 'AGREE':
        print(verdict['line'])
PYTHON
    "$tool" corpus unpack "$folder.cases" --out "$folder"
}

for target in "${targets[@]}"; do
    own=$(basename "$target")
    cp "$target" "$OUT/$own"
    printf '[libfuzzer]\nmax_len = 4096\ntimeout = 25\n\n[env]\nASAN_OPTIONS = allow_user_segv_handler=1\n' >"$OUT/$own.options"
    family=${own#fuzz-}
    [ -e "corpus/$family.cases" ] || continue
    seeds "$build/seeds-$family" "$family"
    "$tool" corpus dictionary "$build/seeds-$family.cases" --out "$OUT/$own.dict"
    (cd "$build/seeds-$family" && zip -q -r - .) >"$OUT/${own}_seed_corpus.zip"
done
