#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh INCLUDE GOLDEN CXX: every constant of the headers has its row in golden.h, every
# pointer says whether it may be NULL, and clslice/directml.h behaves
# beside a DirectML.h that declared something, nothing, or too little.
set -eu
include=$1 golden=$2 cxx=$3
failed=0

fail() {
    printf '%s\n' "$*"
    failed=1
}

# Enumerators, and macros that have a value.
cat "$include"/clslice/*.h |
    grep -o -E -e '(CLSLICE|DML)_[A-Z0-9_]+ = ' -e '^#define CLSLICE_[A-Z0-9_]+ [^_"]' |
    grep -o -E '(CLSLICE|DML)_[A-Z0-9_]+' | grep -v CLSLICE_VERSION_ | sort -u >constants.txt
[ "$(wc -l <constants.txt)" -gt 100 ] || fail 'constants.txt: too few, has the style of the headers changed?'
while read -r name; do
    grep -q -F "X($name, " "$golden" || fail "golden.h has no row for $name"
done <constants.txt

# Where clang is there: each header alone, in C and C++ of old and now, and no pointer without its
# nullability.
if command -v clang >/dev/null 2>&1; then
    for header in clslice cache api_table directml; do
        for language in 'c -std=c99' c 'c++ -std=c++11' c++; do
            # shellcheck disable=SC2086 # words
            clang -x $language -fsyntax-only -Wall -Wextra -Wpedantic -Wnullability-completeness -Werror \
                "$include/clslice/$header.h" || fail "clang warns of $header.h in $language"
        done
    done
fi

# compiles TEXT: what comes before #include <clslice/directml.h>
compiles() {
    printf '%s\n#include <clslice/directml.h>\nDML_OPERATOR_DESC desc;\n' "$1" >case.cpp
    $cxx -std=c++17 -fsyntax-only -I "$include" case.cpp 2>errors.txt
}

compiles '' || fail 'alone, it does not compile'
# The real header leaves its guard and nothing else where the API family has no desktop.
compiles '#define DIRECTML_H' || fail 'beside an empty DirectML.h, it must declare'
compiles '#define DIRECTML_H
#define DML_TARGET_VERSION 0x2000' && fail 'below 0x2100 it must not compile'
grep -q 'has no SLICE1' errors.txt || fail 'below 0x2100 the message must say so'
# Claims to be the real header and declares nothing: then ours must not.
compiles '#define DIRECTML_H
#define DML_TARGET_VERSION 0x6400' && fail 'beside a full DirectML.h, it must declare nothing'
grep -q 'DML_OPERATOR_DESC' errors.txt || fail 'beside a full DirectML.h, another error was expected'

exit "$failed"
