#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh README EXAMPLE: the program that the README shows is the example that the tests run.
set -eu
awk '/^```c$/ {shown = 1; next} /^```$/ {shown = 0} shown' "$1" | diff - "$2"
