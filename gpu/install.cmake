# The library for other projects: one shared library with all methods, its headers, and find_package(texelscope).

add_library(texelscope_library SHARED $<TARGET_OBJECTS:texelscope_methods> $<TARGET_OBJECTS:texelscope_c>)
set_target_properties(texelscope_library PROPERTIES
    OUTPUT_NAME texelscope EXPORT_NAME gpu LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(texelscope_library INTERFACE cxx_std_20)
# Every object, not only those that another one needs: callers reach all of the interface.
target_link_libraries(texelscope_library PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,texelscope_engine>)

include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
include(CMakePackageConfigHelpers)
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/texelscope)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/texelscope)

# texelscope.h and what it includes. `#include "gpu/…"` inside them is found from the same folder.
install(FILES texelscope.h c/texelscope_c.h DESTINATION ${header_folder})
foreach(header
        core/address.h core/colour.h core/errors.h core/image.h core/machine.h core/names.h core/platform.h
        core/tile_source.h core/view.h
        weights/inverse_filter.h
        method/method_info.h method/resample_job.h method/spec.h
        display/colour_conversion.h display/display.h
        compare/error_map.h compare/metrics.h
        backend/backend.h backend/interfaces.h backend/memory_budget.h
        backend/request.h backend/source_image.h
        tiles/tile_cache.h tiles/tiled_image.h)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${header_folder}/gpu/${folder})
endforeach()

install(TARGETS texelscope_library EXPORT texelscope-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${header_folder})
install(EXPORT texelscope-targets NAMESPACE texelscope:: DESTINATION ${package_folder})
configure_package_config_file(texelscope-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/texelscope-config.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/texelscope-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/texelscope-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/texelscope-config-version.cmake
    DESTINATION ${package_folder})
