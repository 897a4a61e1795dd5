# OIIO::OIIO: OpenImageIO. Debian's own OpenImageIOConfig.cmake cannot be used: it demands the command-line tools
# (and with them Qt) and names an OpenCV include directory that its packages do not bring. ImathConfig.cmake, which
# OpenImageIO's headers need, likewise demands Python modules.

find_path(OIIO_INCLUDE_DIR OpenImageIO/imageio.h)
find_library(OIIO_LIBRARY OpenImageIO)
find_library(OIIO_UTIL_LIBRARY OpenImageIO_Util)
find_path(IMATH_INCLUDE_DIR half.h PATH_SUFFIXES Imath)
find_library(IMATH_LIBRARY NAMES Imath Imath-3_1)
mark_as_advanced(OIIO_INCLUDE_DIR OIIO_LIBRARY OIIO_UTIL_LIBRARY IMATH_INCLUDE_DIR IMATH_LIBRARY)

if(EXISTS "${OIIO_INCLUDE_DIR}/OpenImageIO/oiioversion.h")
    file(STRINGS ${OIIO_INCLUDE_DIR}/OpenImageIO/oiioversion.h version_lines
        REGEX "^#define OIIO_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
    string(REGEX REPLACE "[^0-9;]" "" version_lines "${version_lines}")
    string(REPLACE ";" "." OIIO_VERSION "${version_lines}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OIIO
    REQUIRED_VARS OIIO_LIBRARY OIIO_UTIL_LIBRARY OIIO_INCLUDE_DIR IMATH_LIBRARY IMATH_INCLUDE_DIR
    VERSION_VAR OIIO_VERSION)

if(OIIO_FOUND AND NOT TARGET OIIO::OIIO)
    add_library(OIIO::OIIO UNKNOWN IMPORTED)
    set_target_properties(OIIO::OIIO PROPERTIES
        IMPORTED_LOCATION ${OIIO_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES "${OIIO_INCLUDE_DIR};${IMATH_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${OIIO_UTIL_LIBRARY};${IMATH_LIBRARY}")
endif()
