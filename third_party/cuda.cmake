# Finds nvcc and switches CUDA on or off.
# Sets TEXELSCOPE_WITH_CUDA (0 or 1) and TEXELSCOPE_CUDA_REASON (one line for the summary).

set(TEXELSCOPE_WITH_CUDA 0)
set(cuda_min 12.0)  # the first nvcc that speaks C++20
set(cuda_advice "install NVIDIA's CUDA Toolkit ${cuda_min} or newer (13.0 is what we test), then configure again; \
if nvcc is in an unusual place, pass -DCMAKE_CUDA_COMPILER=/path/to/nvcc")

if(TEXELSCOPE_CUDA STREQUAL "AUTO" OR TEXELSCOPE_CUDA)
    find_program(TEXELSCOPE_NVCC nvcc
        HINTS ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin
        PATHS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(TEXELSCOPE_NVCC)
    set(nvcc ${TEXELSCOPE_NVCC})
    if(CMAKE_CUDA_COMPILER)
        set(nvcc ${CMAKE_CUDA_COMPILER})
    endif()

    if(nvcc)
        execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
        string(REGEX MATCH "V([0-9]+\\.[0-9]+\\.[0-9]+)" _ "${nvcc_says}")
        set(nvcc_version ${CMAKE_MATCH_1})
    endif()

    if(NOT nvcc)
        set(TEXELSCOPE_CUDA_REASON "no nvcc found; ${cuda_advice}")
    elseif(NOT nvcc_version OR nvcc_version VERSION_LESS cuda_min)
        set(TEXELSCOPE_CUDA_REASON "${nvcc} is version ${nvcc_version}, too old; ${cuda_advice}")
    else()
        if(NOT CMAKE_CUDA_COMPILER)
            unset(CMAKE_CUDA_COMPILER CACHE)  # forget an earlier failure
            set(ENV{CUDACXX} ${nvcc})
        endif()
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
            # Where there is a GPU, it is the one to build for. Elsewhere code for one virtual architecture, which the
            # driver compiles for whatever GPU it meets: every real one takes minutes. Packages: preset `package`.
            find_program(TEXELSCOPE_NVIDIA_SMI nvidia-smi)
            mark_as_advanced(TEXELSCOPE_NVIDIA_SMI)
            if(TEXELSCOPE_NVIDIA_SMI)
                execute_process(COMMAND ${TEXELSCOPE_NVIDIA_SMI} -L RESULT_VARIABLE gpu_answers OUTPUT_VARIABLE gpus ERROR_QUIET)
            endif()
            if(TEXELSCOPE_NVIDIA_SMI AND gpu_answers EQUAL 0 AND gpus MATCHES "GPU 0")
                set(CMAKE_CUDA_ARCHITECTURES native CACHE STRING "CUDA architectures; this machine's: native, any GPU's: 75-virtual")
            else()
                set(CMAKE_CUDA_ARCHITECTURES 75-virtual CACHE STRING
                    "CUDA architectures; any GPU's: 75-virtual, this machine's: native, real code for one as well: 75-virtual;89-real")
            endif()
        endif()
        include(CheckLanguage)
        check_language(CUDA)
        if(CMAKE_CUDA_COMPILER)
            enable_language(CUDA)
            if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # nvcc 12 and newer have it, CMake 3.25 does not know
                set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
                set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
            endif()
            find_package(CUDAToolkit ${cuda_min} REQUIRED)
            set(TEXELSCOPE_WITH_CUDA 1)
            set(TEXELSCOPE_CUDA_REASON "nvcc ${nvcc_version}")
        else()
            set(TEXELSCOPE_CUDA_REASON "${nvcc} cannot compile a test program with this host compiler")
        endif()
    endif()

    if(NOT TEXELSCOPE_WITH_CUDA AND NOT TEXELSCOPE_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "TEXELSCOPE_CUDA=${TEXELSCOPE_CUDA}, but ${TEXELSCOPE_CUDA_REASON}")
    endif()
else()
    set(TEXELSCOPE_CUDA_REASON "TEXELSCOPE_CUDA=${TEXELSCOPE_CUDA}")
endif()
