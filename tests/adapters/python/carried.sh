#!/bin/sh
# SPDX-License-Identifier: MIT
# carried.sh BENCH BUILD PYTHON: what BENCH/carry gathers is all that peers.py needs but for NumPy.
set -eu
sh "$1/carry" "$2" "a folder"
for test in random bind calls kernels threads variants big huge; do
    [ -x "a folder/tests/test_$test" ] || { echo "test_$test is not carried"; exit 1; }
done
[ -x "a folder/sweep.py" ] || { echo "sweep.py is not carried"; exit 1; }
env -i PATH="$PATH" POCL_CACHE_DIR="$POCL_CACHE_DIR" CLSLICE_CACHE=off \
    "$3" -B "a folder/peers.py" --peers numpy --case rank8_flip --pairs 1 >said
cat said
grep -q '^rank8_flip .*[0-9]$' said
