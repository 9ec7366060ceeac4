#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh EXPECTED PROGRAM [ARG...]: runs the program, which must succeed, say nothing on stderr and print EXPECTED.
# What depends on the release or the machine, the version and the list of devices, stands there by one word.
set -eu
expected=$1
shift
status=0
"$@" >output.txt 2>errors.txt || status=$?
sed -e 's/^clslice [0-9][0-9.]*$/clslice VERSION/' -e 's/^device [0-9]*: .*/device/' output.txt |
    awk '$0 != "device" || last != $0 { print } { last = $0 }' | diff "$expected" - || status=1
if [ -s errors.txt ]; then
    cat errors.txt
    status=1
fi
exit "$status"
