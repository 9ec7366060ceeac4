# SPDX-License-Identifier: MIT
# Embeds a folder of OpenCL C sources in one C file: what src/runtime/programs/kernels.h declares.
#
#   clslice_embed_kernels(FOLDER OUTPUT)                       a build rule that writes OUTPUT from FOLDER/*.cl
#   cmake -P embed_kernels.cmake OUTPUT KERNEL [KERNEL...]     what the rule runs
#
# The text travels as bytes: no character of a source needs escaping, and no string literal exceeds
# the 4095 characters that C11 promises. A NUL that `length` does not count ends each text.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(CLSLICE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

    function(clslice_embed_kernels folder output)
        # What is special in a pattern may be in the path of the folder.
        string(REGEX REPLACE "([][*?])" "[\\1]" in_pattern "${folder}")
        file(GLOB kernels CONFIGURE_DEPENDS "${in_pattern}/*.cl")
        if(NOT kernels)
            message(FATAL_ERROR "No OpenCL C source in ${folder}")
        endif()
        list(SORT kernels)
        # The names are in the command, so that a source that is gone runs it again, too.
        add_custom_command(
            OUTPUT ${output}
            COMMAND ${CMAKE_COMMAND} -P ${CLSLICE_EMBED_SCRIPT} ${output} ${kernels}
            DEPENDS ${kernels} ${CLSLICE_EMBED_SCRIPT}
            COMMENT "Embedding the kernels"
            VERBATIM)
    endfunction()
    return()
endif()

set(output ${CMAKE_ARGV3})
math(EXPR last "${CMAKE_ARGC} - 1")
set(texts "")
foreach(i RANGE 4 ${last})
    set(kernel ${CMAKE_ARGV${i}})
    cmake_path(GET kernel STEM LAST_ONLY name)
    string(MAKE_C_IDENTIFIER "${name}" symbol)
    file(READ ${kernel} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}00")
    string(REPEAT "....." 20 line)
    string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
    string(APPEND texts "\nstatic const unsigned char text_${symbol}[] = {\n    ${bytes}\n};\n"
        "const struct hash_part kernel_${symbol} = {text_${symbol}, sizeof text_${symbol} - 1};\n")
endforeach()

file(WRITE ${output}
"#include \"runtime/programs/kernels.h\"
${texts}")
