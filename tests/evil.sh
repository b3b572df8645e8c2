# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the scripts that run hostile kernels: builds them, and reads what their heads say.
: "${CC:=cc}"
build() { # library, words for the compiler
    "$CC" -std=gnu17 -g -O1 -w -I. -Iinclude -shared -fPIC -o "$scratch/$1" "${@:2}" -lm -lpthread || fail "compiler: $1"
}
rows='dot = result = evil_dot(n, x, y);axpy = evil_axpy(n, alpha, x, y);copy = evil_copy(n, x, y)'
good=kernel@$scratch/good.so:$rows
# Where kernels may write: nowhere else.
mkdir "$scratch/marks"
export OPCONFORM_WRITABLE=$scratch/marks
build good.so -DGOOD -x c tests/evil/evil.h

told() { # file, word: what its head says behind the word
    sed -n "s/^.*\* $2: \([^*]*[^* ]\).*/\1/p" "$1" | head -n 1
}

findings() { # database
    sql "$1" "SELECT op, kind, detail, backend, hits, coalesce(min_line, line) FROM finding"
}
