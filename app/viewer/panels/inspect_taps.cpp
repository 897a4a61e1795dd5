// The taps of the pixel under the cursor, outlined on the picture: colour by the sign of the weight, opacity by its
// size.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/viewer/panels/picture_overlay.h"
#include "app/viewer/widgets/plot_view.h"
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

struct Box {
    ImVec2 low, high;
};

Box text_box(const std::string& text, ImVec2 middle) {
    const float half = text_width(text) / 2;
    return {{middle.x - half, middle.y}, {middle.x + half, middle.y + ImGui::GetFontSize()}};
}

float common_area(const Box& a, const Box& b) {
    const float width = std::min(a.high.x, b.high.x) - std::max(a.low.x, b.low.x),
                height = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
    return width > 0 && height > 0 ? width * height : 0;
}

// Where a tap's two numbers are: how far below the texel's middle, and how far each is moved away from the other.
struct Placement {
    float down = 0, apart = 0;
};

// A tap's weight, and below it its contribution to the value.
class TapNumbers {
public:
    TapNumbers(const TapMap& map, const Tap& tap, int channel, const ValueScale& scale)
        : middle_(map.middle(tap.x, tap.y)),
          weight_(signed_text(tap.weight)),
          product_(product_text(tap.contribution(channel), scale)) {}

    // The area of what `occupied` holds that they would cover.
    float covers(const Placement& place, const std::vector<Box>& occupied) const {
        float area = 0;
        for (const Box& box : occupied)
            area +=
                common_area(text_box(weight_, upper(place)), box) + common_area(text_box(product_, lower(place)), box);
        return area;
    }
    void draw(ImDrawList& draw, const Placement& place) const {
        haloed(draw, upper(place), weight_, gui::rgb(0xffffff));
        haloed(draw, lower(place), product_, gui::rgb(0xd0d4d9));
    }

private:
    ImVec2 upper(const Placement& place) const {
        return {middle_.x, middle_.y + place.down - place.apart - ImGui::GetFontSize() - gui::px(1)};
    }
    ImVec2 lower(const Placement& place) const {
        return {middle_.x, middle_.y + place.down + place.apart + gui::px(1)};
    }

    ImVec2 middle_;
    std::string weight_, product_;
};

// The first of those that cover least: in the middle, above or below it by at most `far`, or one above and one below what
// is there.
template <class Covered> Placement least_covering(float far, const Covered& covered) {
    Placement best;
    float least = FLT_MAX;
    const auto attempt = [&](const Placement& place) {
        const float area = covered(place);
        if (area < least) best = place;
        least = std::min(least, area);
    };
    for (const float part : {0.0f, 0.25f, -0.25f, 0.5f, -0.5f, 0.75f, -0.75f, 1.0f, -1.0f}) attempt({part * far, 0});
    constexpr int steps = 20;
    for (int step = 6; step <= steps; ++step) attempt({0, far * float(step) / steps});
    return best;
}

struct PlacedNumbers {
    TapNumbers numbers;
    Placement place;
};

// In the middle of their texels or as near to it as keeps clear of crosses and fractions, the same in a row if that is
// possible. Fractions yield, crosses do not: what would touch one anywhere is left out; the list of taps has all of them.
std::vector<PlacedNumbers> placed_numbers(const TapMap& map, const TapReport& taps, int channel,
                                          const ValueScale& scale, const std::vector<Box>& crosses,
                                          const std::vector<Box>& fractions) {
    std::vector<PlacedNumbers> placed;
    std::vector<Box> all = crosses;
    all.insert(all.end(), fractions.begin(), fractions.end());
    const float far = std::max(map.square() / 2 - ImGui::GetFontSize() - gui::px(2), 0.0f);
    for (size_t first = 0, end = 0; first < taps.taps.size(); first = end) {
        std::vector<TapNumbers> row;
        for (; end < taps.taps.size() && taps.taps[end].y == taps.taps[first].y; ++end)
            row.emplace_back(map, taps.taps[end], channel, scale);
        const Placement together = least_covering(far, [&](const Placement& place) {
            float area = 0;
            for (const TapNumbers& one : row) area += one.covers(place, all);
            return area;
        });
        for (const TapNumbers& one : row) {
            Placement place = together;
            for (const std::vector<Box>* occupied : std::array{&std::as_const(all), &crosses}) {
                if (one.covers(place, all) <= 0) break;
                place = least_covering(far, [&](const Placement& p) { return one.covers(p, *occupied); });
            }
            if (one.covers(place, crosses) <= 0) placed.push_back({one, place});
        }
    }
    return placed;
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
class FetchMarks {
public:
    FetchMarks(const TapMap& map, const TapFetch& fetch, bool brief)
        : corners_(map.corners(fetch.column - 0.5 + 0.06, fetch.row - 0.5 + 0.06, fetch.column + 1.5 - 0.06,
                               fetch.row + (map.signal() ? 0.5 : 1.5) - 0.06)),
          at_(map.at(fetch.at.x, fetch.at.y)),
          blended_((fetch.fraction_x % 256 != 0) + (fetch.fraction_y % 256 != 0)) {
        if (map.signal()) at_.y = map.middle(fetch.column, fetch.row).y;
        if (const std::string text = fraction(map, fetch, brief); !text.empty()) write(map, text);
    }

    Box cross() const {
        const float r = gui::px(radius + 2);
        return {{at_.x - r, at_.y - r}, {at_.x + r, at_.y + r}};
    }
    std::optional<Box> fraction_box() const {
        return text_.empty() ? std::nullopt : std::optional(text_box(text_, text_at_));
    }
    void drop_fraction() { text_.clear(); }
    int blended() const { return blended_; }  // axes along which it is not exactly on a texel
    void draw(ImDrawList& draw) const {
        const ImVec2 closed[5] = {corners_[0], corners_[1], corners_[2], corners_[3], corners_[0]};
        gui::add_dashed(draw, closed, 5, gui::packed(ink, 0.9f), gui::px(1.5f));
        plus(draw, at_, gui::px(radius), ink);
        if (text_.empty()) return;
        haloed(draw, text_at_, text_, ink);
        const Box box = text_box(text_, text_at_);
        if (gui::ControlLog* log = gui::theme().control_log)
            log->push_back({fmt::format("fraction:{:.0f},{:.0f}", at_.x, at_.y),
                            {box.low.x, box.low.y, box.high.x - box.low.x, box.high.y - box.low.y}});
    }

private:
    static constexpr gui::Colour ink = gui::rgb(0xe8e36a);
    static constexpr float radius = 6;

    // In 1/256, the same way in all frames; empty if there is no room.
    static std::string fraction(const TapMap& map, const TapFetch& fetch, bool brief) {
        const float room = 2 * map.square() - gui::px(12);
        if (map.signal()) return text_width("256/256") <= room ? fmt::format("{}/256", fetch.fraction_x) : "";
        if (!brief && text_width("256/256, 256/256") <= room)
            return fmt::format("{}/256, {}/256", fetch.fraction_x, fetch.fraction_y);
        return text_width("256, 256") <= room ? fmt::format("{}, {}", fetch.fraction_x, fetch.fraction_y) : "";
    }

    // At the edge of the frame that is farther from the cross, or between its rows.
    void write(const TapMap& map, const std::string& text) {
        const float line = ImGui::GetFontSize();
        const bool at_edge = map.square() >= 4 * line + gui::px(12), between = map.square() >= 3 * line + gui::px(8);
        if (!at_edge && (!between || map.signal())) return;
        float low = corners_[0].y, high = low, x = 0, y = 0;
        for (const ImVec2& corner : corners_) {
            low = std::min(low, corner.y);
            high = std::max(high, corner.y);
            x += corner.x / 4;
            y += corner.y / 4;
        }
        float top = at_.y >= y ? low + gui::px(4) : high - line - gui::px(4);
        if (!at_edge) top = y - line / 2;
        if (map.signal()) top = at_.y - 3 * line + gui::px(4);
        text_ = text;
        text_at_ = {x, top};
    }

    std::array<ImVec2, 4> corners_;
    ImVec2 at_, text_at_{};
    int blended_;
    std::string text_;
};

std::vector<Box> fractions_of(const std::vector<FetchMarks>& fetches) {
    std::vector<Box> boxes;
    for (const FetchMarks& one : fetches)
        if (const auto box = one.fraction_box()) boxes.push_back(*box);
    return boxes;
}

bool touches(const Box& box, const std::vector<Box>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Box& other) { return common_area(box, other) > 0; });
}

// Leaves out those that would touch what is in the way.
template <class InTheWay> void keep_fractions_clear(std::vector<FetchMarks>& fetches, const InTheWay& in_the_way) {
    for (FetchMarks& one : fetches)
        if (const auto box = one.fraction_box(); box && in_the_way(*box)) one.drop_fraction();
}

// The fetches; where the fractions of neighbours would touch, short ones, and those of the fetches that blend most.
std::vector<FetchMarks> fetch_marks(const TapMap& map, const TapReport& taps, bool brief = false) {
    std::vector<FetchMarks> fetches;
    for (const TapFetch& one : taps.fetches) fetches.emplace_back(map, one, brief);
    std::ranges::stable_sort(fetches, std::ranges::greater(), &FetchMarks::blended);
    const size_t all = fractions_of(fetches).size();
    std::vector<Box> kept;
    keep_fractions_clear(fetches, [&](const Box& box) { return touches(box, kept) || (kept.push_back(box), false); });
    return kept.size() < all && !brief ? fetch_marks(map, taps, true) : fetches;
}

int shown_channel(const InspectUi& inspect, const TapReport& taps) {
    return std::clamp(inspect.channel, 0, taps.channels - 1);
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
    if (!state.ui.taps || !taps || !image_of(state.scene, taps->pane) || pane_rect(state, taps->pane).empty()) return;
    const TapMap map(state, *taps);
    draw.PushClipRect(map.pane().clip_low(), map.pane().clip_high());
    if (!taps->taps.empty() && acting_warp(state, taps->pane).kind == Warp::Kind::none) {
        if (map.square() < least_square) {
            one_box(draw, map, *taps);
        } else {
            const double most = largest_weight(*taps);
            for (const Tap& tap : taps->taps) square(draw, map, tap, most);
            std::vector<FetchMarks> fetches = fetch_marks(map, *taps);
            std::vector<Box> crosses;
            for (const FetchMarks& one : fetches) crosses.push_back(one.cross());
            keep_fractions_clear(fetches, [&](const Box& box) { return touches(box, crosses); });
            std::vector<PlacedNumbers> numbers;
            if (has_room(map))
                numbers = placed_numbers(map, *taps, shown_channel(state.ui.inspect, *taps),
                                         value_scale(state, taps->pane), crosses, fractions_of(fetches));
            keep_fractions_clear(fetches, [&](const Box& box) {
                return std::any_of(numbers.begin(), numbers.end(),
                                   [&](const PlacedNumbers& one) { return one.numbers.covers(one.place, {box}) > 0; });
            });
            for (const FetchMarks& one : fetches) one.draw(draw);
            for (const PlacedNumbers& one : numbers) one.numbers.draw(draw, one.place);
        }
    }
    const ImVec2 pixel = map.pane().at_pixel(taps->i, taps->j);
    draw.AddCircle(pixel, gui::px(4), gui::packed(gui::rgb(0x000000), 0.8f), 0, gui::px(3.5f));
    draw.AddCircle(pixel, gui::px(4), gui::packed(gui::rgb(0xffffff)), 0, gui::px(1.5f));
    draw.PopClipRect();
}

}  // namespace texelscope::panels
