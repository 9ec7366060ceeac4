# SPDX-License-Identifier: MIT
# clslice_warnings: what every C target of the project is compiled with. Only flags that GCC and
# clang share; CMAKE_COMPILE_WARNING_AS_ERROR makes them errors.
add_library(clslice_warnings INTERFACE)
target_compile_options(clslice_warnings INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wcast-qual
    -Wconversion
    -Wdouble-promotion
    -Wformat=2
    -Wmissing-prototypes
    -Wold-style-definition
    -Wpointer-arith
    -Wredundant-decls
    -Wshadow
    -Wstrict-prototypes
    -Wundef
    -Wvla
    -Wwrite-strings
    -Wno-psabi) # i386: how compilers before ours aligned atomics
