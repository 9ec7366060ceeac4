#!/bin/sh
# SPDX-License-Identifier: MIT
# vectors.sh FOLDER: the kernels there have no vectors but of OpenCL's own types, whose 16 elements
# are the most that compilers for SPIR-V survive.
set -eu
folder=$1

foreign() {
    grep -nE 'vector_type|vector_size|convertvector' "$@"
}

echo 'typedef uchar line __attribute__((ext_vector_type(64)));' | foreign >/dev/null ||
    { echo 'vectors.sh does not find what it is there for'; exit 1; }
[ -e "$folder/walk.cl" ] || { echo "no kernels in $folder"; exit 1; }
if foreign "$folder"/*.cl; then
    echo 'a vector of a type that is not OpenCL'\''s'
    exit 1
fi
