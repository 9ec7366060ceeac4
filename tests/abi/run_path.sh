#!/bin/sh
# SPDX-License-Identifier: MIT
# run_path.sh READELF BINARY...: each looks for libraries only in folders named relative to itself.
# An empty entry of a run path is the current folder, whatever lies there.
set -eu
readelf=$1
shift
failed=0
for binary; do
    "$readelf" -dW "$binary" >dynamic.txt
    grep -q NEEDED dynamic.txt || { echo "$binary: no dynamic section"; failed=1; }
    sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/\2/p' dynamic.txt | tr ':' '\n' >entries.txt
    if grep -v -e '^\$ORIGIN$' -e '^\$ORIGIN/' entries.txt >wrong.txt; then
        sed "s,.*,$(basename -- "$binary"): the run path has '&'," wrong.txt
        failed=1
    fi
done
exit "$failed"
