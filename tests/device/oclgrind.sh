#!/bin/sh
# SPDX-License-Identifier: MIT
# oclgrind.sh CLSLICE ICD: the whole built-in table on Oclgrind, found by the loader as a driver;
# its log stays empty. That the log tells of a kernel which reads one byte too far is shown by
# test_variants, which also runs the smaller cases by the variants that are not planned for them.
set -eu
clslice=$1 icd=$2
if [ ! -e "$icd" ]; then
    echo "skipped: Oclgrind is not installed"
    exit 77
fi
mkdir vendors
echo "$icd" >vendors/oclgrind.icd
OCL_ICD_VENDORS=$PWD/vendors OCLGRIND_LOG=$PWD/log
export OCL_ICD_VENDORS OCLGRIND_LOG
"$clslice" devices | grep 'Oclgrind Simulator' || { echo "the device is not Oclgrind"; exit 1; }
"$clslice" verify --planned
[ ! -s log ] || { cat log; exit 1; }
