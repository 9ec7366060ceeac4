#!/bin/sh
# SPDX-License-Identifier: MIT
# in_locale.sh LOCALE COMMAND [ARG...]: runs the command in that locale, made here where the system
# lacks it. Programs with host_locale.c in them take it as hosts do. 77: this system can neither
# offer nor make it.
set -eu
export LC_ALL=$1 CLSLICE_TEST_LOCALE=$1
shift

is_there() {
    [ "$(locale charmap 2>&1)" = "${LC_ALL#*.}" ]
}

if ! is_there; then
    export LOCPATH=$PWD/locales
    mkdir -p locales
    localedef -i "${LC_ALL%.*}" -f "${LC_ALL#*.}" "locales/$LC_ALL" || true # warnings count as failures
    is_there || { echo "skipped: no locale $LC_ALL here, and localedef makes none"; exit 77; }
fi
exec "$@"
