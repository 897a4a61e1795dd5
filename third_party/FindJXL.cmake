# JXL::JXL: libjxl (<jxl/decode.h>), the reader of JPEG XL.

find_path(JXL_INCLUDE_DIR jxl/decode.h)
find_library(JXL_LIBRARY jxl)
mark_as_advanced(JXL_INCLUDE_DIR JXL_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(JXL REQUIRED_VARS JXL_LIBRARY JXL_INCLUDE_DIR)

if(JXL_FOUND AND NOT TARGET JXL::JXL)
    add_library(JXL::JXL UNKNOWN IMPORTED)
    set_target_properties(JXL::JXL PROPERTIES
        IMPORTED_LOCATION ${JXL_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${JXL_INCLUDE_DIR})
endif()
