// Address: how the image goes on beyond its edges.

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/widgets/widgets.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/editing/method_edits.h"

namespace texelscope::panels {
namespace {

const char* meaning(AddressMode mode) {
    switch (mode) {
        case AddressMode::clamp: return "the edge sample goes on for ever";
        case AddressMode::border: return "zero, transparent, outside";
        case AddressMode::wrap: return "the image repeats";
        case AddressMode::mirror: return "mirrored at each edge, which counts twice: … 1 0 | 0 1 …";
    }
    return "";
}

// The mode that was picked, if any.
bool mode_combo(AppState& state, const char* id, const char* name, const char* tip, AddressMode& mode) {
    bool picked = false;
    gui::label(name, tip);
    if (gui::begin_combo(id, std::string(name_of(mode)).c_str())) {
        for (AddressMode each : all_address_modes) {
            if (ImGui::Selectable(std::string(name_of(each)).c_str(), each == mode)) {
                mode = each;
                picked = true;
            }
            gui::tooltip(meaning(each));
            gui::note(state, fmt::format("address:{}:{}", name, name_of(each)));
        }
        ImGui::EndCombo();
    }
    gui::tooltip(fmt::format("{}: {}.\nA picks the next mode for both axes.", name_of(mode), meaning(mode)));
    gui::note(state, fmt::format("address:{}", name));
    return picked;
}

}  // namespace

void address(AppState& state) {
    const bool open = gui::section("Address", gui::tall(780));
    gui::note(state, "section:Address");
    if (!open) return;
    AddressPair pair = state.scene.spec().address;
    const bool x = mode_combo(state, "##x", "x", "Left and right of the image.", pair.x);
    const bool y = mode_combo(state, "##y", "y", "Above and below the image.", pair.y);
    if (x || y) choose_address(state, pair);

    gui::label("Extend", "What is shown where the image has no samples.");
    bool extend = state.scene.outside == Outside::extend;
    if (gui::check("beyond the edges", extend)) state.scene.outside = extend ? Outside::extend : Outside::background;
    gui::tooltip("On: the image extended by its address modes. Off: the background. Picking a mode turns it on.");
    gui::note(state, "address:extend");
}

}  // namespace texelscope::panels
