# Libheif::Libheif: libheif (<libheif/heif.h>), the reader of HEIF and AVIF.

find_path(LIBHEIF_INCLUDE_DIR libheif/heif.h)
find_library(LIBHEIF_LIBRARY heif)
mark_as_advanced(LIBHEIF_INCLUDE_DIR LIBHEIF_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libheif REQUIRED_VARS LIBHEIF_LIBRARY LIBHEIF_INCLUDE_DIR)

if(Libheif_FOUND AND NOT TARGET Libheif::Libheif)
    add_library(Libheif::Libheif UNKNOWN IMPORTED)
    set_target_properties(Libheif::Libheif PROPERTIES
        IMPORTED_LOCATION ${LIBHEIF_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${LIBHEIF_INCLUDE_DIR})
endif()
