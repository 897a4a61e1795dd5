// The taps of the pixel under the cursor, outlined on the picture: colour by the sign of the weight, opacity by its
// size.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/readout_text.h"
#include "app/viewer/panels/pane_map.h"
#include "app/viewer/widgets/plot_frame.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float least_square = 3;  // window coordinates; smaller taps are outlined as one

double on_image(double level, int level_size, int size) { return (level + 0.5) * size / level_size - 0.5; }

// From the level read to the window.
class TapMap {
public:
    TapMap(const AppState& state, const TapReport& taps)
        : map_(state, taps.pane, shown_affine(state, taps.pane)),
          image_(image_extent(state, taps.pane)),
          taps_(taps),
          signal_(shows_signal(state, taps.pane)) {}

    const PaneMap& pane() const { return map_; }
    bool signal() const { return signal_; }
    float square() const {
        return map_.sample_size() *
               float(std::min(double(image_.width) / taps_.width, double(image_.height) / taps_.height));
    }
    ImVec2 at(double x, double y) const { return map_.at({on_image(x, taps_.width, image_.width), row(y)}); }
    std::array<ImVec2, 4> corners(double x0, double y0, double x1, double y1) const {
        const double top = signal_ ? -map_.reach() : row(y0), bottom = signal_ ? map_.reach() : row(y1);
        return map_.corners(on_image(x0, taps_.width, image_.width), top, on_image(x1, taps_.width, image_.width),
                            bottom);
    }
    std::array<ImVec2, 4> box(int x, int y, double inset) const {
        return corners(x - 0.5 + inset, y - 0.5 + inset, x + 0.5 - inset, y + 0.5 - inset);
    }
    // Position of a tap's numbers; for a signal, at the height of the pixel.
    ImVec2 middle(int x, int y) const {
        ImVec2 p = at(x, y);
        if (signal_) p.y = map_.at_pixel(taps_.i, taps_.j).y;
        return p;
    }

private:
    double row(double y) const { return on_image(y, taps_.height, image_.height); }

    PaneMap map_;
    Extent image_;
    const TapReport& taps_;
    bool signal_;
};

double largest_weight(const TapReport& taps) {
    double most = 0;
    for (const Tap& tap : taps.taps) most = std::max(most, std::abs(tap.weight));
    return most;
}

gui::Colour sign_colour(double weight) { return weight < 0 ? gui::pane_colour(1) : gui::pane_colour(0); }

void outline(ImDrawList& draw, const std::array<ImVec2, 4>& corners, ImU32 ink, float thickness) {
    draw.AddPolyline(corners.data(), 4, ink, ImDrawFlags_Closed, thickness);
}

void square(ImDrawList& draw, const TapMap& map, const Tap& tap, double most) {
    const float size = most > 0 ? float(std::abs(tap.weight) / most) : 0;
    const auto corners = map.box(tap.x, tap.y, 0.02);
    const gui::Colour& ink = sign_colour(tap.weight);
    if (tap.weight != 0) draw.AddConvexPolyFilled(corners.data(), 4, gui::packed(ink, 0.10f + 0.30f * size));
    outline(draw, corners, gui::packed(gui::rgb(0x000000), 0.55f), gui::px(3));
    outline(draw, corners, gui::packed(tap.weight == 0 ? gui::colour::secondary : ink, 0.35f + 0.65f * size),
            gui::px(1.5f));
}

// Too small to distinguish.
void one_box(ImDrawList& draw, const TapMap& map, const TapReport& taps) {
    int x0 = taps.taps[0].x, x1 = x0, y0 = taps.taps[0].y, y1 = y0;
    for (const Tap& tap : taps.taps) {
        x0 = std::min(x0, tap.x);
        x1 = std::max(x1, tap.x);
        y0 = std::min(y0, tap.y);
        y1 = std::max(y1, tap.y);
    }
    const auto corners = map.corners(x0 - 0.5, y0 - 0.5, x1 + 0.5, y1 + 0.5);
    outline(draw, corners, gui::packed(gui::rgb(0x000000), 0.6f), gui::px(3));
    outline(draw, corners, gui::packed(gui::colour::accent), gui::px(1.5f));
}

std::string signed_text(double value, int decimals = 3) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    return (value < 0 ? "−" : "+") + fmt::format("{:.{}f}", std::abs(value), decimals);
}

// As wide as a weight.
std::string product_text(double value, const ValueScale& scale) {
    return signed_text(value * scale.factor(), scale.factor() > 255 ? 0 : scale.factor() > 1 ? 1 : 3);
}

float text_width(const std::string& text) {
    return gui::theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.c_str()).x;
}

bool has_room(const TapMap& map) {
    return map.square() >= std::max(text_width("+0.000") + gui::px(6), 2 * ImGui::GetFontSize() + gui::px(8));
}

void haloed(ImDrawList& draw, ImVec2 middle, const std::string& text, const gui::Colour& ink) {
    const ImVec2 at{std::round(middle.x - text_width(text) / 2), std::round(middle.y)};
    const float size = ImGui::GetFontSize();
    for (const ImVec2 beside : {ImVec2{-1, 0}, ImVec2{1, 0}, ImVec2{0, -1}, ImVec2{0, 1}})
        draw.AddText(gui::theme().mono, size, {at.x + beside.x, at.y + beside.y},
                     gui::packed(gui::rgb(0x000000), 0.75f), text.c_str());
    draw.AddText(gui::theme().mono, size, at, gui::packed(ink), text.c_str());
}

// Its weight, and below it its contribution to the value.
void numbers(ImDrawList& draw, const TapMap& map, const Tap& tap, int channel, const ValueScale& scale) {
    const ImVec2 middle = map.middle(tap.x, tap.y);
    const float line = ImGui::GetFontSize();
    haloed(draw, {middle.x, middle.y - line - gui::px(1)}, signed_text(tap.weight), gui::rgb(0xffffff));
    haloed(draw, {middle.x, middle.y + gui::px(1)}, product_text(tap.contribution(channel), scale), gui::rgb(0xd0d4d9));
}

void plus(ImDrawList& draw, ImVec2 at, float r, const gui::Colour& ink) {
    const auto stroke = [&](ImU32 colour, float thickness) {
        draw.AddLine({at.x - r, at.y}, {at.x + r, at.y}, colour, thickness);
        draw.AddLine({at.x, at.y - r}, {at.x, at.y + r}, colour, thickness);
    };
    stroke(gui::packed(gui::rgb(0x000000), 0.8f), gui::px(4));
    stroke(gui::packed(ink), gui::px(1.5f));
}

// The 2×2 group of a fetch, its position, and the fraction used by the texture unit.
void fetch(ImDrawList& draw, const TapMap& map, const TapFetch& f) {
    static constexpr gui::Colour ink = gui::rgb(0xe8e36a);
    const double down = map.signal() ? 0.5 : 1.5;
    const auto corners =
        map.corners(f.column - 0.5 + 0.06, f.row - 0.5 + 0.06, f.column + 1.5 - 0.06, f.row + down - 0.06);
    ImVec2 closed[5] = {corners[0], corners[1], corners[2], corners[3], corners[0]};
    gui::add_dashed(draw, closed, 5, gui::packed(ink, 0.9f), gui::px(1.5f));
    ImVec2 at = map.at(f.at.x, f.at.y);
    if (map.signal()) at.y = map.middle(f.column, f.row).y;
    plus(draw, at, gui::px(6), ink);
    const std::string text =
        map.signal() ? fmt::format("{}/256", f.fraction_x) : fmt::format("{}/256, {}/256", f.fraction_x, f.fraction_y);
    // At the upper edge of the group, or between its rows, clear of the numbers of its texels.
    const float line = ImGui::GetFontSize();
    const bool at_edge = map.square() >= 4 * line + gui::px(12), between = map.square() >= 3 * line + gui::px(8);
    if (!(at_edge || (between && !map.signal())) || 2 * map.square() < text_width(text) + gui::px(12)) return;
    float top = corners[0].y, middle = 0, middle_y = 0;
    for (const ImVec2& corner : corners) {
        top = std::min(top, corner.y);
        middle += corner.x / 4;
        middle_y += corner.y / 4;
    }
    if (!at_edge) top = middle_y - line / 2 - gui::px(4);
    if (map.signal()) top = map.middle(f.column, f.row).y - 3 * line;
    haloed(draw, {middle, top + gui::px(4)}, text, ink);
}

int shown_channel(const AppState& state, const TapReport& taps) {
    return std::clamp(state.ui.inspect.channel, 0, taps.channels - 1);
}

}  // namespace

std::vector<std::pair<int, int>> samples_with_tap_text(const AppState& state, int pane) {
    const auto& taps = state.report.findings.taps;
    std::vector<std::pair<int, int>> samples;
    if (!state.ui.taps || !taps || taps->pane != pane || taps->level_x > 0 || taps->level_y > 0 ||
        !has_room(TapMap(state, *taps)))
        return samples;
    for (const Tap& tap : taps->taps) samples.push_back({tap.x, tap.y});
    std::sort(samples.begin(), samples.end());
    return samples;
}

void draw_taps(const AppState& state, ImDrawList& draw) {
    const auto& taps = state.report.findings.taps;
    if (!state.ui.taps || !taps || !image_of(state, taps->pane) || pane_rect(state, taps->pane).empty()) return;
    const TapMap map(state, *taps);
    draw.PushClipRect(map.pane().clip_low(), map.pane().clip_high());
    if (!taps->taps.empty() && acting_warp(state, taps->pane).kind == Warp::Kind::none) {
        if (map.square() < least_square) {
            one_box(draw, map, *taps);
        } else {
            const double most = largest_weight(*taps);
            for (const Tap& tap : taps->taps) square(draw, map, tap, most);
            if (has_room(map))
                for (const Tap& tap : taps->taps)
                    numbers(draw, map, tap, shown_channel(state, *taps), value_scale(state, taps->pane));
            for (const TapFetch& one : taps->fetches) fetch(draw, map, one);
        }
    }
    const ImVec2 pixel = map.pane().at_pixel(taps->i, taps->j);
    draw.AddCircle(pixel, gui::px(4), gui::packed(gui::rgb(0x000000), 0.8f), 0, gui::px(3.5f));
    draw.AddCircle(pixel, gui::px(4), gui::packed(gui::rgb(0xffffff)), 0, gui::px(1.5f));
    draw.PopClipRect();
}

}  // namespace texelscope::panels
