# Installs the library, builds the examples against only the installed tree, runs them.
#     cmake -DBUILD=build/release -DEXAMPLES=examples -DWORK=folder -DGENERATOR=Ninja -P check_package.cmake

cmake_minimum_required(VERSION 3.25)

function(run what)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${what} ended with ${status}:\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run("the installation" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
run("configuring the examples" ${CMAKE_COMMAND} -S ${EXAMPLES} -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/installed -DCMAKE_BUILD_TYPE=Release)
run("building the examples" ${CMAKE_COMMAND} --build ${WORK}/build)

# Nothing of the source tree may be needed: the headers that were included are the installed ones.
file(GLOB_RECURSE headers RELATIVE ${WORK}/installed ${WORK}/installed/*.h)
if(NOT "include/texelscope/texelscope.h" IN_LIST headers)
    message(FATAL_ERROR "texelscope.h was not installed, but: ${headers}")
endif()

run("first_steps" ${WORK}/build/first_steps)
message("${output}")
# Catmull–Rom through this smooth pattern is accurate to 1 %: the output must say so.
string(REGEX MATCHALL "at \\([^)]*\\): [-0-9.]+, the function itself: [-0-9.]+" lines "${output}")
list(LENGTH lines count)
if(NOT count EQUAL 3)
    message(FATAL_ERROR "first_steps printed ${count} values, not 3")
endif()
foreach(line IN LISTS lines)
    string(REGEX MATCH ": [-]?([0-9]+)\\.([0-9]+), the function itself: [-]?([0-9]+)\\.([0-9]+)" _ "${line}")
    math(EXPR difference "${CMAKE_MATCH_1}${CMAKE_MATCH_2} - ${CMAKE_MATCH_3}${CMAKE_MATCH_4}")
    if(difference GREATER 100 OR difference LESS -100)
        message(FATAL_ERROR "interpolated and true value differ: ${line}")
    endif()
endforeach()

run("complex_field" ${WORK}/build/complex_field)
message("${output}")
# From method to method the error falls by its order.
string(REGEX MATCHALL "e-0[0-9]\n" exponents "${output}")
if(NOT "${exponents}" STREQUAL "e-02\n;e-02\n;e-04\n;e-05\n;e-07\n")
    message(FATAL_ERROR "the errors of nearest, bilinear, Catmull-Rom, cubic and quintic B-spline are not as expected")
endif()

run("c_interface" ${WORK}/build/c_interface)
message("${output}")
# The picture is a formula, of which the small one has the values between samples, to rounding and what Lanczos leaves.
if(NOT output MATCHES "sample 139 139, between it and 132: 135.50\n" OR NOT output MATCHES "an error: unknown method 'lanczos5'")
    message(FATAL_ERROR "c_interface printed other values")
endif()

if(EXISTS ${WORK}/build/device_memory)
    run("device_memory" ${WORK}/build/device_memory)
    message("${output}")
endif()
