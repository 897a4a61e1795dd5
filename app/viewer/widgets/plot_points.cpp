#include "app/viewer/widgets/plot_points.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <imgui.h>

#include "app/drawing/plot_labels.h"

namespace texelscope::gui {

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
