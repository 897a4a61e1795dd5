# OpenJPEG::OpenJPEG: libopenjp2 (<openjpeg.h>), the reader of JPEG 2000. Its own configuration file wants its programs too.

find_path(OPENJPEG_INCLUDE_DIR openjpeg.h PATH_SUFFIXES openjpeg-2.5 openjpeg-2.4 openjpeg-2.3)
find_library(OPENJPEG_LIBRARY openjp2)
mark_as_advanced(OPENJPEG_INCLUDE_DIR OPENJPEG_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenJPEG REQUIRED_VARS OPENJPEG_LIBRARY OPENJPEG_INCLUDE_DIR)

if(OpenJPEG_FOUND AND NOT TARGET OpenJPEG::OpenJPEG)
    add_library(OpenJPEG::OpenJPEG UNKNOWN IMPORTED)
    set_target_properties(OpenJPEG::OpenJPEG PROPERTIES
        IMPORTED_LOCATION ${OPENJPEG_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OPENJPEG_INCLUDE_DIR})
endif()
