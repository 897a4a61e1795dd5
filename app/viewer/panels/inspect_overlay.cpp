// Over the picture: pixel grid, pixel values, the line of the profile, taps.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/panels/picture_overlay.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/colour.h"

namespace texelscope::panels {
namespace {

constexpr double grid_from = 8, grid_full = 16;  // zoom
constexpr int64_t most_grid_lines = 1000;

// Light and dark side by side: visible on every picture.
void engraved(ImDrawList& draw, ImVec2 a, ImVec2 b, float opacity) {
    const float w = 1 / gui::theme().pixel_ratio;
    const bool upright = std::abs(b.y - a.y) > std::abs(b.x - a.x);
    const ImVec2 beside = upright ? ImVec2{w, 0} : ImVec2{0, w};
    draw.AddLine(a, b, gui::packed(gui::rgb(0x000000), 0.38f * opacity), w);
    draw.AddLine({a.x + beside.x, a.y + beside.y}, {b.x + beside.x, b.y + beside.y},
                 gui::packed(gui::rgb(0xffffff), 0.17f * opacity), w);
}

void grid(const AppState& state, int pane, const PaneMap& map, ImDrawList& draw) {
    const double zoom = pane_view(state, pane).zoom();
    const float opacity = float(std::clamp((zoom - grid_from) / (grid_full - grid_from), 0.0, 1.0));
    const bool signal = shows_signal(state, pane);
    const SampleRange range = map.in_view(image_extent(state, pane));
    if (opacity <= 0 || range.x1 < range.x0 || range.x1 - range.x0 + range.y1 - range.y0 > most_grid_lines) return;
    const double top = signal ? -map.reach() : range.y0 - 0.5, bottom = signal ? map.reach() : range.y1 + 0.5;
    for (const auto& [low, high] : free_parts(map.clip_low(), map.clip_high(), map.covers())) {
        draw.PushClipRect(low, high, true);
        for (int x = range.x0; x <= range.x1 + 1; ++x)
            engraved(draw, map.at({x - 0.5, top}), map.at({x - 0.5, bottom}), opacity);
        for (int y = range.y0; !signal && y <= range.y1 + 1; ++y)
            engraved(draw, map.at({range.x0 - 0.5, y - 0.5}), map.at({range.x1 + 0.5, y - 0.5}), opacity);
        draw.PopClipRect();
    }
}

// The longest usual text of a sample: that of white, of a float or of an integer.
std::string longest_text(const ValueScale& scale, SampleType type) {
    if (is_normalised(type)) return scale.stored(1.0);
    return is_float(type) ? "-0.1234" : bytes_per_sample(type) == 1 ? "-128" : "-12345";
}

float lightness(const Image& image, int x, int y) {
    const int colours = image.channels() - (image.alpha() != Alpha::none ? 1 : 0);
    const auto v = [&](int c) { return std::clamp(image.value(x, y, c), 0.0f, 1.0f); };
    if (colours == 1) return v(0);
    return luma(v(0), v(1), colours > 2 ? v(2) : 0);
}

class Values {
public:
    Values(const AppState& state, int pane, const PaneMap& map, ImDrawList& draw)
        : map_(map),
          draw_(draw),
          image_(image_of(state.scene, pane)),
          samples_(report_of(state.report, pane) ? &report_of(state.report, pane)->samples : nullptr),
          scale_(value_scale(state, pane)),
          taken_(samples_with_tap_text(state, pane)),
          on_difference_(has_difference(state, pane)),
          size_(ImGui::GetFontSize()),
          line_(std::round(size_ * 0.86f)) {}

    // Fades in once a sample has space for the numbers of all its channels.
    float opacity() const {
        const float wide = width(longest_text(scale_, image_->type())) + gui::px(8),
                    high = line_ * float(image_->channels()) + gui::px(4), needed = std::max(wide, high);
        return std::clamp((map_.sample_size() - needed) / (0.12f * needed), 0.0f, 1.0f);
    }

    void draw() {
        opacity_ = opacity();
        const SampleRange range = map_.in_view({image_->width(), image_->height()});
        if (opacity_ <= 0 || range.x1 < range.x0) return;
        if (image_->one_dimensional()) {
            for (int x = range.x0; x <= range.x1; ++x) cell(x, 0, middle_of_signal(x));
            return;
        }
        if (range.empty() || range.count() * image_->channels() > SamplesInView::most_values) return;
        for (int y = range.y0; y <= range.y1; ++y)
            for (int x = range.x0; x <= range.x1; ++x)
                if (!std::binary_search(taken_.begin(), taken_.end(), std::pair(x, y))) uncovered_cell(x, y);
    }

private:
    float width(const std::string& text) const {
        return gui::theme().mono->CalcTextSizeA(size_, FLT_MAX, 0, text.c_str()).x;
    }

    // A signal has no height: its numbers are at the middle of the pane's height.
    ImVec2 middle_of_signal(int x) const {
        const ImVec2 a = map_.at({double(x), -map_.reach()}), b = map_.at({double(x), map_.reach()});
        const float middle = (map_.clip_low().y + map_.clip_high().y) / 2;
        const float t = b.y != a.y ? (middle - a.y) / (b.y - a.y) : 0.5f;
        return {a.x + t * (b.x - a.x), middle};
    }

    void uncovered_cell(int x, int y) {
        const ImVec2 centre = map_.at({double(x), double(y)});
        const float half = map_.sample_size() / 2;
        for (const auto& [low, high] : map_.covers())
            if (centre.x > low.x - half && centre.x < high.x + half && centre.y > low.y - half &&
                centre.y < high.y + half)
                return;
        cell(x, y, centre);
    }

    void cell(int x, int y, ImVec2 centre) {
        const bool by_regions = !image_->in_memory();
        if (by_regions && (!samples_ || samples_->of != image_ || !samples_->have(x, y))) return;  // still to come
        const Image& image = by_regions ? *samples_->values : *image_;
        const int at_x = by_regions ? x - samples_->x : x, at_y = by_regions ? y - samples_->y : y;
        const int channels = image_->channels(), colours = channels - (image_->alpha() != Alpha::none ? 1 : 0);
        const float light = on_difference_ ? 0 : lightness(image, at_x, at_y);
        std::array<std::string, 4> texts;
        float widest = 0;
        for (int c = 0; c < channels; ++c) {
            const bool as_stored = is_integer(image_->type()) && image.type() == image_->type();
            texts[size_t(c)] = as_stored ? scale_.stored(image.number(at_x, at_y, c))
                                         : scale_.stored(double(image.value(at_x, at_y, c)));
            widest = std::max(widest, width(texts[size_t(c)]));
        }
        plate(centre, widest, line_ * float(channels), gui::value_ink(0, colours, light));
        for (int c = 0; c < channels; ++c) {
            const std::string& text = texts[size_t(c)];
            const gui::ValueInk ink = gui::value_ink(c, colours, light);
            const ImVec2 at{std::round(centre.x - width(text) / 2),
                            std::round(centre.y + line_ * (float(c) - float(channels) / 2))};
            draw_.AddText(gui::theme().mono, size_, {at.x + 1, at.y + 1}, gui::packed(ink.plate, 0.5f * opacity_),
                          text.c_str());
            draw_.AddText(gui::theme().mono, size_, at, gui::packed(ink.text, opacity_), text.c_str());
        }
    }

    // Behind the numbers of a sample, if its tone asks for one.
    void plate(ImVec2 centre, float wide, float high, const gui::ValueInk& ink) const {
        if (ink.plate_opacity <= 0) return;
        const ImVec2 half{wide / 2 + gui::px(3), high / 2 + gui::px(1)};
        draw_.AddRectFilled({centre.x - half.x, centre.y - half.y}, {centre.x + half.x, centre.y + half.y},
                            gui::packed(ink.plate, ink.plate_opacity * opacity_), gui::px(2));
    }

    const PaneMap& map_;
    ImDrawList& draw_;
    std::shared_ptr<const Image> image_;
    const SamplesInView* samples_;  // of an image that is not in memory
    ValueScale scale_;
    std::vector<std::pair<int, int>> taken_;  // by the numbers of taps
    bool on_difference_;                      // dark, however light the samples are
    float size_, line_, opacity_ = 0;
};

// In the lower right corner of a pane whose picture is a difference, of which the numbers are not.
void name_numbers(const PaneMap& map, float opacity, ImDrawList& draw) {
    const ImVec2 low = map.clip_low(), high = map.clip_high();
    ImFont* font = gui::theme().small;
    const float pad = gui::px(8), inset = gui::px(10), height = font->FontSize + gui::px(6);
    for (const char* text : {"numbers: the picture's samples, not differences", "numbers: samples", "samples"}) {
        const float width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text).x + 2 * pad;
        if (width + 2 * inset > high.x - low.x) continue;
        ImVec2 at{high.x - inset - width, high.y - inset - height};
        for (const auto& [from, to] : map.covers())
            if (at.x < to.x && at.x + width > from.x && at.y < to.y && at.y + height > from.y)
                at.y = from.y - inset - height;
        draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::panel, 0.92f * opacity),
                           gui::px(4));
        draw.AddText(font, font->FontSize, {at.x + pad, at.y + gui::px(3)}, gui::packed(gui::colour::text, opacity),
                     text);
        if (gui::ControlLog* log = gui::theme().control_log)
            log->push_back({"overlay:numbers", {at.x, at.y, width, height}});
        return;
    }
}

// Faint below numbers, which it must not strike through.
void profile_line(const AppState& state, int pane, float opacity, ImDrawList& draw) {
    const ProfileReport& profile = state.report.findings.profile;
    if (profile.channels == 0 || !profile.has_y) return;
    const PaneMap map(state, pane, current_affine(state, pane));
    const ImVec2 a = map.at(profile.a), b = map.at(profile.b);
    draw.AddLine(a, b, gui::packed(gui::rgb(0x000000), 0.55f * opacity), gui::px(3));
    draw.AddLine(a, b, gui::packed(gui::rgb(0xffffff), 0.85f * opacity), gui::px(1));
    if (state.scene.profile.along != ProfileLine::Along::line) return;
    for (const ImVec2& end : {a, b}) {
        draw.AddCircleFilled(end, gui::px(4.5f), gui::packed(gui::rgb(0x000000), 0.55f));
        draw.AddCircleFilled(end, gui::px(3), gui::packed(gui::rgb(0xffffff)));
    }
}

// Marks the cursor of a session, which has no mouse pointer.
void held_cursor(const AppState& state, int pane, ImDrawList& draw) {
    const ImVec2 at = PaneMap(state, pane, current_affine(state, pane)).at(*state.ui.cursor);
    draw.AddCircle(at, gui::px(7), gui::packed(gui::rgb(0x000000), 0.6f), 32, gui::px(4));
    draw.AddCircle(at, gui::px(7), gui::packed(gui::rgb(0xffd54a)), 32, gui::px(2));
}

}  // namespace

void inspect_overlay(AppState& state) {
    if (state.places.picture.empty()) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    for (const int pane : panes_in_view(state.scene)) {
        if (!image_of(state.scene, pane) || pane_rect(state, pane).empty()) continue;
        const PaneMap map(state, pane, shown_affine(state, pane));
        draw.PushClipRect(map.clip_low(), map.clip_high());
        if (acting_warp(state, pane).kind == Warp::Kind::none) {
            if (state.ui.pixel_grid) grid(state, pane, map, draw);
            Values values(state, pane, map, draw);
            const float numbers = state.ui.pixel_values ? values.opacity() : 0;
            if (state.ui.dock == Dock::profile) profile_line(state, pane, 1 - 0.75f * numbers, draw);
            if (numbers > 0) values.draw();
            if (numbers > 0 && has_difference(state, pane)) name_numbers(map, numbers, draw);
        }
        if (state.ui.cursor) held_cursor(state, pane, draw);
        draw.PopClipRect();
    }
    draw_taps(state, draw);
}

}  // namespace texelscope::panels
