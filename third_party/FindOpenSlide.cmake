# OpenSlide::OpenSlide: libopenslide (<openslide/openslide.h>), the reader of whole-slide images.

find_path(OPENSLIDE_INCLUDE_DIR openslide/openslide.h)
find_library(OPENSLIDE_LIBRARY openslide)
mark_as_advanced(OPENSLIDE_INCLUDE_DIR OPENSLIDE_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenSlide REQUIRED_VARS OPENSLIDE_LIBRARY OPENSLIDE_INCLUDE_DIR)

if(OpenSlide_FOUND AND NOT TARGET OpenSlide::OpenSlide)
    add_library(OpenSlide::OpenSlide UNKNOWN IMPORTED)
    set_target_properties(OpenSlide::OpenSlide PROPERTIES
        IMPORTED_LOCATION ${OPENSLIDE_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OPENSLIDE_INCLUDE_DIR})
endif()
