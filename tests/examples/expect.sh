#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh EXPECTED PROGRAM [ARG...]: runs the program, which must succeed, say nothing on stderr
# and print EXPECTED.
set -eu
expected=$1
shift
status=0
"$@" >output.txt 2>errors.txt || status=$?
diff "$expected" output.txt || status=1
if [ -s errors.txt ]; then
    cat errors.txt
    status=1
fi
exit "$status"
