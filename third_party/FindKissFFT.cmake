# KissFFT::KissFFT: the header of KISS FFT for C++ (<kissfft.hh>), which needs no library.

find_path(KISSFFT_INCLUDE_DIR kissfft.hh PATH_SUFFIXES kissfft)
mark_as_advanced(KISSFFT_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KissFFT REQUIRED_VARS KISSFFT_INCLUDE_DIR)

if(KissFFT_FOUND AND NOT TARGET KissFFT::KissFFT)
    add_library(KissFFT::KissFFT INTERFACE IMPORTED)
    set_target_properties(KissFFT::KissFFT PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${KISSFFT_INCLUDE_DIR})
endif()
