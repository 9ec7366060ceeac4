#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep.sh CLSLICE LIBRARY BENCH PYTHON: BENCH/sweep.py measures NumPy beside the draws of CLSLICE,
# and resumes.
set -eu
draw="$1 bench --random 1 --bytes 64K"
sweep() { "$python" -B "$bench/sweep.py" --library "$library" --peers numpy --pairs 1 "$@"; }
library=$2 bench=$3 python=$4
$draw --list >draws.jsonl
rm -f results.jsonl

head -n 3 draws.jsonl | sweep --json results.jsonl >first
cp results.jsonl begun.jsonl
[ "$(wc -l <begun.jsonl)" -eq 3 ]
sweep --json results.jsonl draws.jsonl >second
cat second
[ "$(wc -l <results.jsonl)" -eq 10 ]
head -n 3 results.jsonl | cmp - begun.jsonl
[ "$(grep -c '^[a-z]*/0 .*_cpu ' second)" -eq 7 ] || { echo "measured again"; exit 1; }
grep -q '^crop  *NumPy  *1 ' second
[ "$(grep -c '^plan:  ' second)" -eq 10 ] || { echo "not the ten worst"; exit 1; }

# What was measured already has its efficiency.
$draw --json --pairs 1 --case 'crop/*' | sweep >third
grep -q '^crop  *efficiency  *1 ' third

# Gradients are not the slices of the same names, and one of negative steps is as NumPy's.
$draw --gradient --list --case 'flip/*' | sweep --json results.jsonl >fourth
grep -q '^flip/0 .*_cpu ' fourth
[ "$(wc -l <results.jsonl)" -eq 11 ]

# Those of models are as NumPy's.
"$python" -B "$bench/models.py" --mib 1 | grep -e rotary- -e colors- -e planes- -e crop | sweep >fifth
[ "$(grep -c '^[a-z-]*/[124] .*_cpu ' fifth)" -eq 12 ] || { cat fifth; exit 1; }

# Builds in turns, and kernels of one: not every kernel moves every slice.
"$python" -B "$bench/mixed.py" --count 8 --mib 1 --gaps >mixed.jsonl
[ "$(wc -l <mixed.jsonl)" -eq 8 ]
"$python" -B "$bench/builds.py" --samples 1 mixed.jsonl "$library" "$library:gapped_cpu" \
    "$library:transpose_cpu" >sixth 2>refused
cat sixth
[ "$(grep -c '^mixed/[0-7]: [a-z]*_cpu .*, gapped_cpu ' sixth)" -eq 8 ]
grep -q '^mixed/.*, -$' sixth
grep -q ':transpose_cpu: not every slice: .*cannot run' refused

if echo '{"case": "crop/0"}' | sweep 2>refused; then
    echo "a line without a slice is taken"
    exit 1
fi
grep -q 'not a line of' refused
