// Display: how values become screen pixels. It does not change the values.

#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/pane_images.h"
#include "app/viewer/editing/inspect_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

template <class T> struct Choice {
    T value;
    const char* name;
    const char* tip;
    bool enabled = true;
};

template <class T>
void chooser(const char* label, const char* id, const char* tip, T& value, const std::vector<Choice<T>>& choices) {
    const char* preview = "";
    for (const Choice<T>& choice : choices)
        if (choice.value == value) preview = choice.name;
    gui::label(label, tip);
    if (!gui::begin_combo(fmt::format("##{}", id).c_str(), preview)) {
        gui::tooltip(tip);
        gui::note(id);
        return;
    }
    for (const Choice<T>& choice : choices) {
        const ImGuiSelectableFlags flags = choice.enabled ? 0 : ImGuiSelectableFlags_Disabled;
        if (ImGui::Selectable(choice.name, choice.value == value, flags)) value = choice.value;
        gui::tooltip(choice.tip);
        gui::note(fmt::format("{}:{}", id, choice.name));
    }
    ImGui::EndCombo();
}

void tone_rows(DisplaySettings& display) {
    constexpr const char* exposure_tip =
        "−16 … 16 stops: multiplies values on the screen by 2^exposure. E and Shift+E step by ½. Ctrl + click to type.";
    gui::label("Exposure", exposure_tip);
    double exposure = double(display.exposure);
    if (gui::tuned_slider("##display:exposure", exposure, {-16, 16, 0, "%+.2f stops", exposure_tip}))
        display.exposure = float(exposure);
    constexpr const char* gamma_tip =
        "0.1 … 10: raises values on the screen to the power 1 / gamma, after the exposure. Above 1, dark parts become "
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
    chooser<ChannelView>("Channel", "display:channel", "Which channels to show; single channels appear in grey.",
                         display.channel,
                         {{ChannelView::all, "all", "All channels, as colour."},
                          {ChannelView::first, "first (red)", "The first channel in grey."},
                          {ChannelView::second, "second (green)", "The second channel in grey.", colours > 1},
                          {ChannelView::third, "third (blue)", "The third channel in grey.", colours > 2},
                          {ChannelView::alpha, "alpha", "The opacity in grey.", alpha},
                          {ChannelView::luma, "luma", "0.2126 R + 0.7152 G + 0.0722 B, in grey.", colours > 2}});
}

void complex_row(DisplaySettings& display) {
    chooser<ComplexView>("Complex", "display:complex",
                         "Display of complex data: two channels, real and imaginary part.", display.complex,
                         {{ComplexView::parts, "parts", "Real part in red, imaginary part in green."},
                          {ComplexView::magnitude, "magnitude", "The magnitude in grey."},
                          {ComplexView::phase, "phase", "The phase as hue."},
                          {ComplexView::domain, "domain colouring",
                           "Phase as hue, magnitude as lightness, with a step at each power of two."}});
}

void backdrop_row(DisplaySettings& display) {
    constexpr const char* tip = "Backdrop of pixels that are not opaque.";
    gui::label("Behind", tip);
    const gui::Segment segments[] = {{"grey", tip}, {"checkerboard", tip}};
    const int clicked = gui::segmented("display:backdrop", segments, int(display.backdrop));
    if (clicked >= 0) display.backdrop = Backdrop(clicked);
}

void mark_row(DisplaySettings& display) {
    constexpr const char* tip = "Mark NaN magenta, +∞ yellow, −∞ cyan. For float images.";
    gui::label("Mark", tip);
    gui::check("NaN and ∞", display.mark_nonfinite);
    gui::tooltip(tip);
    gui::note("display:mark");
}

}  // namespace

void display(AppState& state) {
    const bool open = gui::section("Display", gui::tall(1240));
    gui::note("section:Display");
    if (!open) return;
    DisplaySettings& display = state.scene.display;
    const auto image = image_of(state, state.scene.active);
    const bool alpha = image && image->alpha() != Alpha::none;
    tone_rows(display);
    if (!image || image->channels() > 1) channel_row(display, image.get());
    if (image && image->channels() == 2 && !alpha) complex_row(display);
    if (alpha) backdrop_row(display);
    if (image && (image->type() == SampleType::f32 || image->type() == SampleType::f16)) mark_row(display);
    action_button(state, "Reset", "inspect.display-reset", 1);
}

}  // namespace texelscope::panels
