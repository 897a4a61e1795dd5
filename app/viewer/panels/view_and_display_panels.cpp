// View: translate, scale, rotate as typed numbers, warp, antialiasing, light, and the usual views.

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/first_look.h"
#include "app/picture/profile_conversion.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/value_text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/colour.h"

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
    if (acting_warp(state).kind != Warp::Kind::none) warp_strength(state.scene);
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
    const bool open = gui::section("View", gui::tall(1080));
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

// Display: how values become screen pixels. It does not change the values.

namespace {

// A list of the choices that `possible` allows; the others are grey.
template <class Choice, class Possible>
void chooser(const char* label, const char* id, const char* tip, Choice& value, Possible possible) {
    gui::label(label, tip);
    if (!gui::begin_combo(fmt::format("##{}", id).c_str(), row_of(value).label().data())) {
        gui::tooltip(tip);
        gui::note(id);
        return;
    }
    for (const auto& row : names_table(value)) {
        const ImGuiSelectableFlags flags = possible(row.value) ? 0 : ImGuiSelectableFlags_Disabled;
        if (ImGui::Selectable(row.label().data(), row.value == value, flags)) value = row.value;
        gui::tooltip(row.meaning);
        gui::note(fmt::format("{}:{}", id, row.label()));
    }
    ImGui::EndCombo();
}

// In the unit that values are written in.
void level_rows(AppState& state) {
    const ValueScale scale = value_scale(state, state.scene.active);
    const Levels levels = levels_of(state.scene, state.scene.active);
    const auto row = [&](const char* label, const char* id, float level, void (*set)(Scene&, double),
                         const char* what) {
        const std::string tip =
            fmt::format("Stored value that is shown {}, in the unit of the values{}. Press Enter to apply.", what,
                        scale.range().empty() ? "" : fmt::format(" ({})", scale.range()));
        gui::label(label, tip);
        double value = double(level) * scale.factor();
        if (gui::input_double(fmt::format("##{}", id).c_str(), value, "%.6g")) set(state.scene, value / scale.factor());
        gui::tooltip(tip);
        gui::note(id);
    };
    row("Black", "display:black", levels.black, set_black_level, "black");
    row("White", "display:white", levels.white, set_white_level, "white");
    constexpr const char* tip =
        "Black and white level at percentiles of the samples, or of the selected ones: this share of them becomes black, "
        "and as many white. Reset brings back the levels that the image opened with.";
    gui::label("Auto", tip);
    const gui::Segment shares[] = {
        {"0 %", "Black and white at the least and the largest sample."}, {"1 %", tip}, {"5 %", tip}};
    constexpr double values[] = {0, 0.01, 0.05};
    const int clicked = gui::segmented("display:auto", shares, -1);
    if (clicked >= 0) set_auto_contrast(state, values[clicked]);
    constexpr const char* lock_tip =
        "On: these levels are for all images. Off: each image has its own, and opens with 0 and 1, or with levels from its "
        "data if those are no values for display.";
    gui::label("Lock", lock_tip);
    bool locked = state.scene.levels_locked;
    if (gui::check("for all images", locked)) lock_levels(state.scene, locked);
    gui::tooltip(lock_tip);
    gui::note("display:lock");
}

void curve_row(DisplaySettings& display) {
    constexpr const char* tip = "Brings values above 1 onto the screen, after the exposure. For HDR images.";
    gui::label("Tone", tip);
    segmented_choice("display:tone", display.curve);
}

void invert_row(DisplaySettings& display) {
    constexpr const char* tip = "Show 1 − value: white becomes black.";
    gui::label("Invert", tip);
    gui::check("negative", display.invert);
    gui::tooltip(tip);
    gui::note("display:invert");
}

// False colour of single channels; greyed out while colours are shown.
void map_row(DisplaySettings& display, bool single) {
    const char* tip =
        single ? "False colour: the channel through a colour map of even lightness. Its legend is on the picture."
               : "False colour is for a single channel: choose one above.";
    chooser("False colour", "display:map", tip, display.map,
            [&](ColourMap map) { return single || map == ColourMap::channels; });
}

void profile_row(DisplaySettings& display, const Image& image) {
    const auto conversion = profile_conversion(image);
    if (!conversion || (conversion->name.empty() && conversion->problem.empty())) return;
    constexpr const char* tip =
        "Convert colours as the file's profile describes them to those of the screen. Single channels and differences are "
        "those of stored values.";
    gui::label("Profile", tip);
    const std::string name = conversion->name.empty() ? "of the file" : conversion->name;
    const float room = ImGui::GetContentRegionAvail().x - gui::radio_width("");
    const std::string shown = gui::shortened(name, room);
    gui::check(shown.c_str(), display.by_profile);
    gui::tooltip(shown == name ? tip : fmt::format("{}. {}", name, tip));
    gui::note("display:profile");
    if (!conversion->problem.empty()) gui::remark(conversion->problem);
}

void tone_rows(DisplaySettings& display) {
    constexpr const char* exposure_tip =
        "−16 … 16 stops: multiplies values on the screen by 2^exposure. E and Shift+E step by ½. Ctrl + click to type.";
    gui::label("Exposure", exposure_tip);
    double exposure = double(display.exposure);
    if (gui::tuned_slider("##display:exposure", exposure, {-16, 16, 0, "%+.2f stops", exposure_tip}))
        display.exposure = float(exposure);
    constexpr const char* gamma_tip =
        "0.1 … 10: raises values on the screen to the power 1 / gamma, after exposure and tone curve. Above 1, dark parts become "
        "brighter. Ctrl + click to type.";
    gui::label("Gamma", gamma_tip);
    gui::slider_float("##display:gamma", display.gamma, 0.1f, 10, "%.2f", true);
    gui::tooltip(gamma_tip);
    gui::note("display:gamma");
}

void channel_row(DisplaySettings& display, const Image* image) {
    const int channels = image ? image->channels() : 3;
    const bool alpha = image && image->alpha() != Alpha::none;
    const int colours = channels - (alpha ? 1 : 0);
    chooser("Channel", "display:channel", "Which channels to show; single channels appear in grey.", display.channel,
            [&](ChannelView view) {
                return view == ChannelView::second                               ? colours > 1
                       : view == ChannelView::third || view == ChannelView::luma ? colours > 2
                                                                                 : view != ChannelView::alpha || alpha;
            });
}

void complex_row(DisplaySettings& display) {
    chooser("Complex", "display:complex", "Display of complex data: two channels, real and imaginary part.",
            display.complex, [](ComplexView) { return true; });
}

void backdrop_row(DisplaySettings& display) {
    constexpr const char* tip = "Backdrop of pixels that are not opaque.";
    gui::label("Behind", tip);
    segmented_choice("display:backdrop", display.backdrop);
}

void mark_row(DisplaySettings& display) {
    constexpr const char* tip = "Mark NaN magenta, +∞ yellow, −∞ cyan; the legend on the picture names them.";
    gui::label("Mark", tip);
    gui::check("NaN and ∞", display.mark_nonfinite);
    gui::tooltip(tip);
    gui::note("display:mark");
}

}  // namespace

void display(AppState& state) {
    const bool open = gui::section("Display", gui::tall(1480));
    gui::note("section:Display");
    if (!open) return;
    DisplaySettings& display = state.scene.display;
    const auto image = image_of(state.scene, state.scene.active);
    const bool alpha = image && image->alpha() != Alpha::none;
    gui::remark("For display only: interpolation and figures use the stored values.", false);
    if (image) profile_row(display, *image);
    level_rows(state);
    tone_rows(display);
    curve_row(display);
    invert_row(display);
    if (!image || image->channels() > 1) channel_row(display, image.get());
    map_row(display, shows_single_channel(state.scene, state.scene.active));
    if (image && image->channels() == 2 && !alpha) complex_row(display);
    if (alpha) backdrop_row(display);
    if (image && is_float(image->type())) mark_row(display);
    action_button(state, "Reset", "inspect.display-reset", 1);
}

}  // namespace texelscope::panels
