# LCMS::LCMS: Little CMS (<lcms2.h>), colour profiles.

find_path(LCMS_INCLUDE_DIR lcms2.h)
find_library(LCMS_LIBRARY lcms2)
mark_as_advanced(LCMS_INCLUDE_DIR LCMS_LIBRARY)

if(LCMS_INCLUDE_DIR)  # 2140: 2.14
    file(STRINGS ${LCMS_INCLUDE_DIR}/lcms2.h version_line REGEX "^#define LCMS_VERSION +[0-9]+")
    string(REGEX MATCH "([0-9])([0-9][0-9])[0-9]" version_digits "${version_line}")
    set(LCMS_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LCMS REQUIRED_VARS LCMS_LIBRARY LCMS_INCLUDE_DIR VERSION_VAR LCMS_VERSION)

if(LCMS_FOUND AND NOT TARGET LCMS::LCMS)
    add_library(LCMS::LCMS UNKNOWN IMPORTED)
    set_target_properties(LCMS::LCMS PROPERTIES
        IMPORTED_LOCATION ${LCMS_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${LCMS_INCLUDE_DIR})
endif()
