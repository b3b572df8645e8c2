# A bug in a library of its own: found, minimised, and shown by a C program that needs nothing but
# that library; the program reports 0 once the library is mended.
. tests/lib.sh
faulty=$BUILD/tests/libfaulty.so fixed=$BUILD/tests/libfixed.so db=$scratch/f.db
expect 1 "$opconform" fuzz --engine random --backend "cblas@$faulty" --cases 3000 --deadline 10s --db "$db" --quiet
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE op = 'gemm' AND kind = 'DIVERGE'")" -ge 1 ] ||
    fail "the bug was not found"
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE detail LIKE 'writes to an input and puts it back: a'")" -ge 1 ] ||
    fail "writes to inputs were not found: $(sql "$db" "SELECT signature FROM finding")"
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE op = 'gemv'")" = 0 ] || fail "gemv has no bug"
for id in $(sql "$db" "SELECT id FROM finding"); do
    expect 0 "$opconform" reproduce "$id" --out "$scratch/r" --db "$db"
    source=$(cat "$scratch/out")
    command=$(sed -n 's/^ \* build: *//p' "$source")
    (cd "$scratch/r" && cp "$source" reproducer.c && sh -c "$command -Wall -Wextra -Werror") ||
        fail "the build command of $id"
    expect 1 "$scratch/r/reproducer"
    grep -q "the bug is there" "$scratch/out" || fail "no verdict"
    (cd "$scratch/r" && sh -c "${command//libfaulty.so/libfixed.so} -w") || fail "the fixed build of $id"
    expect 0 "$scratch/r/reproducer"
    expect 1 "$opconform" replay "$id" --db "$db"
    expect 0 "$opconform" replay "$id" --db "$db" --backend "cblas@$fixed"
done
expect 0 "$opconform" fuzz --engine random --backend "cblas@$fixed" --cases 3000 --deadline 10s \
    --db "$scratch/g.db" --quiet
expect 3 "$opconform" reproduce 1 --db "$scratch/none.db"
expect 2 "$opconform" reproduce 999 --db "$db"
finish
