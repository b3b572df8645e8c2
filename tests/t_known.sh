# Replaying the cases of corpus/known.cases that show on this kind of processor on the C libraries that are here finds the
# bugs.  The libraries of a system get better: three of four must show.  Frameworks are tried by framework_bugs,
# older versions by long_versions.
. tests/lib.sh
. tests/known.sh
grep -vE '^(torch|tensorflow|paddle|oneflow|jax)|^[^[:space:]]*@' "$scratch/described" >"$scratch/cases"
shown=0 tried=0
for backend in $(cut -f 1 "$scratch/cases" | sort -u); do
    "$opconform" replay "add/2 dtype=f32 shape=1 | a=ones" "dot/1 dtype=f32 | x=ones" --backend "$backend" >/dev/null 2>"$scratch/err" ||
        { skip "$backend: $(head -n 1 "$scratch/err")"; continue; }
    awk -F'\t' -v backend="$backend" '$1 == backend { print $2 }' "$scratch/cases" >"$scratch/lines"
    "$opconform" replay "$scratch/lines" --backend "$backend" --deadline 2s --json >"$scratch/out" 2>"$scratch/err"
    tried=$((tried + $(wc -l <"$scratch/lines")))
    shown=$((shown + $(verdicts | grep -cE ' (DIVERGE|POLICY|CONTRACT|STATUS|FAULT|INVARIANCE)$')))
    verdicts | paste -d ' ' - "$scratch/lines" | grep -E '^[^ ]+ (AGREE|DECLINED|VACUOUS) '
done
echo "$shown of $tried known bugs show"
check "$shown of $tried known bugs show" [ "$shown" -ge $((tried * 3 / 4)) ]
check "only $tried cases were tried" [ "$tried" -gt 20 ]
finish
