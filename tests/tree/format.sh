#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh ROOT: what clang-format 14 would write otherwise, and lines of more than 100 columns.
# Other versions break lines in other places.
set -eu
cd "$1"
for clang_format in clang-format-14 clang-format; do
    "$clang_format" --version 2>/dev/null | grep -q 'version 14\.' && break
    clang_format=
done
[ -n "$clang_format" ] || { echo "skipped: no clang-format of version 14"; exit 77; }
find include src kernels tests -name '*.[ch]' -o -name '*.cl' -o -name '*.inc' >"${TMPDIR:-/tmp}/format.$$"
trap 'rm -f "${TMPDIR:-/tmp}/format.$$"' EXIT
wrong=0
xargs "$clang_format" --dry-run -Werror <"${TMPDIR:-/tmp}/format.$$" || wrong=1
xargs awk 'length($0) > 100 { printf "%s:%d: more than 100 columns\n", FILENAME, FNR; wrong = 1 } END { exit wrong }' \
    <"${TMPDIR:-/tmp}/format.$$" || wrong=1
exit $wrong
