#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh README EXAMPLE: the program that the README shows is the example that the tests run, but
# for its licence line, and short; no figure in the documents is left to be filled in.
set -eu
if grep -nE '@[A-Z]+@' "$1" "$(dirname -- "$1")"/docs/*.md; then exit 1; fi
awk '/^```c$/ {shown = 1; next} /^```$/ {shown = 0} shown' "$1" >shown.txt
sed 1d "$2" | diff shown.txt -
[ "$(grep -c . shown.txt)" -le 25 ] || { echo 'the program has more than 25 lines'; exit 1; }
