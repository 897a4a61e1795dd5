// The frame of a plot with its axes, and its legend.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/plot.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {

Colour colour_of(Ink ink) {
    static constexpr Colour quiet = rgb(0xb4bac2);
    return ink == Ink::grey ? quiet : pane_colour(int(ink));
}

namespace {

double place(const PlotAxis& axis, double value) {
    if (!axis.logarithmic) return (value - axis.minimum) / (axis.maximum - axis.minimum);
    value = std::max(value, axis.minimum * 1e-30);
    return std::log(value / axis.minimum) / std::log(axis.maximum / axis.minimum);
}

// Points far outside move nearer but stay outside, so that no coordinate is huge.
double kept_near(double place) { return std::isnan(place) ? place : std::clamp(place, -2.0, 3.0); }

constexpr size_t least_columns_between = 3;  // dots closer together cannot be distinguished

}  // namespace

float PlotFrame::column(double value) const { return float(a_.x + kept_near(place(x_, value)) * double(b_.x - a_.x)); }
float PlotFrame::row(double value) const { return float(b_.y - kept_near(place(y_, value)) * double(b_.y - a_.y)); }

namespace {
double value_of(const PlotAxis& axis, double place) {
    if (axis.logarithmic) return axis.minimum * std::pow(axis.maximum / axis.minimum, place);
    return std::lerp(axis.minimum, axis.maximum, place);
}
}  // namespace

double PlotFrame::value_at(float at) const { return value_of(x_, double(at - a_.x) / double(b_.x - a_.x)); }
double PlotFrame::height_at(float at) const { return value_of(y_, double(b_.y - at) / double(b_.y - a_.y)); }

PlotFrame::Span PlotFrame::in_view(const Series& series) const {
    const auto begin = series.x.begin(), end = series.x.end();
    const auto first = std::lower_bound(begin, end, x_.minimum), last = std::upper_bound(begin, end, x_.maximum);
    return {size_t(first - begin) - (first != begin), size_t(last - begin) + (last != end)};
}

void PlotFrame::draw(ImDrawList& draw, const Series& series, const CurveLook& look) const {
    draw.PushClipRect({a_.x - px(1), a_.y - px(1)}, {b_.x + px(1), b_.y + px(1)}, true);
    if (series.style == Series::Style::dots) draw_dots(draw, series);
    else if (series.style == Series::Style::area) draw_area(draw, series);
    else draw_line(draw, series, look);
    draw.PopClipRect();
}

void PlotFrame::draw_dots(ImDrawList& draw, const Series& series) const {
    const Span span = in_view(series);
    if ((span.last - span.first) * least_columns_between > size_t(std::max(b_.x - a_.x, 0.0f))) return;
    const float radius = px(3.5f);
    for (size_t k = span.first; k < span.last; ++k) {
        if (!std::isfinite(series.y[k])) continue;
        const ImVec2 at{column(series.x[k]), row(series.y[k])};
        draw.AddCircleFilled(at, radius + px(1), packed(rgb(0x1c1e21)));
        draw.AddCircleFilled(at, radius, packed(colour_of(series.ink)));
    }
}

void PlotFrame::draw_line(ImDrawList& draw, const Series& series, const CurveLook& look) const {
    const Span span = in_view(series);
    const ImU32 ink = packed(colour_of(series.ink), look.opacity);
    const float thickness = look.thickness * theme().scale;
    std::vector<ImVec2> points;
    const auto stroke = [&] {
        if (series.style == Series::Style::dashed) add_dashed(draw, points.data(), int(points.size()), ink, thickness);
        else if (points.size() > 1) draw.AddPolyline(points.data(), int(points.size()), ink, 0, thickness);
        points.clear();
    };
    for (size_t k = span.first; k < span.last; ++k) {
        if (std::isnan(series.x[k]) || std::isnan(series.y[k])) stroke();
        else points.push_back({column(series.x[k]), row(series.y[k])});
    }
    stroke();
}

// Without antialiasing, which would draw a seam between neighbouring strips.
void PlotFrame::draw_area(ImDrawList& draw, const Series& series) const {
    const ImDrawListFlags flags = draw.Flags;
    draw.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    const Span span = in_view(series);
    const ImU32 ink = packed(colour_of(series.ink), 0.34f);
    for (size_t k = span.first; k + 1 < span.last; ++k) {
        if (std::isnan(series.y[k]) || std::isnan(series.y[k + 1])) continue;
        const float left = column(series.x[k]), right = column(series.x[k + 1]);
        if (right > left)
            draw.AddQuadFilled({left, row(series.y[k])}, {right, row(series.y[k + 1])}, {right, b_.y}, {left, b_.y},
                               ink);
    }
    draw.Flags = flags;
}

void add_dashed(ImDrawList& draw, const ImVec2* points, int count, ImU32 ink, float thickness) {
    const float on = px(6), period = px(10);
    float way = 0;  // within the current dash and gap
    for (int k = 0; k + 1 < count; ++k) {
        const ImVec2 a = points[k], b = points[k + 1];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        for (float done = 0; done < length;) {
            const bool inked = way < on;
            const float step = std::min((inked ? on : period) - way, length - done), s = done / length,
                        e = (done + step) / length;
            if (inked)
                draw.AddLine({a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)},
                             {a.x + e * (b.x - a.x), a.y + e * (b.y - a.y)}, ink, thickness);
            done += std::max(step, 1e-3f);
            way += std::max(step, 1e-3f);
            if (way >= period) way = 0;
        }
    }
}

namespace {

constexpr float covered = 3;  // pixels between two points that cannot be told apart

}  // namespace

std::vector<PlotPoint> nearest_points(const Plot& plot, const PlotFrame& frame, ImVec2 mouse) {
    std::vector<PlotPoint> points;
    for (const Series& series : plot.series)
        for (size_t k = 0; k < std::min(series.x.size(), series.words.size()); ++k) {
            const ImVec2 at{frame.column(series.x[k]), frame.row(series.y[k])};
            if (at.x >= frame.upper_left().x - 1 && at.x <= frame.lower_right().x + 1)
                points.push_back({&series.words[k], series.x[k], at});
        }
    const auto distance = [](ImVec2 a, ImVec2 b) { return std::hypot(a.x - b.x, a.y - b.y); };
    std::stable_sort(points.begin(), points.end(), [&](const PlotPoint& a, const PlotPoint& b) {
        return distance(a.at, mouse) < distance(b.at, mouse);
    });
    if (points.empty()) return {};
    const ImVec2 nearest = points[0].at;
    std::erase_if(points, [&](const PlotPoint& point) { return distance(point.at, nearest) > covered; });
    return points;
}

namespace {

void draw_names(ImDrawList& draw, const Plot& plot, const PlotFrame& frame) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    const LabelSurface surface{
        .place =
            [&](double x, double y) {
                return Point{frame.column(x), frame.row(y)};
            },
        .width =
            [](std::string_view words) { return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x; },
        .low = {a.x + px(6), a.y},  // clear of the axes
        .high = {b.x - px(2), b.y - px(1)},
        .height = ImGui::GetFontSize(),
        .gap = px(6)};
    for (const PlacedName& name : placed_names(plot, surface)) {
        const ImVec2 at{float(name.at.x), float(name.at.y)};
        if (const auto& way = name.to_point)
            draw.AddLine({float(way->first.x), float(way->first.y)}, {float(way->second.x), float(way->second.y)},
                         packed(colour::secondary), px(1));
        draw.AddText(at, packed(colour::text), name.name.data(), name.name.data() + name.name.size());
        if (ControlLog* log = theme().control_log)
            log->push_back({fmt::format("point-name:{}", name.name),
                            {at.x, at.y, float(surface.width(name.name)), float(surface.height)}});
    }
}

// For tests: where the points with words are.
void note_points(const Plot& plot, const PlotFrame& frame) {
    ControlLog* log = theme().control_log;
    if (!log) return;
    const float radius = px(4);
    for (const Series& series : plot.series)
        for (size_t k = 0; k < series.words.size(); ++k)
            log->push_back(
                {"point:" + series.words[k].name,
                 {frame.column(series.x[k]) - radius, frame.row(series.y[k]) - radius, 2 * radius, 2 * radius}});
}

// What the points at the mouse stand for, at once: reading a plot is pointing at it.
void show_points(ImDrawList& draw, const std::vector<PlotPoint>& points) {
    draw.AddCircle(points[0].at, px(6), packed(colour::text), 0, px(1.5f));
    ImGui::BeginTooltip();
    for (const PlotPoint& point : points) {
        ImGui::PushFont(theme().heading);
        ImGui::TextUnformatted(point.words->name.c_str());
        ImGui::PopFont();
        ImGui::TextUnformatted(point.words->more.c_str());
        if (ControlLog* log = theme().control_log) log->push_back({"pointed:" + point.words->name, {}});
    }
    ImGui::EndTooltip();
}

}  // namespace

void draw_point_words(ImDrawList& draw, const Plot& plot, const PlotFrame& frame,
                      const std::vector<PlotPoint>& pointed) {
    draw_names(draw, plot, frame);
    note_points(plot, frame);
    if (!pointed.empty()) show_points(draw, pointed);
}

double series_value(const Series& series, double x, double reach) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (series.x.empty()) return none;
    const auto after = std::lower_bound(series.x.begin(), series.x.end(), x);
    const size_t k = size_t(after - series.x.begin());
    if (series.style == Series::Style::dots) {
        const bool left = k > 0 && (k == series.x.size() || x - series.x[k - 1] < series.x[k] - x);
        const size_t nearest = left ? k - 1 : k;
        return std::abs(series.x[nearest] - x) <= reach ? series.y[nearest] : none;
    }
    if (k == series.x.size()) return none;
    if (series.x[k] == x || k == 0) return series.x[k] == x ? series.y[k] : none;
    const double t = (x - series.x[k - 1]) / (series.x[k] - series.x[k - 1]);
    return std::lerp(series.y[k - 1], series.y[k], t);
}

LegendGrid legend_grid(int entries, float widest, float width) {
    const int most = std::clamp(int(width / widest), 1, std::max(entries, 1));
    const int rows = (entries + most - 1) / most;
    const int columns = rows > 0 ? (entries + rows - 1) / rows : 1;  // no row much shorter than the others
    return {columns, rows, width / float(columns)};
}

std::string value_words(double value) {
    if (std::isnan(value)) return "";
    const double size = std::abs(value);
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    if (size < 1e9 && size == std::floor(size)) return (value < 0 ? "−" : "") + fmt::format("{:.0f}", size);
    const std::string text = size != 0 && (size < 1e-4 || size >= 1e6) ? fmt::format("{:.3e}", size)
                             : size >= 1000                            ? fmt::format("{:.1f}", size)
                             : size >= 10                              ? fmt::format("{:.3f}", size)
                                                                       : fmt::format("{:.5f}", size);
    return (value < 0 ? "−" : "") + text;
}

std::string place_words(double value, double step) {
    constexpr int most_decimals = 5;
    const double size = std::abs(value);
    const int decimals =
        step > 0 && std::isfinite(step) ? std::max(int(std::ceil(-std::log10(step))), 0) : most_decimals + 1;
    if (!(size < 1e6) || decimals > most_decimals) return value_words(value);
    const std::string text = fmt::format("{:.{}f}", size, decimals);
    const bool zero = text.find_first_not_of("0.") == text.npos;
    return (value < 0 && !zero ? "−" : "") + text;
}

namespace {

constexpr size_t most_with_values = 6;
constexpr float swatch_width = 18, short_swatch_width = 12, after_swatch = 6, gap = 8;  // units

float small_width(const char* text) {
    return theme().small->CalcTextSizeA(theme().small->FontSize, FLT_MAX, 0, text).x;
}

float entry_line_height() { return ImGui::GetFontSize() + px(4); }

// "A" of "A  Cubic B-spline".
std::string first_word(const std::string& name) { return name.substr(0, name.find("  ")); }

void swatch(ImDrawList& draw, Series::Style style, Ink which, ImVec2 at, float width) {
    const float y = at.y + ImGui::GetFontSize() / 2, x = at.x;
    const ImU32 ink = packed(colour_of(which));
    const ImVec2 ends[2] = {{x, y}, {x + width, y}};
    if (style == Series::Style::dots) draw.AddCircleFilled({x + width / 2, y}, px(3.5f), ink);
    else if (style == Series::Style::area)
        draw.AddRectFilled({x, y - px(5)}, {x + width, y + px(5)}, packed(colour_of(which), 0.34f), px(2));
    else if (style == Series::Style::dashed) add_dashed(draw, ends, 2, ink, px(2));
    else draw.AddLine(ends[0], ends[1], ink, px(2));
}

}  // namespace

PlotLegend::PlotLegend(const std::vector<Series>& series, ImVec2 at, float indent, float width, bool brief)
    : at_(at), indent_(indent), height_(entry_line_height()) {
    for (const Series& one : series)
        if (!one.name.empty()) entries_.push_back({one.name, one.name, one.style, one.ink});
    short_ = !entries_.empty() && (brief || entries_.size() > most_with_values);
    if (short_) place_short(width);
    else place(width);
}

void PlotLegend::place(float width) {
    const float values = small_width("−0.00000");
    float sum = 0, widest = 1;
    for (Entry& entry : entries_) {
        // Shared by plots with and without dots: their values are 0 and 1.
        const bool has_value = indent_ > 0 || entry.style != Series::Style::dots;
        entry.width = px(swatch_width + after_swatch) + ImGui::CalcTextSize(entry.text.c_str()).x +
                      (has_value ? px(6) + values : 0);
        sum += entry.width + px(gap);
        widest = std::max(widest, entry.width + px(gap));
    }
    if (indent_ + sum <= width) {
        ImVec2 at{at_.x + indent_, at_.y};
        for (Entry& entry : entries_) {
            entry.at = at;
            at.x += entry.width + px(gap);
        }
        return;
    }
    const LegendGrid grid = legend_grid(int(entries_.size()), widest, width);
    const int above = indent_ > 0 ? 1 : 0;  // rows of the heading
    for (size_t i = 0; i < entries_.size(); ++i)
        entries_[i].at = {at_.x + float(int(i) % grid.columns) * grid.pitch,
                          at_.y + entry_line_height() * float(above + int(i) / grid.columns)};
    height_ = entry_line_height() * float(above + grid.rows);
}

void PlotLegend::place_short(float width) {
    for (Entry& entry : entries_) {
        entry.text = first_word(entry.name);
        entry.width = px(short_swatch_width + 4) + ImGui::CalcTextSize(entry.text.c_str()).x;
    }
    const bool headed = indent_ > 0;
    ImVec2 at{at_.x, at_.y + (headed ? entry_line_height() : 0)};
    for (Entry& entry : entries_) {
        if (at.x > at_.x && at.x + entry.width > at_.x + width) at = {at_.x, at.y + entry_line_height()};
        entry.at = at;
        at.x += entry.width + px(gap);
    }
    const float value = px(short_swatch_width + 30) + small_width("−0.00000");
    if (!headed && at.x + value > at_.x + width) at = {at_.x, at.y + entry_line_height()};
    value_at_ = headed ? ImVec2{at_.x + indent_, at_.y} : at;
    height_ = at.y + entry_line_height() - at_.y;
}

std::optional<Ink> PlotLegend::hovered() const {
    if (!ImGui::IsWindowHovered()) return {};
    for (const Entry& entry : entries_)
        if (ImGui::IsMouseHoveringRect({entry.at.x - px(gap) / 2, entry.at.y},
                                       {entry.at.x + entry.width + px(gap) / 2, entry.at.y + entry_line_height()}))
            return entry.ink;
    return {};
}

void PlotFocus::light(Ink ink) {
    lit = ink;
    if (kept) memory().lit_curve = ink;
}

PlotFocus shared_focus(std::optional<Ink> front) {
    return {.front = front, .lit = std::exchange(memory().lit_curve, {}), .kept = true};
}

void PlotLegend::draw_value(ImDrawList& draw, const PlotFocus& focus, const Entry& entry, ImVec2 at) const {
    if (!focus.cursor) return;
    const float lower = (ImGui::GetFontSize() - theme().small->FontSize) / 2;
    for (const Series& series : focus.cursor->series)
        if (series.name == entry.name && series.words.empty())
            draw.AddText(theme().small, theme().small->FontSize, {at.x, at.y + lower}, packed(colour::text),
                         value_words(series_value(series, focus.cursor->x, focus.cursor->reach)).c_str());
}

void PlotLegend::draw(ImDrawList& draw, const PlotFocus& focus) const {
    const std::optional<Ink> told = focus.lit ? focus.lit : focus.front;
    for (const Entry& entry : entries_) {
        const float width = px(short_ ? short_swatch_width : swatch_width);
        const bool lit = focus.lit == entry.ink, dimmed = focus.lit && !lit;
        swatch(draw, entry.style, entry.ink, entry.at, width);
        const ImVec2 text{entry.at.x + width + px(short_ ? 4 : after_swatch), entry.at.y};
        draw.AddText(text, packed(dimmed ? colour::secondary : colour::text), entry.text.c_str());
        if (!short_) {
            draw_value(draw, focus, entry, {text.x + ImGui::CalcTextSize(entry.text.c_str()).x + px(6), text.y});
        } else if (told == entry.ink && focus.cursor) {
            const ImVec2 at = value_at_;
            swatch(draw, entry.style, entry.ink, at, width);
            draw.AddText({at.x + width + px(4), at.y}, packed(colour::text), entry.text.c_str());
            draw_value(draw, focus, entry, {at.x + width + px(10) + ImGui::CalcTextSize(entry.text.c_str()).x, at.y});
        }
    }
}

}  // namespace texelscope::gui
