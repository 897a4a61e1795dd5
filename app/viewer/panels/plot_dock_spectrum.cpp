// Spectrum: of the samples, and of the pixels that each pane makes of them; their radial profiles with the methods' responses.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/spectrum.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

using ShownSpectrum = SpectrumReport::Shown;

bool is_of_samples(const ShownSpectrum& shown) { return shown.pane == ShownSpectrum::samples; }

// "A", "samples"
std::string short_name(const ShownSpectrum& shown) { return is_of_samples(shown) ? "samples" : pane_name(shown.pane); }

// Beside the letter of its pane, if it is of one.
std::string title_of(const AppState& state, const ShownSpectrum& shown) {
    if (is_of_samples(shown)) return "Samples";
    if (size_t(shown.pane) >= state.scene.panes.size()) return "";
    const Pane& pane = state.scene.panes[size_t(shown.pane)];
    return pane.label.empty() ? std::string(pane.spec.method->name) : pane.label;
}

float letter_width(const ShownSpectrum& shown) {
    return is_of_samples(shown) ? 0 : ImGui::CalcTextSize(pane_name(shown.pane).c_str()).x + gui::px(6);
}

void part_and_channel(AppState& state, const SpectrumReport& report) {
    part_row(state.scene, state.ui.inspect, "The samples in the selected region.", "View",
             "The part of the picture that is in view.");
    channel_row(state.ui.inspect, report.channels, report.has_alpha, true);
}

void window_and_reach(InspectUi& inspect) {
    const gui::Segment windows[] = {
        {"Faded",
         "Fades the picture out towards its edges (the Hann window, ½ − ½ cos along each axis): its jump from one edge "
         "to the other is not taken for a frequency."},
        {"As it is",
         "No window: every sample counts alike: exact for what is periodic, a cross of lines for anything else."}};
    gui::label("Edges", "What is done to the picture's edges before the transform: the window.");
    bool& windowed = inspect.spectrum_windowed;
    if (const int clicked = gui::segmented("spectrum-window", windows, windowed ? 0 : 1); clicked >= 0)
        windowed = clicked == 0;

    constexpr double reaches[] = {0, 0.5, 1, 2};
    const gui::Segment segments[] = {{"Auto", "½, or 1 where the picture is enlarged."},
                                     {"½", "Up to the Nyquist frequency of the samples."},
                                     {"1", "Up to 1 cycle per sample: the first copies, which a method is to remove."},
                                     {"2", "Up to 2 cycles per sample; pixels have them from 400 % on."}};
    gui::label("Up to", "The highest frequency that is shown along each axis, in cycles per sample.");
    double& reach = inspect.spectrum_reach;
    const auto chosen = std::find(std::begin(reaches), std::end(reaches), reach) - std::begin(reaches);
    if (const int clicked = gui::segmented("spectrum-reach", segments, int(chosen)); clicked >= 0)
        reach = reaches[size_t(clicked)];
}

// The pictures of all spectra, beside and below each other: as large as leaves `below` them that much of the height.
class Pictures {
public:
    Pictures(const AppState& state, const SpectrumReport& report, double reach, float below)
        : report_(report), reach_(reach) {
        const int count = int(report.of.size());
        // A width that is the same with and without a scroll bar, which would come and go with the size of the pictures.
        const ImGuiStyle& style = ImGui::GetStyle();
        width_ = std::min(ImGui::GetContentRegionAvail().x,
                          ImGui::GetWindowSize().x - 2 * style.WindowPadding.x - style.ScrollbarSize);
        const float height = ImGui::GetContentRegionAvail().y - below;
        for (int columns = std::min(2, count); columns <= count; ++columns) {
            const int rows = (count + columns - 1) / columns;
            const float across = (width_ - float(columns - 1) * gap_) / float(columns),
                        down = height / float(rows) - row_height();
            const float side = std::floor(std::min(across, std::max(down, gui::px(80))));
            if (side < side_) continue;
            side_ = side;
            columns_ = columns;
            rows_ = rows;
        }
        side_ = std::min(side_, gui::px(360));
        named_ = std::ranges::all_of(report.of, [&](const ShownSpectrum& shown) {
            return letter_width(shown) + ImGui::CalcTextSize(title_of(state, shown).c_str()).x <= side_;
        });
        origin_ = ImGui::GetCursorScreenPos();
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        for (int i = 0; i < count && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem); ++i) {
            const ImVec2 at = corner(i);
            if (mouse.x < at.x || mouse.y < at.y || mouse.x >= at.x + side_ || mouse.y >= at.y + side_) continue;
            pointed_ = Point{frequency(mouse.x - at.x), frequency(mouse.y - at.y)};
        }
    }

    int side_pixels() const { return int(std::lround(side_ * gui::theme().pixel_ratio)); }
    const std::optional<Point>& pointed() const { return pointed_; }
    double step() const { return 2 * reach_ / double(side_); }  // of frequencies that the mouse tells apart

    void draw(const AppState& state) const {
        for (int i = 0; i < int(report_.of.size()); ++i) draw(state, i);
        ImGui::SetCursorScreenPos(origin_);
        ImGui::Dummy({width_, float(rows_) * row_height() - gui::px(4)});
    }

private:
    float title_height() const { return ImGui::GetFontSize() + gui::px(4); }
    float row_height() const { return title_height() + side_ + gui::theme().small->FontSize + gui::px(10); }
    ImVec2 corner(int i) const {
        return {origin_.x + float(i % columns_) * (side_ + gap_),
                origin_.y + float(i / columns_) * row_height() + title_height()};
    }
    double frequency(float place) const { return (2 * double(place) / double(side_) - 1) * reach_; }
    ImVec2 place(ImVec2 at, Point f) const {
        return {at.x + float(f.x / reach_ + 1) / 2 * side_, at.y + float(f.y / reach_ + 1) / 2 * side_};
    }

    void draw(const AppState& state, int i) const {
        const ShownSpectrum& shown = report_.of[size_t(i)];
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        const ImVec2 at = corner(i), end{at.x + side_, at.y + side_};
        title(state, draw, shown, {at.x, at.y - title_height()});
        draw.AddRectFilled(at, end, gui::packed(gui::colour::field));
        if (shown.spectrum && shown.picture.name)
            draw.AddImage(reinterpret_cast<ImTextureID>(uintptr_t(shown.picture.name)), at, end);
        draw.PushClipRect(at, end, true);
        std::vector<ImVec2> corners;
        for (const Point& f : shown.nyquist) corners.push_back(place(at, f));
        draw.AddPolyline(corners.data(), int(corners.size()), gui::packed(gui::colour::text, 0.55f), ImDrawFlags_Closed,
                         gui::px(1));
        if (pointed_) {
            const ImVec2 cross = place(at, *pointed_);
            const ImU32 ink = gui::packed(gui::colour::text, 0.4f);
            draw.AddLine({cross.x, at.y}, {cross.x, end.y}, ink);
            draw.AddLine({at.x, cross.y}, {end.x, cross.y}, ink);
        }
        draw.PopClipRect();
        draw.AddRect(at, end, gui::packed(gui::colour::line));
        ticks(draw, at);
        ImGui::SetCursorScreenPos(at);
        ImGui::InvisibleButton(fmt::format("##spectrum{}", i).c_str(), {side_, side_});
        gui::note("spectrum:" + short_name(shown));
        const ImVec2 above{at.x, at.y - title_height()};
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(above, {end.x, at.y}))
            gui::area_tooltip(tip(shown), above, {end.x, at.y});
        if (!shown.spectrum)
            draw.AddText(nullptr, 0, {at.x + gui::px(8), at.y + gui::px(8)}, gui::packed(gui::colour::secondary),
                         shown.why_not.c_str(), nullptr, side_ - gui::px(16));
    }

    void title(const AppState& state, ImDrawList& draw, const ShownSpectrum& shown, ImVec2 at) const {
        if (!is_of_samples(shown))
            draw.AddText(at, gui::packed(gui::colour_of(pane_ink(shown.pane))), pane_name(shown.pane).c_str());
        if (named_ || is_of_samples(shown))
            draw.AddText({at.x + letter_width(shown), at.y}, gui::packed(gui::colour::text),
                         title_of(state, shown).c_str());
    }

    void ticks(ImDrawList& draw, ImVec2 at) const {
        ImFont* const font = gui::theme().small;
        const float size = font->FontSize, y = at.y + side_ + gui::px(2);
        const auto width_of = [&](const std::string& text) {
            return font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
        };
        const auto words = [&](double part) { return gui::place_words((2 * part - 1) * reach_, reach_ < 1 ? 0.1 : 1); };
        const bool three = width_of(words(0)) + gui::px(4) <= (side_ - width_of(words(0.5))) / 2;
        for (const double part : {0.0, 0.5, 1.0}) {
            if (part == 0.5 && !three) continue;
            const std::string text = words(part);
            const float width = width_of(text);
            draw.AddText(font, size, {at.x + float(part) * (side_ - width), y}, gui::packed(gui::colour::secondary),
                         text.c_str());
        }
    }

    std::string tip(const ShownSpectrum& shown) const {
        if (!shown.spectrum) return shown.why_not;
        const Spectrum& s = *shown.spectrum;
        const std::string of =
            is_of_samples(shown)
                ? fmt::format("Spectrum of {} × {} samples. Beyond ½ it repeats: those copies are dark.", s.width,
                              s.height)
                : fmt::format(
                      "Spectrum of {} × {} pixels of pane {}, which hold frequencies up to {:.3g} "
                      "cycles per sample.",
                      s.width, s.height, pane_name(shown.pane), s.nyquist());
        return of + fmt::format(
                        " Both axes in cycles per sample, 0 in the middle, y downwards; the line is the samples' "
                        "Nyquist frequency, ½. Colours span {} dB from the strongest frequency of the samples, "
                        "the mean left out.",
                        spectrum_range);
    }

    const SpectrumReport& report_;
    double reach_;
    float width_ = 0, side_ = 0, gap_ = gui::px(8);
    int columns_ = 1, rows_ = 1;
    bool named_ = true;  // the names of all methods have space; else letters do
    ImVec2 origin_;
    std::optional<Point> pointed_;
};

// The parts in as few rows of this width as they need, in the current font.
std::vector<std::string> rows_of_parts(const std::vector<std::string>& parts, float width) {
    std::vector<std::string> rows;
    for (const std::string& part : parts) {
        const std::string longer = rows.empty() ? part : rows.back() + "  " + part;
        if (rows.empty() || ImGui::CalcTextSize(longer.c_str()).x > width) rows.push_back(part);
        else rows.back() = longer;
    }
    return rows;
}

// A frequency and its power in each spectrum. `widest`: no values, but what takes the most width.
std::vector<std::string> value_parts(const SpectrumReport& report, const Pictures& pictures, bool widest) {
    const Point f = widest ? Point{-0.5, -0.5} : *pictures.pointed();
    const auto place = [&](double at) { return gui::place_words(at, pictures.step()); };
    std::vector<std::string> parts = {"x " + place(f.x), "y " + place(f.y)};
    const double length = std::hypot(f.x, f.y);
    if (widest) parts.push_back("period 00.0 samples");
    else if (length > pictures.step()) parts.push_back(fmt::format("period {:.3g} samples", 1 / length));
    const double top = report.of.front().spectrum->largest();
    for (const ShownSpectrum& shown : report.of) {
        if (!shown.spectrum) continue;
        const double power = widest ? 0 : power_at(*shown.spectrum, f.x, f.y, is_of_samples(shown)) / top;
        const std::string decibels = widest      ? gui::place_words(-100, 0.1)
                                     : power > 0 ? gui::place_words(power_decibels(power), 0.1)
                                                 : "–";
        parts.push_back(fmt::format("{} {} dB", short_name(shown), decibels));
    }
    return parts;
}

// What is under the mouse, in all spectra; else what 0 dB is. Always as high, so that nothing below moves.
void values_row(const SpectrumReport& report, const Pictures& pictures) {
    const float width = ImGui::GetContentRegionAvail().x, top = ImGui::GetCursorPosY();
    ImGui::PushFont(gui::theme().mono);
    const size_t most = rows_of_parts(value_parts(report, pictures, true), width).size();
    const float height = float(most) * ImGui::GetTextLineHeightWithSpacing();
    if (pictures.pointed()) {
        ImGui::BeginGroup();
        for (const std::string& row : rows_of_parts(value_parts(report, pictures, false), width))
            ImGui::TextUnformatted(gui::shortened(row, width).c_str());
        ImGui::EndGroup();
        gui::note("spectrum:value");
    }
    ImGui::PopFont();
    if (!pictures.pointed()) {
        gui::remark("Power in dB: point at a frequency.", false);
        gui::tooltip(
            fmt::format("0 dB is the strongest frequency of the samples, the mean left out: its mean square is "
                        "{:.3g}.",
                        report.of.front().spectrum->largest()));
    }
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + height));
}

std::string part_words(const SpectrumReport& report) {
    const int width = report.part.x1 - report.part.x0 + 1, height = report.part.y1 - report.part.y0 + 1;
    const char* const which = report.of_selection ? "selected" : "in view";
    if (Extent{width, height} == report.asked) return fmt::format("Of the {} × {} samples {}.", width, height, which);
    return fmt::format("Of the middle {} × {} of {} × {} samples {}.", width, height, report.asked.width,
                       report.asked.height, which);
}

std::string spectrum_notes(const SpectrumReport& report) {
    std::string text = part_words(report);
    const int64_t not_finite = report.of.front().spectrum->not_finite;
    if (not_finite > 0) text += fmt::format(" {} of them are NaN or infinite and count as 0.", not_finite);
    if (report.warped) text += " The picture is warped: where it is stretched, frequencies in the panes are lower.";
    std::string widened;
    for (const ShownSpectrum& shown : report.of)
        if (shown.widened) widened += (widened.empty() ? "" : ", ") + pane_name(shown.pane);
    if (!widened.empty())
        text += fmt::format(" {}: widened by antialiasing, so that the method's response does not apply.", widened);
    return text;
}

}  // namespace

void spectrum_tab(AppState& state) {
    const SpectrumReport& report = state.report.findings.spectrum;
    if (report.of.empty() || !report.of.front().spectrum) {
        const std::string& why = state.report.findings.no_spectrum;
        if (!state.scene.document()) gui::remark("Open an image to see its spectrum.", false);
        else gui::remark(why.empty() ? "Computing …" : why, false);
        return;
    }
    const bool low = is_low();
    if (!low) part_and_channel(state, report);
    const double reach = spectrum_reach(report, state.ui.inspect.spectrum_reach);
    const bool brief = low || report.of.size() > 3 || ImGui::GetContentRegionAvail().x < gui::px(400);
    const float least_plot = gui::px(low ? 120 : brief ? 160 : 190), values = 3 * ImGui::GetFrameHeightWithSpacing();
    const float room = ImGui::GetContentRegionAvail().x;
    const float notes = ImGui::CalcTextSize(spectrum_notes(report).c_str(), nullptr, false, room).y;
    const float below = 2 * (ImGui::GetFrameHeight() + gui::px(4)) + notes + gui::px(24);
    const Pictures pictures(state, report, reach, least_plot + values + (low ? 0 : below));
    state.ui.spectrum_side = pictures.side_pixels();
    pictures.draw(state);
    values_row(report, pictures);
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    gui::plot_view(
        radial_plot(report, state.scene.active, reach),
        {.id = "##plot:radial",
         .zoom = state.ui.inspect.radial,
         .limits = {0, highest_frequency},
         .height = std::clamp(ImGui::GetContentRegionAvail().y - below, least_plot, gui::px(320)),
         .tip = "Radial profile: the mean power of all frequencies at the same distance from 0, in dB below the "
                "strongest frequency of the samples. Dashed: the gain of each method with its prefilter, along "
                "an axis, in the colour of its pane, and that of the prefilter alone in grey.",
         .columns = &state.ui.plot_columns,
         .brief = brief,
         .focus = &focus});
    ImGui::Dummy({0, gui::px(4)});
    if (low) part_and_channel(state, report);
    window_and_reach(state.ui.inspect);
    gui::remark(spectrum_notes(report), false);
    gui::note("spectrum:notes");
}

}  // namespace texelscope::panels
