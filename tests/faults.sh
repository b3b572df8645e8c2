# shellcheck shell=bash disable=SC2034,SC2154
# The planted faults, as the tool has them.

# Lines "FAULT OPERATOR" of the operators of a family.  t_storm.sh and long_supervisor.sh have those that crash or hang
# again and again, t_rare.sh those that few cases meet, t_relations.sh those that
# only relations show, and t_power.sh those of tables of rows, whose way stands in brackets.
planted_faults() { # family
    awk -v family="$1/" '
        NR == FNR { if (index($1, family) == 1) { split($1, part, "/"); known[part[2]] = 1 } next }
        /^[^ ]/ { op = $1 }
        /^  [^ ]/ { planted = $1 == "planted" }
        /^    / && planted && known[op] && $2 !~ /^\[/ { sub(":", "", $1); print $1, op }' \
        <("$opconform" list ops) <("$opconform" list calls) | grep -vE '^(storm|mixed-storm|trap|rare-[a-z-]*|self-[a-z-]*) '
}

# Those of the BLAS: a few of every kind, and all others; and its correct variants.
blas_faults=$(planted_faults blas | grep -v '^ok-')
blas_variants=$(planted_faults blas | grep '^ok-')
quick_faults="drop-last-k nan-dropped one-ulp past-row input-restored segfault other-triangle coarse-unknown last-index"
other_faults=$(grep -vE "^(${quick_faults// /|}) " <<<"$blas_faults" | cut -d' ' -f1)
faults="$quick_faults $other_faults"

op_of() {
    awk -v fault="$1" '$1 == fault { print $2 }' <<<"$blas_faults"
}

# The first of the findings of a database that is no policy, else the first.
leading="FROM finding ORDER BY kind IN ('POLICY', 'INVARIANCE'), id LIMIT 1"
