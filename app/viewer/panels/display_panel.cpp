// Image and display: how values become screen pixels, which does not change the values; and what they are like.

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/first_look.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/display/display.h"

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

// With as many digits as a field of this width has space for. The value keeps all of its digits.
const char* format_that_fits(double value, float width) {
    ImGui::PushFont(gui::theme().mono);
    const float digits = (width - 2 * ImGui::GetStyle().FramePadding.x) / ImGui::CalcTextSize("0").x;
    ImGui::PopFont();
    constexpr const char* formats[] = {"%.6g", "%.5g", "%.4g", "%.3g"};
    for (const char* format : formats) {
        char text[32];
        if (float(std::snprintf(text, sizeof text, format, value)) <= digits) return format;
    }
    return formats[std::size(formats) - 1];
}

// In the unit that values are written in: black and white in one row, and levels from the data at one click.
void levels_row(AppState& state) {
    const ValueScale scale = value_scale(state, state.scene.active);
    const Levels levels = levels_of(state.scene, state.scene.active);
    constexpr const char* fit_tip =
        "Black and white at the least and the largest sample, or selected sample. More ▸ Auto leaves a share of them out.";
    const float gap = gui::px(4), fit = ImGui::CalcTextSize("Fit").x + 2 * ImGui::GetStyle().FramePadding.x;
    gui::label("Levels", "Stored values that are shown black and white.");
    const float width = (ImGui::GetContentRegionAvail().x - fit) / 2 - gap;
    const auto field = [&](const char* id, float level, void (*set)(Scene&, double), const char* what) {
        double value = double(level) * scale.factor();
        ImGui::SetNextItemWidth(width);
        if (gui::input_double(fmt::format("##{}", id).c_str(), value, format_that_fits(value, width)))
            set(state.scene, value / scale.factor());
        gui::tooltip(fmt::format("Stored value that is shown {}, in the unit of the values{}. Press Enter to apply.",
                                 what, scale.range().empty() ? "" : fmt::format(" ({})", scale.range())));
        gui::note(id);
        ImGui::SameLine(0, gap);
    };
    field("display:black", levels.black, set_black_level, "black");
    field("display:white", levels.white, set_white_level, "white");
    if (ImGui::Button("Fit", {fit, 0})) set_auto_contrast(state, 0);
    gui::tooltip(fit_tip);
    gui::note("display:fit");
}

void share_rows(AppState& state) {
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
    if (gui::check("for all images", locked, lock_tip, "display:lock")) lock_levels(state.scene, locked);
}

void curve_row(DisplaySettings& display) {
    constexpr const char* tip = "Brings values above 1 onto the screen, after the exposure. For HDR images.";
    gui::label("Tone", tip);
    segmented_choice("display:tone", display.curve);
}

void invert_row(DisplaySettings& display) {
    constexpr const char* tip = "Show 1 − value: white becomes black.";
    gui::label("Invert", tip);
    gui::check("negative", display.invert, tip, "display:invert");
}

// The list of colour maps, which act on single channels.
void map_row(DisplaySettings& display) {
    constexpr const char* tip =
        "False colour: the channel through a colour map of even lightness. Its legend is on the picture.";
    gui::label("False colour", tip);
    colour_map_list("display:map", display.map, "none", tip);
}

void profile_row(DisplaySettings& display, const Image& image) {
    const auto conversion = profile_conversion(image);
    if (!conversion || (conversion->name.empty() && conversion->problem.empty())) return;
    constexpr const char* tip =
        "Convert colours as the file's profile describes them to those of the screen. Single channels and differences are "
        "those of stored values.";
    gui::label("Profile", tip);
    const std::string name = conversion->name.empty() ? "of the file" : conversion->name;
    const float room = ImGui::GetContentRegionAvail().x - gui::check_width("");
    const std::string shown = gui::shortened(name, room);
    gui::check(shown.c_str(), display.by_profile, shown == name ? tip : fmt::format("{}. {}", name, tip),
               "display:profile");
    if (!conversion->problem.empty()) gui::remark(conversion->problem);
}

void exposure_row(DisplaySettings& display) {
    constexpr const char* tip =
        "Multiplies values on the screen by 2^exposure; the slider reaches 4 stops, and up to 16 can be typed with Ctrl + "
        "click. E and Shift+E step by ½.";
    gui::label("Exposure", tip);
    double exposure = double(display.exposure);
    if (gui::tuned_slider("##display:exposure", exposure, {-16, 16, 0, "%+.2f stops", tip, 4}))
        display.exposure = float(exposure);
}

void gamma_row(DisplaySettings& display) {
    constexpr const char* tip =
        "0.1 … 10: raises values on the screen to the power 1 / gamma, after exposure and tone curve. Above 1, dark parts become "
        "brighter. Ctrl + click to type.";
    gui::label("Gamma", tip);
    gui::slider_float("##display:gamma", display.gamma, 0.1f, 10, "%.2f", true);
    gui::tooltip(tip);
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
    gui::check("NaN and ∞", display.mark_nonfinite, tip, "display:mark");
}

}  // namespace

void display(AppState& state) {
    const bool open = gui::section("Image and display###Display", gui::tall(600));
    gui::note("section:Display");
    if (!open) return;
    DisplaySettings& display = state.scene.display;
    const auto image = image_of(state.scene, state.scene.active);
    const bool alpha = image && image->alpha() != Alpha::none;
    levels_row(state);
    exposure_row(display);
    bool& more = state.ui.memory.more_display;
    const bool several = !image || image->channels() > 1;
    if (several && (more || display.channel != ChannelView::all)) channel_row(display, image.get());
    if (shows_single_channel(state.scene, state.scene.active)) map_row(display);
    if (image && image->channels() == 2 && !alpha) complex_row(display);
    if (alpha) backdrop_row(display);
    action_button(state, "Statistics", "inspect.statistics", 2);
    ImGui::SameLine();
    if (gui::row_button(
            more ? "Less" : "More", 2,
            "Shows or hides channels, tone curve, gamma, inverse, colour profile, automatic levels, and the mark of NaN."))
        more = !more;
    gui::note("display:more");
    if (!more) return;
    share_rows(state);
    gamma_row(display);
    curve_row(display);
    invert_row(display);
    if (image) profile_row(display, *image);
    if (image && is_float(image->type())) mark_row(display);
    action_button(state, "Reset", "inspect.display-reset", 1);
}

}  // namespace texelscope::panels
