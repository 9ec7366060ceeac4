#!/bin/sh
# SPDX-License-Identifier: MIT
# measure_all.sh BENCH: what its script measure_all.py makes of steps that succeed, fail and end
# early, and that it takes what is missing. The programs that measure are shell scripts here.
set -eu
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    { echo "skipped: no python3 of version 3.9 or newer"; exit 77; }
mkdir -p place/bin
cp "$1/measure_all.py" "$1/measure_step.py" place/
fail() { printf '%s\n' "$*" >&2; cat said >&2; exit 1; }

program() { # NAME SCRIPT
    printf '%s\n' '#!/bin/sh' "$2" >"place/$1"
    chmod +x "place/$1"
}

check() { # STATUS ARGUMENT...
    wanted=$1
    shift
    status=0
    env TMPDIR="$PWD" python3 place/measure_all.py "$@" >said 2>&1 || status=$?
    [ $status -eq "$wanted" ] || fail "status $status, not $wanted"
}

says() {
    grep -q -- "$1" said || fail "it does not say: $1"
}

# A clslice that knows two classes, and a sweep that ends as the file `ends` says.
# shellcheck disable=SC2016 # is for the script
program bin/clslice 'case "$*" in
*--case*) echo "$*" >>asked; echo "{\"case\":\"$(echo "$*" | sed "s/.*--case \([a-z]*\).*/\1/")/0\"}" ;;
*--list*) printf "{\"case\":\"crop/0\"}\n{\"case\":\"flip/0\"}\n" ;;
*) echo "a table of $CLSLICE_DEVICE" ;;
esac'
echo 'import sys; print("swept", *sys.argv[1:5:2]); sys.exit(int(open("ends").read()))' >place/sweep.py

check 0 c0ffee results table draws --gpu a:b --draws 7 --bytes 1K
says '^table .* s  complete$'
grep -q '^a table of a:b$' results/table.txt || fail "results/table.txt"
[ "$(cat results/draws.jsonl)" = '{"case":"crop/0"}
{"case":"flip/0"}' ] || fail "results/draws.jsonl"
grep -q -- '--random 7 --bytes 1K --case crop/\* --json --seed c0ffee' asked || fail "$(cat asked)"

echo 3 >ends
check 3 c0ffee results table peers
says '^table .*  complete before$'
says '^peers .*  cut off$'
echo 1 >ends
check 1 c0ffee results peers
says '^peers .*  FAILED: sweep.py ended with status 1$'
says '^    swept --peers --limit$'
echo 0 >ends
check 0 c0ffee results peers
[ ! -e results/peers.part ] || fail "it leaves peers.part"

check 3 c0ffee others peers
says '^peers .*  left out: needs draws$'
check 3 c0ffee others table --limit 5
says '^table .*  left out: 5 s are left$'

# What was measured of a class stays, and is not measured again.
echo '{"case":"crop/0"}' >others/draws.jsonl
: >asked
check 0 c0ffee others draws
[ "$(grep -c flip asked) of $(wc -l <asked)" = "1 of 1" ] || fail "$(cat asked)"
check 2 c0ffee others frob
says 'no step is called frob'
echo 'print("{\"case\":\"crop/1\"}")' >place/models.py
check 0 c0ffee others models
says '^models .*  complete$'
echo 'raise SystemExit("no")' >place/models.py
check 1 c0ffee unprinted models
says '^models .*  FAILED: models.py failed$'
