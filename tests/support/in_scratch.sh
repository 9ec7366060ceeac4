#!/bin/sh
# SPDX-License-Identifier: MIT
# in_scratch.sh FOLDER COMMAND [ARG...]: runs the command in FOLDER, made anew and empty but for
# pocl/ and cache/
set -eu
scratch=$1
shift
rm -rf "$scratch"
mkdir -p "$scratch/pocl" "$scratch/cache"
cd "$scratch"
exec "$@"
