# After a test program is built: writes a CTest file with one test for each of its suites. A process for every single
# test would spend more time starting than testing; there are thousands.
#     cmake -DPROGRAM=test_engine -DGROUP=engine -DLABEL=unit -DFOR_A_MERGE=regex -DOUTPUT=file -P list_suites.cmake

cmake_minimum_required(VERSION 3.25)
list(REMOVE_ITEM PROGRAM "")
list(JOIN PROGRAM "]=] [=[" command)
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n][^\n#]*\\.( |\n)" suites "${list}")
set(tests "")
foreach(suite IN LISTS suites)
    string(REGEX REPLACE "[\n .]" "" suite "${suite}")
    set(label ${LABEL})
    # Each computes on every processor: two at a time, with threads that do not spin while they wait for the others.
    set(properties "TIMEOUT 900 PROCESSORS 2 ENVIRONMENT OMP_WAIT_POLICY=passive")
    if(suite MATCHES "^Cuda/")  # one device; without one every case reports it and the suite counts as skipped
        set(label gpu)
        string(APPEND properties " RUN_SERIAL TRUE SKIP_REGULAR_EXPRESSION \"no CUDA here\"")
    elseif(suite MATCHES "Slow" OR NOT suite MATCHES "^(${FOR_A_MERGE})$")
        string(APPEND label -slow)
        string(APPEND properties " COST 100")  # these begin first
    endif()
    if(LABEL STREQUAL "gui")  # Mesa's drivers leak, and are unloaded before a suppression could name them
        string(APPEND properties " ENVIRONMENT_MODIFICATION ASAN_OPTIONS=path_list_append:detect_leaks=0"
            " SKIP_REGULAR_EXPRESSION \"no virtual X server|no xdotool\"")
    endif()
    string(APPEND tests "add_test([=[${GROUP}.${suite}]=] [=[${command}]=] [=[--gtest_filter=${suite}.*]=])\n"
        "set_tests_properties([=[${GROUP}.${suite}]=] PROPERTIES LABELS ${label} ${properties})\n")
endforeach()
file(WRITE ${OUTPUT} "${tests}")
