# Texts of strangers in everything that is generated: the compiler, Python, the shell and readers of HTML, XML, CSV and JSON
# find nothing but text.  ESCAPE_ROWS texts, of which every tenth is the title and the library of a program in C.
. tests/lib.sh
expect 0 "$BUILD/tests/hostile" "${ESCAPE_ROWS:-4000}" "$scratch"
for file in comments programs; do
    expect 0 "${CC:-cc}" -std=c17 -Wall -Wextra -Werror -Wno-unused -fsyntax-only "$scratch/$file.c"
done
expect 0 "${PYTHON:-/usr/bin/python3}" tests/check-hostile "$scratch"
cat "$scratch/out"
finish
