# The browser's build: how everything is compiled, and the libraries, from Debian's source packages, which scripts/web.sh
# lays into build/web/sources. Headers that need no compiling come from Debian's packages for the native build.

# Exceptions as JavaScript's: LLVM 14 keeps what WebAssembly's own need in one place for all threads.
add_compile_options(-pthread -msimd128 -msse2 -fexceptions $<$<COMPILE_LANGUAGE:CXX>:-isystem${PROJECT_SOURCE_DIR}/web/std>)
add_link_options(-pthread -fexceptions)

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

set(sources ${PROJECT_BINARY_DIR}/sources)
set(headers ${PROJECT_BINARY_DIR}/headers)  # of /usr/include, without the system's own beside them
file(MAKE_DIRECTORY ${headers})

# texelscope_source_library(NAME SOURCES files… INCLUDE folders… DEFINE definitions…): alias NAME::NAME
function(texelscope_source_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ALIAS" "SOURCES;INCLUDE;DEFINE;LINK")
    add_library(${name} STATIC ${arg_SOURCES})
    target_compile_options(${name} PRIVATE -w)
    target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
    target_compile_definitions(${name} PRIVATE ${arg_DEFINE})
    target_link_libraries(${name} PUBLIC ${arg_LINK})
    add_library(${arg_ALIAS} ALIAS ${name})
endfunction()

function(texelscope_header_library alias)  # then what of /usr/include
    string(REPLACE "::" "_" name ${alias})
    add_library(${name} INTERFACE)
    foreach(part IN LISTS ARGN)
        if(NOT EXISTS /usr/include/${part})
            message(FATAL_ERROR "/usr/include/${part} is missing; scripts/web.sh installs what is needed")
        endif()
        file(CREATE_LINK /usr/include/${part} ${headers}/${part} SYMBOLIC)
    endforeach()
    target_include_directories(${name} SYSTEM INTERFACE ${headers})
    add_library(${alias} ALIAS ${name})
endfunction()

find_package(Threads REQUIRED)
set(TEXELSCOPE_WITH_OIIO 0)

texelscope_source_library(fmt ALIAS fmt::fmt
    SOURCES ${sources}/fmtlib/src/format.cc ${sources}/fmtlib/src/os.cc INCLUDE ${sources}/fmtlib/include)

file(GLOB muparser ${sources}/muparser/src/*.cpp)
list(FILTER muparser EXCLUDE REGEX "muParser(DLL|Test)")
texelscope_source_library(muparser ALIAS muparser::muparser SOURCES ${muparser} INCLUDE ${sources}/muparser/include
    DEFINE MUPARSER_STATIC)
target_compile_definitions(muparser PUBLIC MUPARSER_STATIC)

# The window's: GLFW is web/glfw.cpp, OpenGL is WebGL 2 under its native names, in web/include.
texelscope_header_library(GLFW::headers GLFW)
add_library(glfw INTERFACE)
target_link_libraries(glfw INTERFACE GLFW::headers)
target_include_directories(glfw SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/web/include)
target_link_options(glfw INTERFACE -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
add_library(glad ALIAS glfw)
add_library(X11 INTERFACE)
add_library(X11::X11 ALIAS X11)

texelscope_header_library(nlohmann_json::nlohmann_json nlohmann)
texelscope_header_library(CLI11::CLI11 CLI)
texelscope_header_library(KissFFT::KissFFT kissfft)
target_include_directories(KissFFT_KissFFT SYSTEM INTERFACE ${headers}/kissfft)

file(CONFIGURE OUTPUT ${headers}/stb_image.c CONTENT
    "#define STB_IMAGE_IMPLEMENTATION\n#define STB_IMAGE_WRITE_IMPLEMENTATION\n#include <stb_image.h>\n#include <stb_image_write.h>\n")
texelscope_header_library(STB::headers stb)
texelscope_source_library(stb ALIAS STB::STB SOURCES ${headers}/stb_image.c INCLUDE ${headers} ${headers}/stb LINK STB::headers)

file(GLOB zlib ${sources}/zlib/*.c)
texelscope_source_library(zlib ALIAS ZLIB::ZLIB SOURCES ${zlib} INCLUDE ${sources}/zlib DEFINE HAVE_UNISTD_H)

file(GLOB png ${sources}/libpng1.6/png*.c)
list(FILTER png EXCLUDE REGEX "pngtest")
configure_file(${sources}/libpng1.6/scripts/pnglibconf.h.prebuilt ${headers}/png/pnglibconf.h COPYONLY)
texelscope_source_library(png ALIAS PNG::PNG SOURCES ${png} INCLUDE ${sources}/libpng1.6 ${headers}/png LINK zlib)

file(GLOB lcms ${sources}/lcms2/src/*.c)
texelscope_source_library(lcms ALIAS LCMS::LCMS SOURCES ${lcms} INCLUDE ${sources}/lcms2/include)

block(SCOPE_FOR VARIABLES)
    set(jpeg ${sources}/libjpeg-turbo)
    file(STRINGS ${jpeg}/CMakeLists.txt VERSION REGEX "^set\\(VERSION ")
    string(REGEX MATCH "([0-9]+)\\.([0-9]+)\\.([0-9]+)" VERSION "${VERSION}")
    math(EXPR LIBJPEG_TURBO_VERSION_NUMBER "1000000 * ${CMAKE_MATCH_1} + 1000 * ${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}")
    set(JPEG_LIB_VERSION 62)
    set(D_ARITH_CODING_SUPPORTED 1)
    set(C_ARITH_CODING_SUPPORTED 1)
    set(MEM_SRCDST_SUPPORTED 1)
    set(BITS_IN_JSAMPLE 8)
    set(INLINE "inline __attribute__((always_inline))")
    set(THREAD_LOCAL __thread)
    set(SIZE_T 4)
    set(HAVE_BUILTIN_CTZL 1)
    foreach(header jconfig.h jconfigint.h jversion.h)
        configure_file(${jpeg}/${header}.in ${headers}/jpeg/${header})
    endforeach()
    # Its own list: the files of the library itself.
    file(READ ${jpeg}/CMakeLists.txt text)
    string(REGEX MATCH "set\\(JPEG_SOURCES ([^)]*)\\)" text "${text}")
    string(REGEX REPLACE "[ \n]+" ";" files "${CMAKE_MATCH_1};jaricom.c;jcarith.c;jdarith.c;jsimd_none.c")
    list(TRANSFORM files PREPEND ${jpeg}/)
    texelscope_source_library(jpeg_turbo ALIAS JPEG::JPEG SOURCES ${files} INCLUDE ${headers}/jpeg ${jpeg})
endblock()

file(GLOB webp ${sources}/libwebp/src/dec/*.c ${sources}/libwebp/src/demux/*.c ${sources}/libwebp/src/dsp/*.c
    ${sources}/libwebp/sharpyuv/*.c ${sources}/libwebp/src/enc/*.c ${sources}/libwebp/src/mux/*.c ${sources}/libwebp/src/utils/*.c)
texelscope_source_library(webp ALIAS WebP::WebP SOURCES ${webp} INCLUDE ${sources}/libwebp ${sources}/libwebp/src)
set(WEBP_FOUND 1)

# Of FreeType what outlines of Inter and JetBrains Mono need.
set(freetype_modules "")
foreach(class Module_Class:autofit_module Driver_ClassRec:tt_driver Driver_ClassRec:cff_driver Module_Class:psaux_module
        Module_Class:psnames_module Module_Class:pshinter_module Module_Class:sfnt_module Renderer_Class:ft_smooth_renderer)
    string(REGEX REPLACE "(.*):(.*)" "FT_USE_MODULE( FT_\\1, \\2_class )\n" line ${class})
    string(APPEND freetype_modules ${line})
endforeach()
file(CONFIGURE OUTPUT ${headers}/freetype/modules.h CONTENT "${freetype_modules}")
set(freetype ${sources}/freetype/src)
set(files base/ftsystem.c base/ftinit.c base/ftdebug.c base/ftbase.c base/ftbitmap.c base/ftglyph.c base/ftbbox.c base/ftmm.c
    base/ftsynth.c autofit/autofit.c truetype/truetype.c cff/cff.c psaux/psaux.c psnames/psmodule.c pshinter/pshinter.c
    sfnt/sfnt.c smooth/smooth.c gzip/ftgzip.c)
list(TRANSFORM files PREPEND ${freetype}/)
texelscope_source_library(freetype ALIAS Freetype::Freetype SOURCES ${files}
    INCLUDE ${sources}/freetype/include ${headers}/freetype DEFINE FT2_BUILD_LIBRARY FT_CONFIG_OPTION_SYSTEM_ZLIB FT_CONFIG_MODULES_H=<modules.h> LINK zlib)

set(imgui ${sources}/imgui)
texelscope_source_library(imgui ALIAS ImGui::ImGui
    SOURCES ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
        ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/misc/freetype/imgui_freetype.cpp
        ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp
    INCLUDE ${imgui} ${imgui}/misc/cpp ${imgui}/misc/freetype ${imgui}/backends LINK freetype stb glfw)
target_compile_options(imgui PRIVATE -fno-exceptions)

if(BUILD_TESTING)
    set(googletest /usr/src/googletest)
    texelscope_source_library(gtest ALIAS GTest::gtest SOURCES ${googletest}/googletest/src/gtest-all.cc
        INCLUDE ${googletest}/googletest/include ${googletest}/googletest ${googletest}/googlemock/include)
    texelscope_source_library(gmock ALIAS GTest::gmock SOURCES ${googletest}/googlemock/src/gmock-all.cc
        INCLUDE ${googletest}/googlemock LINK gtest)
    texelscope_source_library(gtest_main ALIAS GTest::gtest_main SOURCES ${googletest}/googletest/src/gtest_main.cc LINK gtest)
    set(GTest_FOUND 1)
endif()
