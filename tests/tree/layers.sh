#!/bin/sh
# SPDX-License-Identifier: MIT
# layers.sh ROOT: every line of ROOT/src that breaks the layer rule of src/README.md, then circles
# between files; fails if there is one. A unit is a .c file with its header.
set -eu
cd "$1/src"
find . -name '*.[ch]' | sed 's,^\./,,' | sort >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT
xargs awk '
BEGIN {
    # A room, and those that it may look into besides itself. An adapter is a room of its own.
    sees["base"] = ""
    sees["core"] = sees["cache"] = sees["opencl"] = " base "
    sees["runtime"] = " base core cache opencl "
    sees["api"] = " base core cache opencl runtime "
    sees["conformance"] = ""
    sees["cli"] = " conformance "
    split("base/ascii base/checked base/status base/structs base/text", names, " ")
    for (i in names)
        pure["\"" names[i] ".h\""] = 1
    split("inttypes limits stdarg stdbool stddef stdint stdio string", names, " ")
    for (i in names)
        pure["<" names[i] ".h>"] = 1
}

function broken(why) {
    printf "src/%s:%d: %s: %s\n", FILENAME, FNR, why, $0
    failed = 1
}

function exists(path,    line, got) {
    got = (getline line < path) >= 0
    close(path)
    return got
}

function room_of(path) {
    if (path ~ /^adapters\/[^\/]*\//)
        return substr(path, 1, index(substr(path, 10), "/") + 8)
    return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : ""
}

function judge_include(written,    target, to) {
    target = substr(written, 2, length(written) - 2)
    to = room_of(target)
    if (target ~ /\.\./)
        broken("leaves its folder")
    else if (target ~ /^clslice\/[a-z_]+\.h$/)
        return
    else if (room ~ /^adapters\//) {
        if (to in sees || (written ~ /^"/ && (to != "" || !exists(folder target))))
            broken(room " uses include/ and its own folder only")
    } else if (room == "core" && to != "core") {
        if (!(written in pure))
            broken("core/ is pure")
    } else if (room ~ /^(base|cache|core)$/ && to == "CL")
        broken(room "/ knows no OpenCL")
    else if (to in sees) {
        if (to != room && !index(sees[room], " " to " "))
            broken(room "/ does not look into " to "/")
        else if (written ~ /^</ || !exists(target))
            broken("there is no such file")
    } else if (written ~ /^"/)
        broken("is in no room")
}

function uses(text, names) {
    return text ~ ("(^|[^A-Za-z0-9_])(" names ")([^A-Za-z0-9_]|$)")
}

FNR == 1 {
    comment = 0
    room = room_of(FILENAME)
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    if (!(room in sees) && room !~ /^adapters\//)
        broken("belongs to no room")
}

{
    code = ""
    rest = $0
    while (rest != "") {
        at = index(rest, comment ? "*/" : "/*")
        if (!comment)
            code = code (at ? substr(rest, 1, at - 1) " " : rest)
        if (!at)
            break
        rest = substr(rest, at + 2)
        comment = !comment
    }
    sub(/\/\/.*$/, "", code)
    if (match(code, /^[ \t]*#[ \t]*include[ \t]*/)) {
        written = substr(code, RLENGTH + 1)
        sub(/[ \t]+$/, "", written)
        judge_include(written)
        next
    }
    if (FILENAME != "base/environment.c" && uses(code, "getenv|secure_getenv|environ"))
        broken("only base/environment.c reads the environment")
    if (FILENAME != "opencl/cl_api.c" && uses(code, "dlopen|dlmopen"))
        broken("only opencl/cl_api.c opens libraries")
    if (uses(code, "(is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper))(_l)?|" \
                   "strn?casecmp|strcoll|strto(d|f|ld)|atof|setlocale"))
        broken("the host\047s locale changes this: see base/ascii.h")
    if (room !~ /^(cli|conformance)$/ && code ~ /"[^"]*%[-+#0-9.*]*[aAeEfFgG]/)
        broken("the host\047s locale changes the decimal point")
    if (room !~ /^cli$/ && code ~ /(^|[^A-Za-z0-9_])(abort|exit|_exit|_Exit|quick_exit)[ \t]*\(/)
        broken("the library never ends the process")
}

END { exit failed }' <"${TMPDIR:-/tmp}/layers.$$"
# Edges from unit to unit, both ways of naming a header: from src/, or beside the file.
circles=$(xargs awk '
function stem(path) {
    sub(/\.[ch]$/, "", path)
    return path
}
match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/) {
    split($0, part, "\"")
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    target = part[2] ~ /\// ? part[2] : folder part[2]
    if (stem(target) != stem(FILENAME))
        print stem(FILENAME), stem(target)
}' <"${TMPDIR:-/tmp}/layers.$$" | sort -u | tsort 2>&1 >/dev/null |
    sed -n 's,^tsort: \([^-]*\)$,src/\1,p') || true
[ -z "$circles" ] || { printf 'a circle of files:\n%s\n' "$circles"; exit 1; }
