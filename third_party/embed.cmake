# Files in the program. texelscope_embed(TARGET FUNCTION ROOT files…) makes a library TARGET with FUNCTION() of
# app/files/bytes/embedded_files.h: the files by their paths below ROOT, as they are when built. It runs this file:
# cmake -D OUTPUT=x.cpp -D FUNCTION=name -D ROOT=folder -D FILES="a;b" -P embed.cmake
# texelscope_embed_binary(TARGET FUNCTION files…) does so with files that are no text, by their names.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    function(texelscope_embed target function root)
        set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
        set(script ${PROJECT_SOURCE_DIR}/third_party/embed.cmake)
        add_custom_command(OUTPUT ${output}
            COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D FUNCTION=${function} -D ROOT=${root} "-D FILES=${ARGN}"
                -P ${script}
            DEPENDS ${ARGN} ${script}
            COMMENT "Writing ${function}()"
            VERBATIM)
        texelscope_library(${target} SOURCES ${output})
    endfunction()

    # The assembler reads the files: a C++ literal of their size would take the compiler minutes.
    function(texelscope_embed_binary target function)
        set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
        set(bytes "")
        set(labels "")
        set(entries "")
        set(section ".section .rodata")
        set(text ".text")
        if(EMSCRIPTEN)
            set(text ".section .text,\"\",@")
            set(section ".section .rodata.texelscope,\"\",@")
        endif()
        foreach(file IN LISTS ARGN)
            get_filename_component(name ${file} NAME)
            string(MAKE_C_IDENTIFIER "texelscope_file_${name}" label)
            string(APPEND bytes "    ${section}\n    .hidden ${label}, ${label}_size\n    .globl ${label}, ${label}_size\n"
                "    .type ${label}, @object\n${label}:\n    .incbin \"${file}\"\n.L${label}_end:\n"
                "    .size ${label}, .L${label}_end-${label}\n    .balign 4\n"
                "    .type ${label}_size, @object\n${label}_size:\n    .4byte .L${label}_end-${label}\n    .size ${label}_size, 4\n")
            string(APPEND labels "extern \"C\" [[gnu::visibility(\"hidden\")]] const char ${label}[];\n"
                "extern \"C\" [[gnu::visibility(\"hidden\")]] const unsigned ${label}_size;\n")
            string(APPEND entries "        {\"${name}\", {${label}, ${label}_size}},\n")
        endforeach()
        file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[
// Written by third_party/embed.cmake. Do not edit.
#include "app/files/bytes/embedded_files.h"

#include <vector>

asm(R"(
@bytes@    @text@
)");
@labels@
namespace texelscope {

std::span<const EmbeddedFile> @function@() {
    static const std::vector<EmbeddedFile> files = {
@entries@    };
    return files;
}

}  // namespace texelscope
]])
        set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${ARGN}")
        texelscope_library(${target} SOURCES ${output})
    endfunction()
    return()
endif()

set(entries "")
foreach(file IN LISTS FILES)
    file(RELATIVE_PATH name ${ROOT} ${file})
    file(READ ${file} text)
    string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Written by third_party/embed.cmake. Do not edit.
#include "app/files/bytes/embedded_files.h"

namespace texelscope {

std::span<const EmbeddedFile> @FUNCTION@() {
    static const EmbeddedFile files[] = {
@entries@    };
    return files;
}

}  // namespace texelscope
]])
