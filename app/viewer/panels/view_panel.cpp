// View: translate, scale, rotate as typed numbers, warp, antialiasing, light, and the usual views.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool field(const char* name, const char* id, const char* tip, double& value, const char* format) {
    gui::label(name, tip);
    const bool changed = gui::input_double(id, value, format);
    gui::tooltip(tip);
    gui::note(id + 2);
    return changed;
}

void warp_strength(Scene& scene) {
    Warp& warp = scene.warp;
    const WarpInfo info = info_of(warp.kind);
    const bool turns = info.unit == "degrees";
    const std::string unit = turns ? "°" : info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    const std::string format = (info.unit.empty() ? "%.3f" : "%.1f") + unit;
    const auto shown = [](double value) { return with_minus(fmt::format("{}", value)); };
    const std::string tip = fmt::format("{} … {}{}, default {}. Ctrl + click to type.", shown(info.minimum),
                                        shown(info.maximum), unit, shown(info.standard));
    gui::label("Strength", tip);
    gui::tuned_slider("##warp:strength", warp.strength,
                      {info.minimum, info.maximum, info.standard, format.c_str(), tip});
}

void homography_row(AppState& state) {
    constexpr const char* tip =
        "A,B,C,D,E,F,G,H,I: (x, y) reads ((A·x + B·y + C) / w, (D·x + E·y + F) / w), w = G·x + H·y + I, in samples.";
    gui::label("Matrix", tip);
    ImGui::SetNextItemWidth(-1);
    gui::input_text("##warp:matrix", homography_text(state.scene.warp), [&](const std::string& typed) {
        try {
            state.scene.warp = parse_homography("the matrix", typed);
            return true;
        } catch (const Error& error) {
            post(state.messages, Message::Level::warning, error.what());
            return false;
        }
    });
    gui::tooltip(tip);
    gui::note("warp:matrix");
}

void warp_rows(AppState& state) {
    const bool signal = shows_signal(state);
    const std::string tip =
        signal ? "A signal has no plane to warp."
               : "Warps the image under the view: each pixel reads from a displaced position. Press W for the "
                 "next one.";
    gui::label("Warp", tip);
    ImGui::BeginDisabled(signal);
    const Warp::Kind current = acting_warp(state).kind;
    if (gui::begin_combo("##warp", name_of(current).data())) {
        for (const WarpInfo& kind : warp_kinds) {
            if (ImGui::Selectable(kind.name.data(), kind.value == current)) choose_warp(state.scene, kind.value);
            gui::tooltip(kind.meaning);
            gui::note(fmt::format("warp:{}", kind.name));
        }
        ImGui::EndCombo();
    } else {
        gui::tooltip(signal ? tip : fmt::format("{}\n{}", info_of(current).meaning, tip));
        gui::note("warp");
    }
    ImGui::EndDisabled();
    const Warp::Kind acting = acting_warp(state).kind;
    if (acting == Warp::Kind::homography) homography_row(state);
    else if (acting != Warp::Kind::none) warp_strength(state.scene);
}

void extend_row(Scene& scene) {
    gui::label("Extend", "Shown outside the image: its extension, or the background.");
    bool extend = scene.outside == Outside::extend;
    if (gui::check("beyond the edges", extend)) scene.outside = extend ? Outside::extend : Outside::background;
    gui::tooltip(
        "On: the image is extended by its address modes. Off: the background is shown. Choosing a mode turns it on.");
    gui::note("address:extend");
}

void sampling_rows(Scene& scene) {
    gui::label("Antialias", with_terms("Press M to toggle it.", {"antialias", "aliasing"}));
    bool antialias = scene.antialias;
    if (gui::check("when zoomed out", antialias)) toggle_antialias(scene);
    gui::tooltip(fmt::format("{}\n\nPress M to toggle it.", antialias_tip));
    gui::note("view:antialias");
    gui::label("Light", with_terms("Press L to toggle it.", {"linear light"}));
    bool linear = scene.light == Light::linear;
    if (gui::check("linear, from sRGB", linear)) toggle_linear_light(scene);
    gui::tooltip(fmt::format("{}\n\nPress L to toggle it.", linear_light_tip));
    gui::note("view:linear-light");
}

}  // namespace

void view(AppState& state) {
    const bool open = gui::section("View", gui::tall(1300));
    gui::note("section:View");
    const Document* document = state.scene.document();
    if (!open || !document) return;
    if (state.scene.pane().own_view) gui::remark("This pane has its own view. Press U to link it again.", false);

    View edited = pane_view(state, state.scene.active);
    double percent = 100 * edited.zoom();
    if (field("Zoom", "##view:zoom",
              "Zoom in percent: 100 is one sample per screen pixel. 1 … 51200.\n+ and − go to powers of two.", percent,
              "%.6g %%"))
        set_zoom(state, percent / 100);
    sampling_rows(state.scene);
    extend_row(state.scene);
    warp_rows(state);
    bool changed = field("Scale", "##view:scale", "Samples per screen pixel: 1 / zoom. Above 1 zooms out. 1/512 … 100.",
                         edited.scale, "%.8g");
    changed |= field("Translate x", "##view:x",
                     "Samples from the image's centre to the window's; positive looks to the right.",
                     edited.translate_x, "%.6f");
    changed |= field("Translate y", "##view:y", "Samples from the image's centre to the window's; positive looks down.",
                     edited.translate_y, "%.6f");
    changed |= field("Rotate", "##view:rotate",
                     "Angle by which the sampling grid turns clockwise, and so the picture anticlockwise, about the "
                     "window's centre, in degrees, −180 … 180.\n[ turns the picture by 10° clockwise, ] anticlockwise.",
                     edited.rotate, "%.6g°");
    const PanePlace place = place_of(state, state.scene.active);
    if (changed && place.has_picture()) {
        edited.scale = std::clamp(edited.scale > 0 ? edited.scale : 1, 1 / max_zoom,
                                  1 / lowest_zoom(edited.rotate, place.frame(), place.output()));
        set_view(state, rotated(edited, 0));
    }

    ImGui::Dummy({0, gui::px(2)});
    action_button(state, "Fit", "view.fit", 3);
    ImGui::SameLine();
    action_button(state, "100 %", "view.one-to-one", 3);
    ImGui::SameLine();
    action_button(state, "Reset", "view.reset", 3);
    if (state.scene.selection) action_button(state, "Zoom to selection", "view.zoom-selection", 1);
}

}  // namespace texelscope::panels
