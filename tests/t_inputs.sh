# Inputs that cannot be meant, a table of them: each is answered by its status and by one line that says what is wrong.
# A row: the status, words of the line, and the command with its words between bars;
# EMPTY is a word without letters.
. tests/lib.sh
cd "$scratch" || exit 2
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:one-ulp --cases 300 --db f.db --quiet
cp "$opconform" program
printf 'not a log\n' >words
printf '{"a": [1,' >half.json
: >empty
printf '# nothing\n\n' >comments
mkdir folder
rows() {
    cat <<'TABLE'
2|expected a number in 0..4096|replay|gemm/1 m=-1
2|expected a number in 0..4096|replay|gemm/1 m=99999999999999999999
2|expected a number in 0..4096|replay|gemm/1 m=1e3
2|expected a number in 0..4096|replay|gemm/1 m=
2|expected a number in 0..4096|replay|gemm/1 m=0x10
2|is no parameter of gemm|replay|gemm/1 =3
2|is no parameter of gemm|replay|gemm/1 M=3
2|expected one of f32|replay|gemm/1 dtype=
2|expected a number or (re,im)|replay|gemm/1 alpha=zz
2|expected one of n, t, c|replay|gemm/1 ta=x
2|dtype=f16 cannot be in this case of gemm|replay|gemm/1 dtype=f16
2|dtype=c64 cannot be in this case of softmax|replay|softmax/1 dtype=c64 shape=2
2|expected 0 to 5 extents|replay|softmax/1 shape=2x
2|expected 0 to 5 extents|replay|softmax/1 shape=x
2|expected 0 to 5 extents|replay|softmax/1 shape=0x0x0x0x0x0x0x0x0x0x0
2|expected 0 to 5 extents|replay|softmax/1 shape=99999x99999x99999
2|expected a number in 1..64|replay|conv2d/2 groups=65
2|this build knows versions 1 to 2|replay|conv2d/99
2|this build knows version 1|replay|gemm/
2|unknown operator ''|replay|/1
2|unknown operator 'GEMM'|replay|GEMM/1
2|there is no case line in that|replay|EMPTY
2|there is no case line in that|replay|  
2|there is no case line in that|replay|./empty
2|there is no case line in that|replay|./comments
2|unknown operator 'not'|replay|./words
2|Is a directory|replay|./folder
2|unknown operator '.'|replay|./missing.cases
2|no finding 99999|replay|99999
2|unknown operator '1x'|replay|1x
2|unknown option '-1'|replay|-1
2|no finding 99999|reproduce|99999
2|no finding 99999|findings|show|99999
2|no finding 99999|findings|history|99999
2|is no id|findings|show|x
2|is no state to set|findings|set|1|nonsense
2|no bug 99999|issue|99999
2|no bug 99999|bugs|show|99999
2|expected show and the number of a bug|bugs|show|x
2|needs --reason, --owner and --expires|bugs|suppress|1
2|is no day|bugs|suppress|1|--reason|r|--owner|o|--expires|2027-13-45
2|is no day|bugs|suppress|1|--reason|r|--owner|o|--expires|soon
2|expected join BUG BUG|bugs|join|1
2|no bug 99|bugs|join|1|99
2|no bug 99|verify|99
2|no finding 99|bisect|99|--over|openblas
3|at least two are needed|bisect|1|--over|nothing
2|at least one other|merge|all.db
3|no such database|merge|all.db|none.db
3|not a database|merge|all.db|words
2|give one name or --sql|query
2|expected one SELECT|query|--sql|ATTACH 'x.db' AS x
2|expected one SELECT|query|--sql|PRAGMA writable_schema=1
2|expected TEXT|query|--sql|EMPTY
3|Not a directory|report|--out|f.db
2|expected OLD and NEW|qualify|openblas
2|expected OLD and NEW|qualify|a|b|c
2|give the application behind --|record
2|unknown format 'nothing'|import|nothing|words
2|No such file|import|onednn|none.log
2|or is none|import|onnx|words
2|or is none|import|onnx|program
2|or is none|import|torch|half.json
2|Is a directory|import|torch|folder
2|No such file|corpus|stats|none.cases
2|unknown operator 'x'|corpus|encode|x
2|hexadecimal digits|corpus|decode|0
2|expected T|fuzz|--time|0
2|expected T|fuzz|--time|-5
2|expected T|fuzz|--time|1e99
2|expected T|fuzz|--deadline|0
2|expected N|fuzz|--cases|-1
2|expected N|fuzz|--cases|99999999999999999999
2|expected N|fuzz|--jobs|65
2|expected N|fuzz|--seed|x
2|expected 1 to 1000000|fuzz|--scale|1000001|--backend|planted:one-ulp
2|names between commas|fuzz|--op|EMPTY
2|unknown operator '*zz*'|fuzz|--op|*zz*|--backend|planted:one-ulp
2|names between commas|fuzz|--backend|EMPTY
2|names between commas|fuzz|--backend|,,
3|unknown fault|fuzz|--backend|planted:
3|unknown backend ''|fuzz|--backend|:
3|unknown backend ''|fuzz|--backend|@
2|is no condition|fuzz|--fix|n=|--backend|planted:one-ulp
2|is no condition|fuzz|--fix|=|--backend|planted:one-ulp
2|unexpected argument 'extra'|fuzz|extra
3|/proc/x|fuzz|--corpus|/proc/x|--backend|planted:one-ulp
3|/proc/x|fuzz|--quiet|--stats|/proc/x|--cases|1|--backend|planted:one-ulp|--engine|random
3|/proc/x|fuzz|--keep|/proc/x|--cases|1|--backend|planted:one-ulp|--engine|random
2|one word too many|list|ops|extra
2|unknown option|doctor|--nothing
2|unexpected argument 'extra'|fsck|extra
2|expected bash, zsh or fish|--completion|csh
2|unknown command 'nothing'|--man-page|nothing
2|No such file|nightly|--known|missing.json
TABLE
}
before=$(sqlite3 f.db ".dump finding" ".dump bug" ".dump event" | cksum)
with_database=" replay reproduce findings issue bugs verify bisect query report "
while IFS='|' read -r status words line; do
    IFS='|' read -r -a command <<<"$line"
    command=("${command[@]/#EMPTY/}")
    [[ $with_database != *" ${command[0]} "* ]] || command+=(--db f.db)
    [ "${command[0]}" != replay ] || [[ ${command[1]} = [0-9-]* ]] || command+=(--backend planted:ok-reference)
    expect "$status" timeout 60 "$opconform" "${command[@]}"
    says "$words"; one_line
    check "${command[*]}: output" [ ! -s "$scratch/out" ]
done < <(rows)
check "the database was changed" [ "$(sqlite3 f.db ".dump finding" ".dump bug" ".dump event" | cksum)" = "$before" ]
[ "$checks" -gt 180 ] || fail "only $checks checks"
finish
