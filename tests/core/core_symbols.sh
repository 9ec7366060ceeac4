#!/bin/sh
# SPDX-License-Identifier: MIT
# core_symbols.sh NM CORE BASE: core's objects need one another and base's, and of the C library
# only what neither allocates nor reaches out of the process. Prints every other symbol and fails if
# there is one.
set -eu
needed=$("$1" -u "$2" | awk 'NF == 2 && $1 == "U" { print $2 }' | sort -u)
defined=$("$1" --defined-only "$2" "$3" | awk 'NF == 3 { print $3 }' | sort -u)
[ -n "$defined" ] || { echo "$2 defines nothing"; exit 1; }
printf '%s\n' "$needed" | awk -v defined="$defined" '
BEGIN {
    split(defined, names, "\n")
    for (i in names)
        known[names[i]] = 1
    split("memchr memcmp memcpy memmove memset strchr strcmp strlen strncmp strnlen strstr vsnprintf", names, " ")
    for (i in names)
        known[names[i]] = known["__" names[i] "_chk"] = 1
}
# What compilers add: stack protection, sanitizers, coverage, position independence, division by
# 32-bit processors.
/^__u?(div|mod)di3$/ || /^(__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$/ || /^__(asan|ubsan|tsan|msan|sanitizer|sancov|gcov|llvm)_/ { next }
!($0 in known) {
    print "core needs " $0
    failed = 1
}
END { exit failed }'
