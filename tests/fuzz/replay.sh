#!/bin/sh
# SPDX-License-Identifier: MIT
# replay.sh REPLAY CORPUS: a damaged or empty corpus is an error, and a whole one is unpacked byte
# for byte
set -eu
replay=$1
corpus=$2

refuses() {
    printf "$2" >damaged.txt
    if "$replay" damaged.txt 2>message; then
        echo "takes a corpus where $1"
        exit 1
    fi
    [ -z "${3-}" ] || grep -q "^damaged.txt:$3: " message || { echo "names no line $3:"; cat message; exit 1; }
}

refuses 'there is nothing' ''
refuses 'all is comment' '# a 00\n'
refuses 'a line is empty' 'a 00\n\n' 2
refuses 'half a byte is missing' 'a 00\nb 012\n' 2
refuses 'a digit is none' 'a 0g\n' 1
refuses 'the bytes are missing' 'a \n' 1
refuses 'the word is missing' ' 00\n' 1
refuses 'a word is a path' '../a 00\n' 1
refuses 'a word is too long' "$(printf %065d 1) 00\n" 1
refuses 'a word comes again' 'a 00\na 01\n' 2
refuses 'words descend' 'ab 00\na 01\n' 2
refuses 'the last line is cut' 'a 00\nb 01' 2
refuses 'a NUL is inside' 'a 00\\000\n' 1
if "$replay" missing.txt 2>/dev/null; then
    echo 'takes a corpus that is not there'
    exit 1
fi

mkdir unpacked
printf '# two\na 00ff0a\nb -\n' >whole.txt
"$replay" --unpack unpacked whole.txt
printf '\000\377\n' | cmp - unpacked/a
cmp /dev/null unpacked/b
"$replay" --unpack unpacked "$corpus"
[ "$(ls unpacked | wc -l)" -eq "$(($(grep -vc '^#' "$corpus") + 2))" ]
if "$replay" --unpack missing whole.txt 2>/dev/null; then
    echo 'unpacks into a folder that is not there'
    exit 1
fi
