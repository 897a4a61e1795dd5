// View: translate, scale, rotate as typed numbers, and the usual places to go.

#include <algorithm>

#include <imgui.h>

#include "app/gui/widgets.h"
#include "app/panels/panels.h"
#include "app/view_commands.h"

namespace texelscope::panels {
namespace {

bool field(AppState& state, const char* name, const char* id, const char* tip, double& value, const char* format) {
    gui::label(name, tip);
    const bool changed = gui::input_double(id, value, format);
    gui::tooltip(tip);
    gui::note(state, id + 2);
    return changed;
}

}  // namespace

void view(AppState& state) {
    const bool open = gui::section("View", true);
    gui::note(state, "section:View");
    const Document* document = state.scene.document();
    if (!open || !document) return;

    View edited = document->view;
    double percent = 100 * edited.zoom();
    if (field(state, "Zoom", "##view:zoom",
              "Percent: 100 is one sample for each pixel of the screen. 1 … 51200.\n+ and − go to powers of two.",
              percent, "%.6g %%"))
        set_zoom(state, std::clamp(percent / 100, min_zoom, max_zoom));
    bool changed =
        field(state, "Scale", "##view:scale",
              "Samples for each pixel of the screen: 1 / zoom. Above 1 zooms out. 1/512 … 100.", edited.scale, "%.8g");
    changed |= field(state, "Translate x", "##view:x",
                     "Samples from the image's centre to the window's; positive looks to the right.",
                     edited.translate_x, "%.6f");
    changed |=
        field(state, "Translate y", "##view:y", "Samples from the image's centre to the window's; positive looks down.",
              edited.translate_y, "%.6f");
    changed |= field(state, "Rotate", "##view:rotate",
                     "Degrees by which the samples' grid is read turned, about the window's centre; −180 … 180.\n[ and "
                     "] turn by 10°.",
                     edited.rotate, "%.6g°");
    if (changed) {
        edited.scale = std::clamp(edited.scale > 0 ? edited.scale : 1, 1 / max_zoom, 1 / min_zoom);
        set_view(state, rotated(edited, 0));
    }

    ImGui::Dummy({0, gui::px(2)});
    gui::action_button(state, "Fit", "view.fit", 3);
    ImGui::SameLine();
    gui::action_button(state, "100 %", "view.one-to-one", 3);
    ImGui::SameLine();
    gui::action_button(state, "Reset", "view.reset", 3);
    if (state.scene.selection) gui::action_button(state, "Zoom to selection", "view.zoom-selection", 1);
}

}  // namespace texelscope::panels
