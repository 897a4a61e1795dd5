# STB::STB: the headers of stb (<stb_image.h>) and the library that Debian compiles from them.

find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb)
find_library(STB_LIBRARY NAMES libstb.a stb)
mark_as_advanced(STB_INCLUDE_DIR STB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(STB REQUIRED_VARS STB_LIBRARY STB_INCLUDE_DIR)

if(STB_FOUND AND NOT TARGET STB::STB)
    add_library(STB::STB UNKNOWN IMPORTED)
    set_target_properties(STB::STB PROPERTIES
        IMPORTED_LOCATION ${STB_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${STB_INCLUDE_DIR}
        INTERFACE_LINK_LIBRARIES m)
endif()
