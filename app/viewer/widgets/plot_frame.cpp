#include "app/viewer/widgets/plot_view.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/drawing/plot.h"

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

double PlotFrame::value_at(float at) const {
    const double t = double(at - a_.x) / double(b_.x - a_.x);
    if (x_.logarithmic) return x_.minimum * std::pow(x_.maximum / x_.minimum, t);
    return std::lerp(x_.minimum, x_.maximum, t);
}

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
        .low = {a.x, a.y},
        .high = {b.x, b.y},
        .height = ImGui::GetFontSize(),
        .gap = px(6)};
    for (const PlacedName& name : placed_names(plot, surface))
        draw.AddText({float(name.at.x), float(name.at.y)}, packed(colour::text), name.name.data(),
                     name.name.data() + name.name.size());
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

}  // namespace texelscope::gui
