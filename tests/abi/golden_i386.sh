#!/bin/sh
# SPDX-License-Identifier: MIT
# golden_i386.sh CC INCLUDE GOLDEN: the layouts of 4-byte pointers, by a compiler that lays them out
# elsewhere, too
set -eu
cc=$1 include=$2 golden=$3

# compiles OPTION... FILE: the compiler's own headers will do, without a C library for i386
compiles() {
    "$cc" -std=c11 -m32 -ffreestanding -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$include" "$@"
}

printf '#ifndef __i386__\n#error\n#endif\nint x;\n' >plain.c
compiles plain.c 2>/dev/null || {
    printf 'skipped: %s does not compile for i386\n' "$cc"
    exit 77
}
compiles "$golden"
