#!/bin/sh
# SPDX-License-Identifier: MIT
# run_path.sh READELF PATH BINARY...: each looks for libraries in these folders and nowhere else; PATH
# may be none. An empty entry would be the current folder, whatever lies there.
set -eu
readelf=$1 wanted=$2
shift 2
for binary; do
    path=$("$readelf" -dW "$binary" | sed -n 's/.*(R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/\2/p')
    if [ "${path:-none}" != "$wanted" ]; then
        printf "%s: its run path is '%s', not '%s'\n" "$binary" "${path:-none}" "$wanted"
        exit 1
    fi
done
