// Address: how the image continues beyond its edges.

#include <fmt/format.h>
#include <imgui.h>

#include "app/text/glossary.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

const char* meaning(AddressMode mode) {
    switch (mode) {
        case AddressMode::clamp: return "repeats the edge sample";
        case AddressMode::border: return "zero and transparent outside the image";
        case AddressMode::wrap: return "repeats the image";
        case AddressMode::mirror: return "mirrored at each edge, repeating the edge sample: … 1 0 | 0 1 …";
    }
    return "";
}

// The chosen mode, if any.
bool mode_combo(const char* id, const char* name, const std::string& tip, AddressMode& mode) {
    bool picked = false;
    gui::label(name, tip);
    if (gui::begin_combo(id, std::string(name_of(mode)).c_str())) {
        for (AddressMode each : all_address_modes) {
            if (ImGui::Selectable(std::string(name_of(each)).c_str(), each == mode)) {
                mode = each;
                picked = true;
            }
            gui::tooltip(meaning(each));
            gui::note(fmt::format("address:{}:{}", name, name_of(each)));
        }
        ImGui::EndCombo();
    }
    gui::tooltip(fmt::format("{}: {}.\nPress A for the next mode on both axes.", name_of(mode), meaning(mode)));
    gui::note(fmt::format("address:{}", name));
    return picked;
}

}  // namespace

void address(AppState& state) {
    const bool open = gui::section("Address", gui::tall(780));
    gui::note("section:Address");
    if (!open) return;
    AddressPair pair = state.scene.spec().address;
    const bool x =
        mode_combo("##x", "x", with_terms("Address mode left and right of the image.", {"address mode"}), pair.x);
    const bool y =
        mode_combo("##y", "y", with_terms("Address mode above and below the image.", {"address mode"}), pair.y);
    if (x || y) choose_address(state, pair);

    gui::label("Extend", "Shown outside the image: its extension, or the background.");
    bool extend = state.scene.outside == Outside::extend;
    if (gui::check("beyond the edges", extend)) state.scene.outside = extend ? Outside::extend : Outside::background;
    gui::tooltip(
        "On: the image is extended by its address modes. Off: the background is shown. Choosing a mode turns it on.");
    gui::note("address:extend");
}

}  // namespace texelscope::panels
