# The documents and comments name files and commands that exist: links and paths of pages, names of files in backticks,
# opconform's commands, and paths in the sources.
. tests/lib.sh
folders='(reference|oracle|ops|reports|fuzz|tests|bench|corpus|docs)'
files=$(git ls-files)

is_file() { # a file's name without its folder, or the end of its path
    grep -qE "(^|/)$(sed 's/[.]/\\./g' <<<"$1")\$" <<<"$files"
}

is_path() { # a path, * in it for anything
    compgen -G "$1*" >/dev/null
}

for page in $(git ls-files '*.md'); do
    while read -r target; do
        check "$page: no file $target" test -e "$(dirname "$page")/$target"
    done < <(grep -oE '\]\([^)#: ]+\)' "$page" | sed 's/^](//; s/)$//' | sort -u)
    while read -r target; do
        check "$page: no path $target" is_path "$target"
    done < <(grep -oE "\`$folders/[A-Za-z0-9_./*-]+\`" "$page" | tr -d '`' | grep -v NAME | sort -u)
    while read -r name; do
        check "$page: no file $name" is_file "$name"
    done < <(grep -oE '`[a-z0-9_/]+\.(c|h|py|sql|sh|bindings)`' "$page" | tr -d '`' | sort -u)
    while read -r command; do
        check "$page: no command opconform $command" "$opconform" "$command" --help >/dev/null
    done < <(grep -oE '(^|`)opconform [a-z]+' "$page" | awk '{ print $2 }' | sort -u)
done
while read -r place target; do
    check "$place: no file $target" test -e "$target"
done < <(git grep -oP "(?<![\\w-])$folders/[A-Za-z0-9_/-]+\.(c|h|py|sh|md|txt|sql|bindings)\\b" -- '*.c' '*.h' '*.py' '*.sh' Makefile '*.txt' ':!tests/t_layers_check.sh' |
    grep -v NAME | sed 's/:/ /' | sort -u)
# The page of contracts, and the rows in each format.
check "docs/contracts.md is not what opconform list contract-manual prints" diff <("$opconform" list contract-manual) docs/contracts.md
rows=$("$opconform" list contracts --plain | wc -l)
check "rows of contracts" [ "$rows" -gt 60 ]
check "rows as JSON" [ "$("$opconform" list contracts --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')" = "$rows" ]
check "rows as CSV" [ "$("$opconform" list contracts --csv | python3 -c 'import csv, sys; print(len(list(csv.DictReader(sys.stdin))))')" = "$rows" ]
finish
