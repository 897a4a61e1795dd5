# ImGui::ImGui: Dear ImGui with its GLFW and OpenGL 3 backends and FreeType text, as Debian's libimgui-dev has them.
# <imgui.h>, <imgui_freetype.h>, <backends/imgui_impl_glfw.h>, <backends/imgui_impl_opengl3.h>

find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY imgui)
mark_as_advanced(IMGUI_INCLUDE_DIR IMGUI_LIBRARY)

if(IMGUI_INCLUDE_DIR)
    file(STRINGS ${IMGUI_INCLUDE_DIR}/imgui.h version_line REGEX "^#define IMGUI_VERSION +\"")
    string(REGEX MATCH "[0-9]+\\.[0-9]+" ImGui_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ImGui REQUIRED_VARS IMGUI_LIBRARY IMGUI_INCLUDE_DIR VERSION_VAR ImGui_VERSION)

if(ImGui_FOUND AND NOT TARGET ImGui::ImGui)
    add_library(ImGui::ImGui UNKNOWN IMPORTED)
    set_target_properties(ImGui::ImGui PROPERTIES
        IMPORTED_LOCATION ${IMGUI_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${IMGUI_INCLUDE_DIR}
        INTERFACE_LINK_LIBRARIES "STB::STB;Freetype::Freetype;glfw;${CMAKE_DL_LIBS}")
endif()
