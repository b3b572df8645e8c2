# Signatures: what is one bug has one, whatever showed it; what are two bugs have two.  tests/signatures.txt has what
# planted faults gave when it was written: a line that changes here needs a new signature version, and
# `opconform findings resign`.
. tests/lib.sh
signature_of() { # LINE FAULT: without the name of the backend, which would tell bugs apart by itself
    "$opconform" minimize "$1" --backend "planted:$2" 2>&1 >/dev/null | head -n 1 | sed "s/ planted:$2 / /"
}
# Twenty ways to one bug: extents, leading dimensions, storage, data.
variants=0
for m in 7 23; do
    for n in 11 35; do
        for k in 70 90; do
            for more in "order=col lda=0 ldb=3" "order=row lda=2 ldb=0" "order=col alpha=0x1p+1 ldc=1"; do
                line="gemm/1 dtype=f32 m=$m n=$n k=$k $more | a=normal:$variants b=positive:$((m * n)) c=ones"
                "$opconform" replay "$line" --backend planted:tail-column >"$scratch/out" 2>&1
                [ $? = 1 ] || continue
                variants=$((variants + 1))
                signature_of "$line" tail-column
            done
        done
    done
done >"$scratch/variants"
[ "$(wc -l <"$scratch/variants")" -ge 20 ] || fail "$(wc -l <"$scratch/variants") variants only"
[ "$(sort -u "$scratch/variants" | wc -l)" = 1 ] || fail "one bug has $(sort -u "$scratch/variants")"
# Bugs that were told apart stay apart.
while IFS=$'\t' read -r fault wanted line; do
    got=$(signature_of "$line" "$fault")
    [ "$got" = "$wanted" ] || fail "$fault: '$got' instead of '$wanted'"
    echo "$got" >>"$scratch/distinct"
done < <(grep -v '^#' tests/signatures.txt)
[ "$(sort "$scratch/distinct" | uniq -d)" = "" ] || fail "not told apart: $(sort "$scratch/distinct" | uniq -d)"
# Computed anew, they are the same; a database whose signatures are older ones is brought to these, and what are the same become one.
db=$scratch/f.db
"$opconform" fuzz --engine random --op gemm,gemv --dtype f32,f64 --backend planted:tail-column,planted:nan-dropped --cases 300 --db "$db" \
    --quiet >/dev/null 2>&1
expect 0 "$opconform" findings resign --db "$db"
grep -q '^0 signatures changed, 0 findings' "$scratch/out" || fail "$(cat "$scratch/out")"
sql "$db" "SELECT signature, hits FROM finding ORDER BY 1" >"$scratch/before"
two=$(sql "$db" "SELECT id FROM finding WHERE kind = 'DIVERGE' ORDER BY id LIMIT 1")
other=$(sql "$db" "SELECT max(id) FROM finding")
[ "$other" != "$two" ] || fail "one finding only"
expect 0 "$opconform" findings dup "$other" "$two" --db "$db"
columns=$(sqlite3 "$db" "SELECT group_concat(name) FROM pragma_table_info('finding') WHERE name NOT IN ('id', 'signature')")
sqlite3 "$db" "INSERT INTO finding (signature, $columns) SELECT 'of old', $columns FROM finding WHERE id = $two;
    INSERT INTO hit SELECT (SELECT max(id) FROM finding), run, hits, first_seen, last_seen FROM hit WHERE finding = $two;
    UPDATE finding SET signature = 'as well ' || id WHERE id <> $two AND kind = 'DIVERGE' AND signature <> 'of old'"
expect 0 "$opconform" findings dup "$other" "$(sql "$db" "SELECT id FROM finding WHERE signature = 'of old'")" --db "$db"
expect 0 "$opconform" findings resign --dry-run --db "$db"
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE signature = 'of old'")" = 1 ] || fail "a dry run changed something"
expect 0 "$opconform" findings resign --db "$db"
grep -q ' 1 findings became one' "$scratch/out" || fail "$(cat "$scratch/out")"
[ "$(sql "$db" "SELECT signature FROM finding ORDER BY 1")" = "$(cut -f1 "$scratch/before")" ] || fail "signatures"
expect 0 "$opconform" fsck --db "$db"
finish
