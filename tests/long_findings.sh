# A million findings in a database (FINDINGS, at least 10,000), as years of nights leave them: query open answers in a second, a
# report with its forms for other tools takes 20, and a night's shard comes behind them in 100.
# Seconds are of the processor.
. tests/lib.sh
count=${FINDINGS:-1000000}
db=$scratch/many.db
expect 0 bench/many-findings "$count" "$db"
check "not so many findings" [ "$(sql "$db" "SELECT count(*) FROM finding")" = "$count" ]
# measure NAME MOST COMMAND...: its processor time, at most so many seconds.
measure() {
    local line
    checks=$((checks + 1))
    line=$(python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[2:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
print(f"{sys.argv[2]} {sys.argv[3]}: status {status}, {seconds:.1f} s of {sys.argv[1]}, {used.ru_maxrss // 1024} MB")
sys.exit(status != 0 or seconds > float(sys.argv[1]))' "$@") || fail "too slow: $line"
    echo "${line##*/}"
}
measure 1 "$opconform" query open --db "$db"
measure 20 "$opconform" report --no-programs --out "$scratch/html" --junit "$scratch/j.xml" --sarif "$scratch/s.json" --db "$db"
# The first night makes bugs of all of them, the second one comes behind.
for night in 1 2; do
    expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --cases 60 --seed $night --db "$scratch/$night.db" --quiet
done
measure 400 "$opconform" merge "$db" "$scratch/1.db"
measure 100 "$opconform" merge "$db" "$scratch/2.db"
finish
