#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh LIBRARY HEADER COMPILER NM READELF FOLDER...
# What the library shows to the dynamic linker: its functions are those of the header and of the
# table, under one version; it needs libc alone, stays mapped, runs nothing at load, and names none
# of the FOLDERs it was built in.
set -eu
library=$1 header=$2 compiler=$3 nm=$4 readelf=$5
shift 5
failed=0

fail() {
    printf '%s\n' "$*"
    failed=1
}

# same WHAT: a.txt, which the library exports, and WHAT.txt hold the same names
same() {
    diff exported.txt "$1.txt" || fail "exported (<) and $1 (>) differ"
}

# Every symbol but the version's own node; a function is T.
"$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $2, $3 }' >symbols.txt
awk '$1 == "T" { print $2 }' symbols.txt | LC_ALL=C sort >exported.txt
grep -v '^T clslice_' symbols.txt && fail 'above: exported, but no clslice_ function'
[ -s exported.txt ] || fail 'nothing is exported'
"$nm" -D --with-symbol-versions --defined-only "$library" | awk '$2 == "T" && $3 !~ /@@CLSLICE_0$/' | grep . &&
    fail 'above: exported without the version CLSLICE_0'

"$compiler" -E -P -D CLSLICE_PLAIN "$header" >plain.txt
grep -o 'clslice_[a-z_]*(' plain.txt | tr -d '(' | LC_ALL=C sort >header.txt
awk '/^struct clslice_api \{/ { inside = 1 } /^};/ { inside = 0 } inside' plain.txt |
    { grep -o '(\* *[a-z_]*)' | sed 's/(\* *\(.*\))/clslice_\1/'; echo clslice_get_api; } | LC_ALL=C sort >table.txt
same header
same table

"$readelf" -dW "$library" >dynamic.txt
grep NEEDED dynamic.txt | grep -v -e '\[libc\.so\.6\]' -e '\[ld-linux.*\]' && fail 'above: needed besides libc'
grep -q 'SONAME.*\[libclslice\.so\.0\]' dynamic.txt || fail 'SONAME is not libclslice.so.0'
grep -q 'FLAGS_1.*NODELETE' dynamic.txt || fail 'NODELETE is missing: dlclose would unmap the library'
grep -e RPATH -e RUNPATH -e TEXTREL dynamic.txt && fail 'above: must not be there'
# crtbegin's own frame_dummy and __do_global_dtors_aux
grep -e INIT_ARRAYSZ -e FINI_ARRAYSZ dynamic.txt | grep -v ' [48] (bytes)' && fail 'above: a constructor or destructor'
"$readelf" -lW "$library" | grep -e ' TLS ' -e 'GNU_STACK.*RWE' && fail 'above: thread-local or executable memory'

"$nm" -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }' >imported.txt
grep -x -e getenv -e setenv -e putenv -e exit -e _exit -e atexit -e on_exit -e signal -e sigaction -e printf -e puts \
    -e pthread_atfork -e __register_atfork -e __cxa_atexit imported.txt && fail 'above: must not be called'

for folder; do
    grep -a -q -F -e "$folder" "$library" && fail "the library holds the path $folder"
done
# as __DATE__ and __TIME__ write them
strings -a "$library" | grep -E -e '[A-Z][a-z]{2} [ 0-9][0-9] 20[0-9]{2}' -e '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]' &&
    fail 'above: the time of the build'

exit "$failed"
