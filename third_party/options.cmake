# How our own code is compiled: warnings, floating point, sanitizers; and texelscope_library().

# Warnings, as errors, for our targets only. nvcc hands them to the host compiler; -Wpedantic trips over its output.
add_library(texelscope_warnings INTERFACE)
set(warnings -Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wcast-align)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms inside std::string (GCC's bug 105651) and std::variant (105593 and its like).
    list(APPEND warnings -Wno-restrict -Wno-maybe-uninitialized)
endif()
list(JOIN warnings "," nvcc_host_warnings)
target_compile_options(texelscope_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>"
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>  # names at file scope are seen by the next file there
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${nvcc_host_warnings}>")
if(TEXELSCOPE_WERROR)
    target_compile_options(texelscope_warnings INTERFACE
        $<$<COMPILE_LANGUAGE:CXX>:-Werror>
        "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
endif()

# Floating point means the same in every build: no fast-math, no contraction on the host (FMA only where written).
# -fno-math-errno and -fno-trapping-math change no value; they let loops vectorise.
set(float_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
list(JOIN float_options "," nvcc_float_options)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${float_options}>")

if(TEXELSCOPE_WITH_CUDA)
    add_compile_options(
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${nvcc_float_options}>
        $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
        $<$<COMPILE_LANGUAGE:CUDA>:--threads=0>)  # the architectures of one file in parallel
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

if(TEXELSCOPE_SANITIZE)
    if(TEXELSCOPE_WITH_CUDA)
        message(FATAL_ERROR "TEXELSCOPE_SANITIZE=ON needs TEXELSCOPE_CUDA=OFF (as the preset 'sanitize' has it)")
    endif()
    set(sanitizers -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
    # Its check of calls through pointers takes a module's own, hidden descriptions of types for other types.
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
        list(APPEND sanitizers -fno-sanitize=function)
    endif()
    add_compile_options(${sanitizers} -fno-omit-frame-pointer -O2 -g1)
    add_link_options(${sanitizers})
endif()

if(TEXELSCOPE_SANITIZE_THREADS)
    if(TEXELSCOPE_SANITIZE OR TEXELSCOPE_OPENMP OR TEXELSCOPE_WITH_CUDA)
        message(FATAL_ERROR "TEXELSCOPE_SANITIZE_THREADS=ON needs TEXELSCOPE_OPENMP=OFF, whose locks it does not see, "
            "TEXELSCOPE_CUDA=OFF and no other sanitizer (as the preset 'threads' has it)")
    endif()
    add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -O1 -g1)
    add_link_options(-fsanitize=thread)
endif()

# texelscope_library(NAME [OBJECT] SOURCES files… [LINK targets…] [LINK_PRIVATE targets…])
# A static (or OBJECT) library of ours: warnings on, includes written from the project's root.
function(texelscope_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "OBJECT" "" "SOURCES;LINK;LINK_PRIVATE")
    set(kind STATIC)
    if(arg_OBJECT)
        set(kind OBJECT)
    endif()
    add_library(${name} ${kind} ${arg_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE texelscope_warnings ${arg_LINK_PRIVATE})
endfunction()

# texelscope_together(TARGET): its sources are compiled a dozen at a time; names at file scope must then differ.
function(texelscope_together target)
    if(TEXELSCOPE_TOGETHER)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    endif()
endfunction()

# texelscope_precompile(TARGET [HEADERS…]) or (TARGET REUSE_FROM OTHER): precompiles, privately, what most files of the
# program and of its tests include, and the headers named. It must stay invisible: every file includes what it uses, and
# everything builds without this as well (CMAKE_DISABLE_PRECOMPILE_HEADERS=ON).
function(texelscope_precompile target)
    if(ARGV1 STREQUAL "REUSE_FROM")
        target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    else()
        target_precompile_headers(${target} PRIVATE
            <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio> <cstring> <filesystem> <fstream> <functional> <limits>
            <map> <memory> <optional> <set> <span> <string> <string_view> <thread> <utility> <variant> <vector>
            <fmt/format.h> <fmt/ranges.h> ${PROJECT_SOURCE_DIR}/gpu/backend/backend.h ${ARGN})
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
        # False alarms that libstdc++ switches off by pragmas, which GCC forgets in a precompiled header.
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
endfunction()
