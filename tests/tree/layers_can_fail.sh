#!/bin/sh
# SPDX-License-Identifier: MIT
# layers_can_fail.sh ROOT: layers.sh finds what it is there for, and nothing else, in copies with
# one line more.
set -eu
root=$1
tests=$(cd "$(dirname "$0")" && pwd)
failures=0

# with FILE LINE: a copy of the sources, in the current folder, with LINE at the end of FILE
with() {
    rm -rf copy
    mkdir -p copy "copy/src/$(dirname "$1")"
    cp -R "$root/src" copy/
    chmod -R u+w copy # where the sources are read-only, so is the copy
    mkdir -p "copy/src/$(dirname "$1")"
    printf '%s\n' "$2" >> "copy/src/$1"
}

# refuses PATTERN FILE LINE: layers.sh says what matches the pattern
refuses() {
    with "$2" "$3"
    if said=$(sh "$tests/layers.sh" copy); then
        said=nothing
    fi
    case $said in
    $1) ;;
    *) echo "layers.sh says of src/$2 with $3: $said"; failures=$((failures + 1)) ;;
    esac
}

refused() { refuses "src/$1:*" "$@"; }
circle() { refuses "*a circle of files:*${1%.*}*" "$@"; }

accepted() {
    with "$1" "$2"
    if ! sh "$tests/layers.sh" copy; then
        echo "layers.sh refuses that src/$1 says: $2"
        failures=$((failures + 1))
    fi
}

refused core/plan.c '#include "base/environment.h"'
refused core/plan.c '#include "cache/cache.h"'
refused core/plan.c '#include "api/checks.h"'
refused core/plan.c '#include <stdlib.h>'
refused core/plan.c '#  include <CL/cl.h>'
refused core/slice.h '/* a comment */ #include <fcntl.h>'
refused base/text.c '#include "core/slice.h"'
refused base/text.h '#  include <CL/cl.h>'
refused base/text.c 'const char *home(void) { return getenv("HOME"); }'
refused core/slice.c 'void end(void) { abort (); }'
refused cache/cache.c '#include "opencl/cl_api.h"'
refused cache/cache.c '#include "core/plan.h"'
refused cache/cache.c '#include <CL/cl.h>'
refused opencl/cl_api.c '#include "runtime/device.h"'
refused opencl/cl_api.c '#include "core/plan.h"'
refused opencl/cl_api.c '#include "cache/cache.h"'
refused runtime/device.c '#include "api/checks.h"'
refused runtime/device.c '#include "stranger.h"'
refused runtime/device.c '#include "runtime/stranger.h"'
refused runtime/device.c 'void end(void) { exit(1); }'
refused runtime/device.c 'const char *home(void) { return secure_getenv("HOME"); }'
refused runtime/programs/program.c 'void *open(void) { return dlopen("libOpenCL.so", 1); }'
refused api/device.c 'void end(void) { _exit(1); }'
refused api/device.c '#include "conformance/cases.h"'
refused conformance/cases.c '#include "cli/cli.h"'
refused conformance/cases.c '#include "core/plan.h"'
refused cli/cli.c '#include "core/plan.h"'
refused cli/cli.c '#include <core/plan.h>'
refused cli/cli.c '#include "../core/plan.h"'
refused cli/cli.c '#include "plan.h"'
refused cli/cli.c '#include "runtime/device.h"'
refused cli/cli.c 'const char *home(void) { return getenv("HOME"); }'
refused base/text.c 'int low(int c) { return tolower(c); }'
refused opencl/selector.c 'int same(void) { return strcasecmp("a", "A"); }'
refused cli/cli.c 'int letter(int c) { return isalpha (c); }'
refused cli/cli.c 'void set(void) { setlocale(6, ""); }'
refused runtime/device.c 'void log(double s) { printf("%.3f s", s); }'
refused adapters/one/host.c 'void log(double s) { printf("%5g s", s); }'
refused adapters/one/host.c '#include "core/slice.h"'
refused adapters/one/host.c '#include "tvm_ffi/view.h"'
refused adapters/host.c 'int x;'
refused another/room.c 'int x;'

circle opencl/enumerate.h '#include "opencl/selector.h"'
circle core/tensor.c '#include "core/slice.h"'
circle runtime/device.c '#include "runtime/programs/program.h"'
circle cli/cli.h '#include "cli/session.h"'
circle adapters/tvm_ffi/arguments.h '#include "view.h"'

accepted core/plan.c '/* getenv("HOME"), exit(1) and dlopen() */'
accepted core/plan.c '#include <limits.h>'
accepted core/plan.c '#include "base/text.h"'
accepted core/plan.c 'int at_exit(int x); /* no call */ int my_exit(void);'
accepted runtime/dispatch.c '#include "opencl/cl_api.h"'
accepted runtime/device.c '#include <sys/stat.h>'
accepted api/device.c '#include "opencl/selector.h"'
accepted cli/cli.c '#include <popt.h>'
accepted cli/cli.c '#include "conformance/cases.h"'
accepted cli/cli.c '#include "clslice/clslice.h"'
accepted cli/cli.c 'void tell(double s) { printf("%.3f s", s); }'
accepted runtime/device.c 'int is_upper_half(int tolower_bound); void tell(void) { printf("100 %%, %d", 1); }'
accepted adapters/one/host.c '#include <clslice/clslice.h>'

exit $((failures > 0))
