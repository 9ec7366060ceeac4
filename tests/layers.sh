#!/bin/sh
# SPDX-License-Identifier: MIT
# layers.sh ROOT: every line of ROOT/src that breaks the layer rule of src/README.md; fails if there is one.
set -eu
cd "$1/src"
find . -name '*.[ch]' | sed 's,^\./,,' | sort | xargs awk '
BEGIN {
    # A file of runtime/ may include what stands before it.
    split("config host_cpu entry folder cache cache_place cl_api held host_memory process discovery selector choice kernels device identity cache_care scratch_run binary_writer " \
          "program operator chain staging memory bind dispatch", names, " ")
    for (i in names)
        place[names[i]] = i + 0
    split("inttypes limits stdarg stdbool stddef stdint stdio string xxhash", names, " ")
    for (i in names)
        pure["<" names[i] ".h>"] = 1
}

function broken(why) {
    printf "src/%s:%d: %s: %s\n", FILENAME, FNR, why, $0
    failed = 1
}

function stem(path) {
    sub(/^.*\//, "", path)
    sub(/\..*$/, "", path)
    return path
}

function exists(path,    line, got) {
    got = (getline line < path) >= 0
    close(path)
    return got
}

function room_of(path) {
    return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : ""
}

function judge_runtime(target) {
    if (!(stem(target) in place))
        broken("has no place in the order of runtime/")
    else if (stem(target) != stem(FILENAME) && place[stem(target)] >= place[stem(FILENAME)])
        broken("runtime/" stem(target) " comes after runtime/" stem(FILENAME))
}

function judge_include(written,    target, to) {
    target = substr(written, 2, length(written) - 2)
    to = room_of(target)
    if (target ~ /\.\./)
        broken("leaves its folder")
    else if (target ~ /^clslice\/(clslice|directml)\.h$/)
        return
    else if (room == "cli" || room == "hosts") {
        if (to ~ /^(api|cli|core|hosts|runtime)$/ ||
            (written ~ /^"/ && (to != "" || !exists(folder target))))
            broken(room "/ uses include/ and its own folder only")
    } else if (to == "core")
        return
    else if (room == "core") {
        if (!(written in pure))
            broken("core/ is pure")
    } else if (to == "runtime" && room == "api")
        return
    else if (to == "runtime")
        judge_runtime(target)
    else if (written ~ /^"/ || to ~ /^(api|cli|hosts)$/)
        broken(room "/ does not see this")
}

function uses(text, names) {
    return text ~ ("(^|[^A-Za-z0-9_])(" names ")([^A-Za-z0-9_]|$)")
}

FNR == 1 {
    comment = 0
    room = room_of(FILENAME)
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    if (room !~ /^(api|cli|core|hosts|runtime)$/)
        broken("belongs to no room")
    if (room == "runtime" && !(stem(FILENAME) in place))
        broken("has no place in the order of runtime/")
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
    if (FILENAME != "runtime/config.c" && uses(code, "getenv|secure_getenv|environ"))
        broken("only runtime/config.c reads the environment")
    if (FILENAME != "runtime/cl_api.c" && uses(code, "dlopen|dlmopen"))
        broken("only runtime/cl_api.c opens libraries")
    if (uses(code, "(is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper))(_l)?|" \
                   "strn?casecmp|strcoll|strto(d|f|ld)|atof|setlocale"))
        broken("the host\047s locale changes this: see core/ascii.h")
    if (room != "cli" && code ~ /"[^"]*%[-+#0-9.*]*[aAeEfFgG]/)
        broken("the host\047s locale changes the decimal point")
    if (room ~ /^(api|core|runtime)$/ &&
        code ~ /(^|[^A-Za-z0-9_])(abort|exit|_exit|_Exit|quick_exit)[ \t]*\(/)
        broken("the library never ends the process")
}

END { exit failed }'
