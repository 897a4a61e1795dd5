# WebP::WebP: libwebp and libwebpdemux (<webp/decode.h>, <webp/demux.h>), the reader of WebP.

find_path(WEBP_INCLUDE_DIR webp/demux.h)
find_library(WEBP_LIBRARY webp)
find_library(WEBP_DEMUX_LIBRARY webpdemux)
mark_as_advanced(WEBP_INCLUDE_DIR WEBP_LIBRARY WEBP_DEMUX_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WEBP_LIBRARY WEBP_DEMUX_LIBRARY WEBP_INCLUDE_DIR)

if(WebP_FOUND AND NOT TARGET WebP::WebP)
    add_library(WebP::WebP UNKNOWN IMPORTED)
    set_target_properties(WebP::WebP PROPERTIES
        IMPORTED_LOCATION ${WEBP_DEMUX_LIBRARY}
        INTERFACE_LINK_LIBRARIES ${WEBP_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${WEBP_INCLUDE_DIR})
endif()
