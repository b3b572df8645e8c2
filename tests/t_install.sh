# What is installed: a program that runs outside the sources, manual pages with every option, completions, and Debian's package.
. tests/lib.sh
root=$PWD
version=$("$opconform" --version | cut -d' ' -f2)
check "the versions of the program and of CHANGELOG.md" grep -q "^## $version\b" CHANGELOG.md
if command -v dpkg-shlibdeps >/dev/null; then
    expect 0 packaging/make-deb "$BUILD" "$scratch/made" "$version"
    package=$(ls "$scratch"/made/opconform_"$version"_*.deb)
    dpkg-deb -x "$package" "$scratch/root"
    check "what the package depends on" grep -q 'libsqlite3-0' <<<"$(dpkg-deb -f "$package" Depends)"
else
    skip "there is no dpkg-shlibdeps"
    make -s --no-print-directory BUILD="$(realpath --relative-to=. "$BUILD")" install DESTDIR="$scratch/root" PREFIX=/usr
    gzip -9n "$scratch"/root/usr/share/man/man1/*.1
fi
[ -d "$scratch/root/usr/share" ] || { fail "nothing was installed"; finish; }
share=$scratch/root/usr/share
cd "$scratch" || exit 2
installed=$scratch/root/usr/bin/opconform
expect 0 "$installed" fuzz --op copy --dtype f64 --backend netlib --engine random --cases 200 --db installed.db --quiet

for command in $("$opconform" --commands); do
    page=$(gzip -dc "$share/man/man1/opconform-$command.1.gz" | sed 's/\\-/-/g; s/\\f.//g')
    check "opconform-$command(1): a heading" grep -q "^.TH opconform-$command 1" <<<"$page"
    for option in $("$opconform" "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        check "opconform-$command(1): no $option" grep -qE "^$option\b" <<<"$page"
    done
    check "opconform(1): no $command" grep -q "opconform-$command" <<<"$(gzip -dc "$share/man/man1/opconform.1.gz" | sed 's/\\-/-/g')"
done
expect 2 "$opconform" --man-page fuz; says "unknown command"
expect 2 "$opconform" --completion tcsh; says "bash, zsh or fish"
expect 2 "$opconform" list querys; says "queries"

complete_words() { # words...: what bash offers for the last one
    bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _opconform 2>/dev/null; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$share/bash-completion/completions/opconform" opconform "$@"
}
offers() { # what is expected, words...
    check "bash offers no $1 for '${*:2}'" grep -qx -e "$1" <<<"$(complete_words "${@:2}")"
}
offers fuzz fu
offers --deadline fuzz --dea
offers gemm fuzz --op gem
offers gemm,axpy fuzz --op gemm,axp
offers openblas replay --backend open
offers open query op
check "offers for a file" [ -z "$(complete_words report --out '')" ]
check "zsh's completion is no program of bash" bash -n "$share/zsh/vendor-completions/_opconform"
if command -v zsh >/dev/null; then
    mkdir zsh && cp "$share/zsh/vendor-completions/_opconform" zsh
    # The first line shows that the file completes the word with which zsh reads it.
    expect 0 timeout 100 zsh -f "$root/tests/completion.zsh" zsh 'opconform fu' 'opconform fuzz --dea' 'opconform fuzz --op gemm,axpb' \
        'opconform query outl' 'opconform report --out star'
    completed='opconform fuzz/opconform fuzz --deadline/opconform fuzz --op gemm,axpby/opconform query outliers/opconform report --out start'
    check "zsh: $(cat out)" [ "$(sed 's/ *$//' out | paste -s -d/)" = "$completed" ]
else
    skip "zsh is not installed"
fi
if command -v fish >/dev/null; then
    # One fish for all lines: what it offers for each, behind the line.
    fish --no-config -c 'source $argv[1]; for line in $argv[2..]; complete -C $line | string replace -r "\t.*" "" | string join " " | string replace -r "^" "$line: "; end' \
        "$share/fish/vendor_completions.d/opconform.fish" 'opconform ' 'opconform fu' 'opconform fuzz --dea' 'opconform fuzz --op gemm,axp' \
        'opconform replay --backend openb' 'opconform query outl' >fish.out 2>&1
    for offered in 'opconform fu: fuzz' 'opconform fuzz --dea: --deadline' 'opconform fuzz --op gemm,axp: gemm,axpby gemm,axpy' \
        'opconform replay --backend openb: openblas' 'opconform query outl: outliers'; do
        check "fish: no '$offered' in $(cut -c1-200 fish.out)" grep -qxF -- "$offered" fish.out
    done
    for command in $("$opconform" --commands); do
        check "fish: no $command" grep -qE "^opconform :.* $command( |\$)" fish.out
    done
else
    skip "fish is not installed"
fi
finish
