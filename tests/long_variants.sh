# Correct kernels are never flagged, in as many cases as one has time for: rounds of campaigns over all correct variants, each
# on its operators, and over the rounded reference on the operators of every folder, with cases as they are drawn (whole) and
# with small extents, of which there are more in the same time (small).
#   VARIANT_RECORD=FILE   a line for each campaign that has ended (build/variants.record); a later run goes on behind them
#   VARIANT_TOTAL=N       ends with so many judged calls in the record (one round)
#   VARIANT_SECONDS=N     or after so many seconds
#   VARIANT_SEED=N        of the first round (1); each round has the next
#   VARIANT_CASES=N       of the small cases of one operator in a round (4000)
#   VARIANT_SUMMING=N     of those of an operator that sums, whose variants share one reference (VARIANT_CASES)
# Fields of a line, with tabs between: commit, round and seed, mix, operators, cases, variants, judged calls, undecided or vacuous
# ones, declined ones, findings, documented departures (conventions, which are no findings here), seconds.  A call is judged where its
# result was held against bounds or found as illegal arguments demand; related and repeated calls of the same case are not counted.
. tests/lib.sh
. tests/variants.sh
record=${VARIANT_RECORD:-$BUILD/variants.record}
seed=${VARIANT_SEED:-1} cases=${VARIANT_CASES:-4000}
summing=${VARIANT_SUMMING:-$cases}
commit=$(git rev-parse --short HEAD)
began=$SECONDS
touch "$record" || exit 2

judged() { # the sum of all lines
    awk -F'\t' '{ sum += $7 } END { printf "%d", sum }' "$record"
}

is_over() {
    { [ -n "${VARIANT_TOTAL:-}" ] && [ "$(judged)" -ge "$VARIANT_TOTAL" ]; } ||
        { [ -n "${VARIANT_SECONDS:-}" ] && [ $((SECONDS - began)) -ge "$VARIANT_SECONDS" ]; }
}

# One campaign, unless the record has it: campaign MIX OPERATORS BACKENDS CASES OPTIONS...
campaign() {
    local mix=$1 operators=$2 backends=$3 count=$4 db=$scratch/campaign.db start=$SECONDS counts found departures
    grep -qP "^[^\t]*\t$seed\t$mix\t\Q$operators\E\t" "$record" && return
    is_over && return
    rm -f "$db"*
    "$opconform" fuzz --engine random --op "$operators" --backend "$backends" --cases "$count" --seed "$seed" --jobs 1 --deadline 20s \
        --db "$db" --quiet "${@:5}" >"$scratch/out" 2>"$scratch/err"
    checks=$((checks + 1))
    counts=$(sql "$db" "SELECT sum(executions - vacuous - undecided), sum(vacuous + undecided), sum(declined) FROM coverage")
    found=$(sql "$db" "SELECT count(*) FROM finding WHERE kind <> 'POLICY'")
    departures=$(sql "$db" "SELECT count(*) FROM finding WHERE kind = 'POLICY'")
    if [ -z "$counts" ] || [ -z "$found" ]; then
        fail "no campaign of $operators: $(head -n 3 "$scratch/err")"
        return
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$commit" "$seed" "$mix" "$operators" "$count" \
        "$(tr , '\n' <<<"$backends" | wc -l)" "$counts" "$found" "$departures" $((SECONDS - start)) >>"$record"
    [ "$found" = 0 ] || fail "$(sql "$db" "SELECT backend || ' ' || signature || ' ' || coalesce(min_line, line) FROM finding WHERE kind <> 'POLICY'")"
}

# The conditions of an operator's small cases.
small() {
    case $1 in
        gemm | sparse_matmul | sparse_product | matmul_nbits) echo 'm=..6,n=..6,k=..32' ;;
        gemv) echo 'm=..16,n=..16' ;;
        linear) echo 'batch=..4,in_features=..32,out_features=..4' ;;
        conv2d) echo 'batch=1,groups=1,in_channels_per_group=..3,out_channels_per_group=..2,input_size=..4,kernel_size=..2' ;;
        deform_conv2d*) echo 'batch=1,groups=1,input_size=..5,kernel_size=..2' ;;
        bernoulli | rand*) echo 'rows=..8,columns=..8' ;;
        lapack/* | ge* | po* | p[bpt]* | sy* | hs* | or* | la* | t[pr]tri | gttrf) echo 'n=..8' ;;
        *) echo 'n=..64' ;;
    esac
}

both() { # OPERATORS BACKENDS SMALL WHOLE: so many small cases, and so many as they are drawn
    campaign small "$1" "$2" $(($3 + 1)) --fix "$(small "$1")" "${@:5}"
    campaign whole "$1" "$2" $(($4 + 1)) "${@:5}"
}

round() {
    local operator backends folder
    for operator in $summing_operators; do
        case $operator in
            gemm | gemv) both "$operator" "$summing_variants" "$summing" $((cases / 10)) ;;
            *) both "$operator" "$summing_variants" "$summing" $((cases / 10)) --dtype f64,f32,f16,bf16 ;;
        esac
    done
    while read -r operator backends; do
        both "$operator" "$backends" $((cases / 8)) $((cases / 80))
    done < <(own_variants)
    for folder in $("$opconform" list ops | sed -n 's,^\([a-z]*\)/.*,\1,p' | sort -u); do
        both "$folder/*" planted:ok-reference $((cases * 2)) $((cases / 5))
    done
}

round
while [ -n "${VARIANT_TOTAL:-}${VARIANT_SECONDS:-}" ] && ! is_over; do
    seed=$((seed + 1))
    round
done
awk -F'\t' '{ judged += $7; undecided += $8; found += $10; departures += $11; lines++ }
    END { printf "%d judged calls in %d campaigns, %d undecided or vacuous, %d findings, %d departures\n", judged, lines, undecided, found, departures }' "$record"
finish
