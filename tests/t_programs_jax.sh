# Programs through compilers for JAX: each planted fault is found, right ways to compile are left alone, and what shows a finding
# is the program as one would write it for JAX.
. tests/lib.sh
export OPCONFORM_DEPS=${OPCONFORM_DEPS:-$PWD/.deps}
"$opconform" replay "add/2 dtype=f32 shape=1 | a=ones" --backend jax >/dev/null 2>"$scratch/err" || skip_all "jax: $(head -n 1 "$scratch/err")"
cases=${PROGRAM_CASES:-500}
faults=$(sed -n "s/^    '\(planted-[a-z0-9-]*\)'.*/\1/p" ops/backend/framework/python/opconform_worker/programs/planted_jax.py)
[ "$(wc -w <<<"$faults")" -ge 20 ] || fail "faults: $faults"
# What shows a fault, but for those that a campaign as short finds.
declare -A shows=([planted-both-effects]='if.0.0.2,touch,end,plus.0.0.1' [planted-test-behind]='while.0.0.2,plus.0.0.1'
    [planted-carry-constant]='for_range.0.0.3,end,plus_i.0.1' [planted-write-over]='set.0.1,slice_set.1.0.4' [planted-share]='add.0.1.2,maximum.3.1.2'
    [planted-lose-callback]='for_range.0.0.2,touch' [planted-lose-print]='print,plus.0.0.1' [planted-lose-state]='buffer_set.1,buffer_get.2.1'
    [planted-round]='third.0.1,cast.1.0' [planted-first-result]='if.0.0.2,plus.0.0.1,plus.1.0.2' [planted-two-bits]='for_range.0.0.4,i_plus.0.0.4,plus_i.0.1'
    [planted-select]='for_range.0.0.1,end,if_number.0.1.2' [planted-sum-tail]='if.1.1.1,plus.0.0.1' [planted-reverse-rows]='for_items,end,plus_v.0.1'
    [planted-lose-round]='for_range.0.0.3,end,plus_i.0.1' [planted-place-in-use]='if.0.0.2,alias.0.1,end,set.2.3,add.3.0.2'
    [planted-lose-index]='if.0.0.2,alias.0.1,end,add.3.0.2' [planted-scale-adds]='alias.0.1,halve.0'
    [planted-coarse-bfloat16]='third.0.1,autocast_product.2.0.1' [planted-pad-behind]='slope_slice.0.1.2'
    [planted-lose-step]='if.0.0.2,view_step.1,else,view_step.1,end,view_add.0.0.3' [planted-lose-arguments]='view_input,view_add.0.0.3'
    [planted-lose-update]='slice_set.0.0.2,plus.0.0.1' [planted-add-sets]='slice_add.0.1' [planted-bfloat16]='third.0.1')
# Right ways to do what few programs do.
declare -A right=([planted-nothing-last-place]=${shows[planted-place-in-use]} [planted-nothing-wide-product]=${shows[planted-coarse-bfloat16]})
campaign() { # fault
    local number=$cases
    [[ "$1" = planted-nothing* ]] && number=16
    "$opconform" fuzz --engine random --op program --backend "jax:$1" --seed 2 --deadline 20s --db "$scratch/$1.db" --quiet --first \
        --cases "$number" >"$scratch/$1.out" 2>&1
    echo $? >"$scratch/$1.status"
}
run() { # fault, and the code of a program, or that there is a campaign
    [ "$2" != campaign ] || { campaign "$1"; return; }
    "$opconform" replay "program/1 dtype=f32 n=4 code=$2 | x=int:5 z=int:9" --backend "jax:$1" --deadline 60s >"$scratch/$1.out" 2>&1
    echo $? >"$scratch/$1.status"
}
export -f campaign run
export opconform cases scratch
for fault in $faults; do
    code=${shows[$fault]-}${right[$fault]-}
    echo "$fault ${code:-campaign}"
done | xargs -P 2 -L 1 bash -c 'run "$@"' run
for fault in $faults; do
    wanted=1 verdict=DIVERGE
    [[ "$fault" = planted-nothing* ]] && wanted=0 verdict=AGREE
    check "$fault: $(cat "$scratch/$fault.out")" test "$(cat "$scratch/$fault.status")" = "$wanted"
    [ -z "${shows[$fault]-}${right[$fault]-}" ] || check "$fault: $(cat "$scratch/$fault.out")" grep -q "$verdict" "$scratch/$fault.out"
done
# Every way that a program's control may take, in one program: breaks and returns behind branches of loops, and the else of a loop.
program="program/1 dtype=f32 n=4 code=for_zip.0,add.1.0.2,continue.0.0.1,plus_e.2.2,while.5.0.2,plus.2.0.2,break.1.2.4,end,else,if.1.1.2,return.1.2.3,else,halve.1,end,end,late_name.3.0.1,slice_add.1.2 | x=int:5 z=int:9"
expect 0 "$opconform" replay "$program" --backend jax,jax:lax,jax:nested,jax:vmap,jax:donate,jax:remat --deadline 60s --json
[ "$(verdicts | grep -c AGREE)" = 6 ] || fail "$(verdicts)"
# Names of one vector and views that branches and loops change, and a list that they lengthen.
program="program/1 dtype=f32 n=4 code=for_items,alias_append.0,view_step.1,view_add.0.0.2,if.0.0.2,alias.0.1,else,list_slice,end,end,view_copy.2,item.3,return.0.1.2,comprehension,alias_item.1,halve.1,view_get.2.0 | x=int:5 z=int:9"
expect 0 "$opconform" replay "$program" --backend jax,jax:lax,jax:vmap --deadline 60s --json
[ "$(verdicts | grep -c AGREE)" = 3 ] || fail "$(verdicts)"
# Two modes of one library in a campaign, which does not have the library itself.
expect 0 "$opconform" fuzz --engine random --op program --backend jax:jit,jax:lax --cases 4 --deadline 20s --db "$scratch/two.db" --quiet
# A brief program: the function as one would write it, which JAX alone runs.
expect 0 "$opconform" reproduce "program/1 dtype=f64 n=4 code=slice_add.1.2,for_rows.1,plus_e.2.2 | x=int:5 z=int:9" --backend jax:planted-add-sets \
    --out "$scratch"
shown=$(cat "$scratch/out")
check "$(cat "$shown")" grep -q '^    .*lax.scan(round_1' "$shown"
check "$(cat "$shown")" grep -q '\.at\[1:\]\.add(' "$shown"
finish
