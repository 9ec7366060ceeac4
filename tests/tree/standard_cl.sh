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

# compiles FILE DEFINITION...: one work-item may set what is local, and a kernel need not call all
# that files share
compiles() {
    "$clang" -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wpedantic -Werror -Wno-sometimes-uninitialized \
        -Wno-unused-function -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins "$@"
}

extended='kernel void k(global int *p) { int none[0]; *p = (int)sizeof none; }'
! echo "$extended" | compiles - 2>/dev/null || { echo 'an array of no elements compiles'; exit 1; }
failed=0 count=0
for kernel in "$folder"/*_[cg]pu.cl; do
    for size in 1 2 4 8 16; do
        words="$size 16" one='' three='' last='' # more definitions
        case $kernel:$size in
            *strided_gpu*:[12]) words="$size 4 8 16" one=-DNEIGHBOURS three='-DNEIGHBOURS -DBATCH -DINDEX_BITS=64' ;;
            *strided_gpu*:4) words='4 8 16' ;;
            *transpose_gpu*) words=16 ;;
            *gradient_gpu*:[12]) words='0 16' one=-DNEIGHBOURS three=-DSHORT_ROWS ;;
            *gradient_gpu*) words='0 16' one=-DSHORT_ROWS ;;
            *rows_cpu*)
                one='-DGROUP_SIZE=1 -DGROUP_STRIDE=0' three='-DGROUP_SIZE=3 -DGROUP_STRIDE=0 -DINTEL'
                last='-DGROUP_SIZE=1 -DGROUP_STRIDE=-1'
                ;;
            *rows_gpu*:1) three='-DGROUP_SIZE=3 -DGROUP_STRIDE=4 -DELEMENT_STRIDE=-1' ;;
        esac
        case $kernel in *gradient_gpu*) ;; *_gpu*) last='-DBATCH -DFEW_WORDS=64 -DINDEX_BITS=64' ;; esac
        for word in $words; do
            for more in -DINDEX_BITS=64 -DBATCH -DSCALAR "$one" "$three" "$last"; do
                # shellcheck disable=SC2086 # a list of words
                set -- -DELEMENT_SIZE=$size -DWORD_BYTES="$word" $more
                compiles "$kernel" "$@" || { echo "so $kernel with $*"; failed=1; }
                count=$((count + 1))
            done
        done
    done
done
[ $count -gt 0 ] || { echo "no kernels in $folder"; exit 1; }
exit $failed
