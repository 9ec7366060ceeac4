#!/bin/sh
# SPDX-License-Identifier: MIT
# bindgen.sh INCLUDE RUSTC: Rust's bindgen reads the headers as they are: functions, structures, and
# constants with their values. Where there is a compiler for it, what it writes compiles.
set -eu
include=$1 rustc=$2
failed=0

if ! command -v bindgen >/dev/null 2>&1; then
    printf 'skipped: no bindgen here (Debian: bindgen)\n'
    exit 77
fi
printf '#include <clslice/clslice.h>\n#include <clslice/directml.h>\n' >both.h
bindgen both.h -o both.rs -- -I "$include"
# A statement per line, with the same spaces whether rustfmt was there or not.
tr ';{}' '\n\n\n' <both.rs | sed -E 's/ *([:=(,)]) */\1/g; s/- ([0-9])/-\1/g; s/ *$//' >statements

# has PATTERN...: lines of what bindgen wrote
has() {
    for pattern; do
        grep -q -E -e "$pattern" statements || {
            printf 'bindgen does not see %s\n' "$pattern"
            failed=1
        }
    done
}

has 'const CLSLICE_S_OK:.*=0$' 'const CLSLICE_E_INVALIDARG:.*=-2147024809$' \
    'const CLSLICE_DXGI_ERROR_UNSUPPORTED:.*=-2005270524$' 'const CLSLICE_RULE_STRIDE_ZERO:.*=18$' \
    'const CLSLICE_VERSION_MINOR:.*=1$' 'const CLSLICE_ABI_VERSION:.*=1$' \
    'const CLSLICE_NO_DIMENSION:.*=4294967295$' 'DML_OPERATOR_SLICE1:.*=111$'
has 'fn clslice_run\(' 'fn clslice_get_api\(' 'fn clslice_cache_clear\(' 'struct clslice_api$' \
    'struct clslice_device_options$' 'struct DML_SLICE1_OPERATOR_DESC$'
if [ -x "$rustc" ]; then
    "$rustc" --crate-type lib --crate-name both -A warnings both.rs || failed=1
fi
exit "$failed"
