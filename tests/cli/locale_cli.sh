#!/bin/sh
# SPDX-License-Identifier: MIT
# locale_cli.sh CLI: run by in_locale.sh, the command line writes and reads numbers as everywhere.
set -eu
cli=$1
fail() { echo "$*" >&2; exit 1; }

printf '%s%s%s\n' '{"name":"half","dtype":"float32","in_shape":[2],"window_offsets":[0],' \
    '"window_sizes":[2],"window_strides":[-1],"out_shape":[2],' \
    '"input":[1.5,2.25],"output":[2.25,1.5]}' > cases.jsonl
"$cli" verify --planned cases.jsonl
for command in 'devices' 'devices --json' 'bench --json --case tiny_3d'; do
    # shellcheck disable=SC2086 # words
    "$cli" $command > out || fail "$command failed"
    ! grep -E '[0-9],[0-9]' out || fail "$command writes decimal commas"
done
grep -qE '[0-9]\.[0-9]' out || fail "no number in $(cat out)"
