#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh CMAKE BUILD LIBDIR CC PKG_CONFIG CONSUMER SOURCE EXPECTED
# Installs BUILD, builds SOURCE against it through pkg-config and through find_package, runs both,
# and does so once more where the installed tree was moved to.
set -eu
cmake=$1 build=$2 libdir=$3 cc=$4 pkg_config=$5 consumer=$6 source=$7 expected=$8

die() {
    printf '%s\n' "$*"
    exit 1
}

# run WHAT PROGRAM
run() {
    LD_LIBRARY_PATH="$prefix/$libdir" "$2" >output.txt || die "$1: does not run in $prefix"
    diff "$expected" output.txt || die "$1: wrong output in $prefix"
}

use_prefix() {
    prefix=$1
    PKG_CONFIG_LIBDIR="$prefix/$libdir/pkgconfig"
    export PKG_CONFIG_LIBDIR
    # pkg-config answers with words for a shell, in which what is special to it is escaped.
    includedir=$(eval "cd $($pkg_config --variable=includedir clslice)" && pwd -P)
    [ "$includedir" = "$(cd "$prefix/include" && pwd -P)" ] || die "pkg-config names $includedir in $prefix"
    eval "set -- $($pkg_config --cflags --libs clslice)"
    $cc -std=c11 -Wall -Wextra -Werror -o with_pkg_config "$source" "$@"
    run pkg-config ./with_pkg_config

    rm -rf consumer
    "$cmake" -G Ninja -S "$consumer" -B consumer -D CMAKE_C_COMPILER="$cc" -D "CMAKE_PREFIX_PATH=$prefix" \
        -D "SOURCE=$source" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >configure.txt 2>&1 ||
        { cat configure.txt; die "find_package fails in $prefix"; }
    grep "clslice_DIR:PATH=$prefix/" consumer/CMakeCache.txt >/dev/null || die "another clslice than $prefix"
    "$cmake" --build consumer >build.txt 2>&1 || { cat build.txt; die "the consumer does not build in $prefix"; }
    run find_package consumer/consumer
}

"$cmake" --install "$build" --prefix "$PWD/first" >install.txt
for file in include/clslice/clslice.h include/clslice/api_table.h include/clslice/cache.h include/clslice/directml.h "$libdir/libclslice.so" \
    "$libdir/libclslice.so.0" "$libdir/pkgconfig/clslice.pc" "$libdir/cmake/clslice/clslice-config.cmake" \
    "$libdir/cmake/clslice/clslice-config-version.cmake"; do
    [ -f "first/$file" ] || die "$file is not installed"
done
[ "$(find first/include -type f | wc -l)" -eq 4 ] || die 'more headers than the public ones are installed'
if grep -r -l -F -e "$build" -e "$PWD/first" first; then
    die 'above: the path of the build or of the prefix'
fi

use_prefix "$PWD/first"
mkdir elsewhere
mv first elsewhere/second
use_prefix "$PWD/elsewhere/second"
if [ -x "$prefix/bin/clslice" ]; then
    "$prefix/bin/clslice" --version >version.txt || die 'the command line does not find its library when moved'
fi
