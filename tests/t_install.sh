# What is installed: a program that runs outside the sources, manual pages with every option, completions, and Debian's package.
. tests/lib.sh
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
check "zsh's completion" grep -q '^#compdef opconform' "$share/zsh/vendor-completions/_opconform"
check "zsh's completion is no program of bash" bash -n "$share/zsh/vendor-completions/_opconform"
for command in $("$opconform" --commands); do
    check "fish: no $command" grep -q -- "-a $command " "$share/fish/vendor_completions.d/opconform.fish"
done
finish
