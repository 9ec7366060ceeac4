#!/bin/sh
# SPDX-License-Identifier: MIT
# standard_cl.sh FOLDER: each kernel there compiles by itself and is OpenCL C 1.2 without
# extensions, for elements and words of every size: what one version of clang allows, another
# refuses. Exits with 77 where there is no clang.
set -eu
folder=$1
for clang in clang /usr/bin/clang-[0-9]*; do
    if command -v "$clang" >/dev/null; then break; fi
done
command -v "$clang" >/dev/null || { echo 'skipped: clang is not installed'; exit 77; }

# compiles FILE DEFINITION...
compiles() {
    "$clang" -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wpedantic -Werror \
        -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins "$@"
}

echo 'kernel void k(global int *p) { int none[0]; *p = (int)sizeof none; }' >extended.cl
! compiles extended.cl 2>/dev/null || { echo 'an array of no elements compiles'; exit 1; }
failed=0 count=0
for kernel in "$folder"/*_[cg]pu.cl; do
    for size in 1 2 4 8 16; do
        case $kernel:$size in
            *strided_gpu*:[124]) words="$size 4 8 16" ;;
            *) words="$size 16" ;;
        esac
        for word in $words; do
            for bits in 32 64; do
                set -- -DELEMENT_SIZE=$size -DINDEX_BITS=$bits -DWORD_BYTES="$word"
                compiles "$kernel" "$@" || { echo "so $kernel with $*"; failed=1; }
                count=$((count + 1))
            done
        done
    done
done
[ $count -gt 0 ] || { echo "no kernels in $folder"; exit 1; }
exit $failed
