# cpack -G DEB, in the build folder: texelscope (the program), libtexelscope-dev (library, headers, find_package) and
# python3-texelscope (the Python package on the library). The preset "package" builds for every major GPU; what the packages depend on is found by dpkg-shlibdeps.

set(TEXELSCOPE_PACKAGE_CONTACT "texelscope maintainers <maintainers@users.noreply.github.com>" CACHE STRING
    "Maintainer of the Debian packages, as NAME <ADDRESS>")

include(GNUInstallDirs)
# What Debian wants beside the files of a package: its copyright and its changes.
string(TIMESTAMP built "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(documents ${PROJECT_BINARY_DIR}/package)
file(CONFIGURE OUTPUT ${documents}/copyright @ONLY CONTENT [[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: texelscope
Comment: No licence has been granted so far. All rights are with the authors of texelscope; ask them before you
 copy or change it. The fonts in the program are under the SIL Open Font License 1.1, see
 fonts-inter and fonts-jetbrains-mono.

Files: *
Copyright: 2026 the authors of texelscope
License: none-granted
 No licence has been granted so far.
]])
file(CONFIGURE OUTPUT ${documents}/changelog @ONLY CONTENT [[
texelscope (@PROJECT_VERSION@) unstable; urgency=medium

  * Built from the sources of version @PROJECT_VERSION@; their history tells what changed.

 -- @TEXELSCOPE_PACKAGE_CONTACT@  @built@
]])
execute_process(COMMAND gzip -9nkf changelog WORKING_DIRECTORY ${documents})
foreach(pair IN ITEMS program:texelscope library:libtexelscope-dev python:python3-texelscope)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 component)
    list(GET pair 1 package)
    install(FILES ${documents}/copyright ${documents}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT ${TEXELSCOPE_PACKAGE_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # it would be the first line of both; each description begins with its own

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME texelscope)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libgl1-mesa-dri, shared-mime-info, desktop-file-utils")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, xclip | wl-clipboard")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "image viewer that shows what interpolation really does
texelscope zooms with 29 interpolation methods, from nearest to the septic
B-spline, live and exactly, on the GPU or on the CPU. It compares up
to sixteen of them side by side, with errors, differences and times, finds out
which one restores a picture best, and teaches with lessons and experiments.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtexelscope-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
file(WRITE ${documents}/libtexelscope-dev [[
# The interface is not stable yet: library and headers of one version belong together, in one package.
libtexelscope-dev: link-to-shared-library-in-wrong-package
libtexelscope-dev: package-name-doesnt-match-sonames
# CPack writes these scripts for every shared library; the trigger alone would do.
libtexelscope-dev: maintscript-calls-ldconfig
]])
install(FILES ${documents}/libtexelscope-dev DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT library)
file(WRITE ${documents}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${documents}/triggers)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "interpolation methods of texelscope, as a C++ library
Shared library, headers and CMake package: nearest, linear, B-spline,
Catmull-Rom, Lanczos and other methods for images and signals, at arbitrary
points, on the CPU and on NVIDIA GPUs.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-texelscope)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "libtexelscope-dev (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy (>= 1:1.22)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "texelscope, python3-matplotlib, python3-pandas, python3-ipywidgets, python3-tqdm")
foreach(script IN ITEMS postinst:py3compile prerm:py3clean)  # as dh_python3 writes them
    string(REPLACE ":" ";" script ${script})
    list(GET script 0 name)
    list(GET script 1 command)
    file(WRITE ${documents}/python/${name} "#!/bin/sh
set -e
if command -v ${command} >/dev/null 2>&1; then
    ${command} -p python3-texelscope
fi
")
    file(CHMOD ${documents}/python/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${documents}/python/postinst ${documents}/python/prerm)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "interpolation methods of texelscope, for Python 3
Resizes, rotates, warps and samples NumPy, PyTorch and CuPy arrays with any
of texelscope's methods or as other libraries do it, on the CPU and on NVIDIA
GPUs, without copies.")
include(CPack)
