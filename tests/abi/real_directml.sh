#!/bin/sh
# SPDX-License-Identifier: MIT
# real_directml.sh INCLUDE SOURCE CXX: compiles SOURCE with the DirectML.h that Debian sid ships
# today.
# Exit status 77: the header cannot be had here.
set -eu
include=$1 source=$2 cxx=$3

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

# apt FUNCTION [ARG...]: with sources and state of our own, so that the machine's stay as they are
apt() {
    timeout 300 apt-get -q -o "Dir::Etc::sourcelist=$PWD/sid.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::Lists=$PWD/lists" -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root \
        -o Acquire::Retries=0 -o Acquire::http::Timeout=10 "$@" >>apt.log 2>&1
}

command -v apt-get >/dev/null || skip 'no apt-get here'
command -v dpkg >/dev/null || skip 'no dpkg here'
# shellcheck disable=SC2016 # apt's own variable
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -n 1)
[ -n "$mirror" ] || skip 'apt names no Debian mirror'
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keys" ] || skip "no $keys"

mkdir -p lists/partial cache/archives/partial
printf 'deb [signed-by=%s] %s sid main\n' "$keys" "$mirror" >sid.list
apt -o APT::Update::Error-Mode=any update || skip "apt cannot read sid at $mirror: $(grep -m 1 '^[EW]:' apt.log || echo timeout)"
apt download directx-headers-dev || skip "no directx-headers-dev at $mirror: $(tail -n 1 apt.log)"
dpkg -x directx-headers-dev_*.deb sid || skip 'dpkg cannot unpack it'
printf 'against %s\n' directx-headers-dev_*.deb

# compiles [OPTION...]: ours after the real one
compiles() {
    $cxx -std=c++17 -fsyntax-only -Wall -Wextra -Werror -D REAL_DIRECTML -I "$include" \
        -isystem sid/usr/include/directx -isystem sid/usr/include/wsl/stubs \
        -isystem sid/usr/include/wsl -isystem sid/usr/include "$@" "$source" 2>errors.txt
}

if ! compiles; then
    cat errors.txt
    exit 1
fi
grep -q 'SLICE1' sid/usr/include/directx/DirectML.h
if compiles -D DML_TARGET_VERSION=0x2000 || ! grep -q 'has no SLICE1' errors.txt; then
    cat errors.txt
    echo 'with DML_TARGET_VERSION=0x2000 the error must be ours'
    exit 1
fi
