#!/bin/sh
# SPDX-License-Identifier: MIT
# check_device.sh CHECK_DEVICE: its verdicts over programs that do nothing, from an environment that
# has nothing.
set -eu
mkdir -p "a place/bin" "a place/tests" "a place/cases" temporary many
printf '#!/bin/sh\necho 16\n' >many/nproc
chmod +x many/nproc
path= # none
cp "$1" "a place/check_device"
fail() { printf '%s\n' "$*" >&2; cat said >&2; exit 1; }

program() { # NAME STATUS: says what it was given and ends so
    printf '#!/bin/sh\ntouch left; echo "$CLSLICE_DEVICE %s $* $CLSLICE_CACHE $POCL_CACHE_DIR"; exit %s\n' \
        "$(basename "$1")" "$2" >"a place/$1"
    chmod +x "a place/$1"
}

check() { # STATUS DEVICE...
    wanted=$1
    shift
    status=0
    env -i TMPDIR="$PWD/temporary" ${path:+PATH="$path"} "a place/check_device" "$@" >said 2>&1 || status=$?
    [ $status -eq "$wanted" ] || fail "status $status, not $wanted"
    [ -z "$(ls -A temporary)" ] || fail "it leaves $(ls -A temporary)"
}

says() {
    grep -q -- "$1" said || fail "it does not say: $1"
}

program bin/clslice 0
program tests/test_one 0
program tests/test_two 77
touch "a place/cases/some.jsonl"
check 0 a:b c
says '^test_one  *ok .* s  a:b test_one  off /'
says '^some  *ok .* c clslice verify .*a place/cases/some.jsonl off'
says '^3 steps ran in .* s; skipped: test_two$'
program tests/test_three 3
check 1 a
says '^test_three  *FAIL 3'
says '^3 steps ran in'
rm "a place/tests/"* "a place/cases/"*

# Of the tests that need much memory, one runs at a time.
for name in random variants big; do
    program "tests/test_$name" 0
    printf 'mkdir "%s" || exit 4\nsleep 0.3\nrmdir "%s"\n' "$PWD/lock" "$PWD/lock" >locked
    sed -i -e '1r locked' "a place/tests/test_$name"
done
program tests/test_one 0
path="$PWD/many:$PATH"
check 0 a
says '^5 steps ran in'
path=
rm "a place/tests/"*

# A test's line does not wait for the next test.
program tests/test_one 0
program tests/test_two 5
printf 'for i in $(seq 100); do grep -q "^test_one " "%s" && exit 0; sleep 0.1; done\n' "$PWD/said" >waits
sed -i -e '1r waits' "a place/tests/test_two"
check 0 a
says '^3 steps ran in'
rm "a place/tests/"*

program bin/clslice 1
check 1 a
says '^verify  *FAIL 1'
check 2
