# The browser's build: how everything is compiled, and the libraries, from Debian's source packages, which scripts/web.sh
# lays into build/web/sources. Headers that need no compiling come from Debian's packages for the native build.

# Exceptions as JavaScript's: LLVM 14 keeps what WebAssembly's own need in one place for all threads.
add_compile_options(-pthread -msimd128 -msse2 -fexceptions $<$<COMPILE_LANGUAGE:CXX>:-isystem${PROJECT_SOURCE_DIR}/web/std>)
add_link_options(-pthread -fexceptions)

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

set(sources ${PROJECT_BINARY_DIR}/sources)

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

find_package(Threads REQUIRED)

texelscope_source_library(fmt ALIAS fmt::fmt
    SOURCES ${sources}/fmtlib/src/format.cc ${sources}/fmtlib/src/os.cc INCLUDE ${sources}/fmtlib/include)

file(GLOB muparser ${sources}/muparser/src/*.cpp)
list(FILTER muparser EXCLUDE REGEX "muParserDLL")
texelscope_source_library(muparser ALIAS muparser::muparser SOURCES ${muparser} INCLUDE ${sources}/muparser/include
    DEFINE MUPARSER_STATIC)
target_compile_definitions(muparser PUBLIC MUPARSER_STATIC)

if(BUILD_TESTING)
    set(googletest /usr/src/googletest)
    texelscope_source_library(gtest ALIAS GTest::gtest SOURCES ${googletest}/googletest/src/gtest-all.cc
        INCLUDE ${googletest}/googletest/include ${googletest}/googletest ${googletest}/googlemock/include)
    texelscope_source_library(gmock ALIAS GTest::gmock SOURCES ${googletest}/googlemock/src/gmock-all.cc
        INCLUDE ${googletest}/googlemock LINK gtest)
    texelscope_source_library(gtest_main ALIAS GTest::gtest_main SOURCES ${googletest}/googletest/src/gtest_main.cc LINK gtest)
    set(GTest_FOUND 1)
endif()
