// Display: how values become screen pixels. It does not change the values.

#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/false_colour.h"
#include "app/picture/profile_conversion.h"
#include "app/state/pane_display.h"
#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
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
    const Levels levels = levels_of(state, state.scene.active);
    const auto row = [&](const char* label, const char* id, float level, void (*set)(AppState&, double),
                         const char* what) {
        const std::string tip =
            fmt::format("Stored value that is shown {}, in the unit of the values{}. Press Enter to apply.", what,
                        scale.range().empty() ? "" : fmt::format(" ({})", scale.range()));
        gui::label(label, tip);
        double value = double(level) * scale.factor();
        if (gui::input_double(fmt::format("##{}", id).c_str(), value, "%.6g")) set(state, value / scale.factor());
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
    if (gui::check("for all images", locked)) lock_levels(state, locked);
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

// Of single channels; greyed out while colours are shown.
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
    const auto image = image_of(state, state.scene.active);
    const bool alpha = image && image->alpha() != Alpha::none;
    gui::remark("For display only: interpolation and figures use the stored values.", false);
    if (image) profile_row(display, *image);
    level_rows(state);
    tone_rows(display);
    curve_row(display);
    invert_row(display);
    if (!image || image->channels() > 1) channel_row(display, image.get());
    map_row(display, shows_single_channel(state, state.scene.active));
    if (image && image->channels() == 2 && !alpha) complex_row(display);
    if (alpha) backdrop_row(display);
    if (image && is_float(image->type())) mark_row(display);
    action_button(state, "Reset", "inspect.display-reset", 1);
}

}  // namespace texelscope::panels
