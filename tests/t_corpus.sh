# Every reviewed case decodes, is canonical after one round, and agrees on a correct kernel; the
# converter's two directions are inverse.
. tests/lib.sh
for file in corpus/*.cases; do
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        hex=$("$opconform" corpus encode "$line") || fail "$file: $line"
        canonical=$("$opconform" corpus decode "$hex")
        [ "$("$opconform" corpus encode "$canonical")" = "$hex" ] || fail "not canonical: $line"
    done <"$file"
    expect 0 "$opconform" replay "$file" --backend planted:ok-reference,planted:ok-fma,planted:ok-pairwise
done
finish
