#!/bin/sh
# SPDX-License-Identifier: MIT
# runpath.sh READELF LIBRARY...: each looks for libclslice.so.0 in its own folder and nowhere else;
# an empty entry would be the current folder, whatever lies there.
set -eu
readelf=$1
shift
for library; do
    path=$("$readelf" -dW "$library" | sed -n 's/.*RUNPATH.*\[\(.*\)\]$/\1/p')
    if [ "$path" != "\$ORIGIN" ]; then
        printf "%s: RUNPATH is '%s'\n" "$library" "$path"
        exit 1
    fi
done
