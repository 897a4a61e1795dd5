#include "app/viewer/widgets/plot_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // the wheel

#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {

namespace {

constexpr double smallest_zoom = 1e-6;  // of the limits

void mono_text(ImDrawList& draw, ImVec2 at, const Colour& ink, const std::string& text) {
    draw.AddText(theme().mono, ImGui::GetFontSize(), at, packed(ink), text.c_str());
}

float mono_width(const std::string& text) {
    return theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.c_str()).x;
}

std::vector<Tick> ticks_of(const PlotAxis& axis, float length, float each) {
    return axis.ticks.empty() ? round_ticks(axis, std::clamp(int(length / each), 3, 10)) : axis.ticks;
}

// The label for the position at the cursor replaces tick labels there.
struct Span {
    float from = 0, to = 0;
    std::string text = {};
};

Span cursor_label(const PlotFrame& frame, double x) {
    const float column = frame.column(x), left = frame.upper_left().x, right = frame.lower_right().x;
    const std::string text = place_words(x, std::abs(frame.value_at(column + 1) - frame.value_at(column)));
    const float width = mono_width(text) + px(8);
    const float from = std::clamp(column - width / 2, left, std::max(left, right - width));
    return {from, from + width, text};
}

void draw_axes(ImDrawList& draw, const PlotFrame& frame, const std::vector<Tick>& rows, const Span& taken) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    draw.AddRectFilled(a, b, packed(colour::field), px(3));
    const ImU32 grid = packed(rgb(0x2b2e33)), line = packed(colour::mark);
    const float half = ImGui::GetFontSize() / 2;
    for (const Tick& tick : rows) {
        const float y = frame.row(tick.at);
        if (y < a.y - 1 || y > b.y + 1) continue;
        draw.AddLine({a.x, y}, {b.x, y}, grid);
        mono_text(draw, {a.x - px(6) - mono_width(tick.label), y - half}, colour::secondary, tick.label);
    }
    float free_from = a.x - px(24);  // labels keep clear of one another
    for (const Tick& tick : ticks_of(frame.x(), b.x - a.x, px(72))) {
        const float x = frame.column(tick.at), width = mono_width(tick.label);
        draw.AddLine({x, a.y}, {x, b.y}, grid);
        if (x - width / 2 < free_from || (x + width / 2 > taken.from && x - width / 2 < taken.to)) continue;
        mono_text(draw, {x - width / 2, b.y + px(4)}, colour::secondary, tick.label);
        free_from = x + width / 2 + px(8);
    }
    draw.AddLine({a.x, b.y}, b, line);
    draw.AddLine(a, {a.x, b.y}, line);
}

// How many pixels of the curves' way lie in a box.
int crossings(const PlotFrame& frame, const Plot& plot, ImVec2 low, ImVec2 high) {
    int count = 0;
    for (const Series& series : plot.series) {
        if (series.style != Series::Style::line && series.style != Series::Style::dashed) continue;
        for (float x = low.x; x <= high.x; ++x) {
            const float y = frame.row(series_value(series, frame.value_at(x), 0));
            count += y >= low.y && y <= high.y;  // not if there is no value
        }
    }
    return count;
}

// The place of an upright guide's label: at the upper end and to the right, or wherever the fewest curves pass.
ImVec2 place_of_label(const PlotFrame& frame, const Plot& plot, float at, ImVec2 size) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    const float right = at + px(5), left = at - px(5) - size.x, upper = a.y + px(3), lower = b.y - px(3) - size.y;
    ImVec2 best{right, upper};
    int fewest = std::numeric_limits<int>::max();
    for (const ImVec2 place : {best, ImVec2{right, lower}, ImVec2{left, lower}, ImVec2{left, upper}}) {
        if (place.x < a.x || place.x + size.x > b.x) continue;
        const int count = crossings(frame, plot, place, {place.x + size.x, place.y + size.y});
        if (count < fewest) fewest = count, best = place;
    }
    return best;
}

void draw_guides(ImDrawList& draw, const PlotFrame& frame, const Plot& plot) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    std::vector<ImVec4> labels;  // left, top, right, bottom
    for (const Guide& guide : plot.guides) {
        const bool upright = guide.of == Guide::Across::x;
        const float at = upright ? frame.column(guide.at) : frame.row(guide.at);
        if (upright ? at < a.x || at > b.x : at < a.y || at > b.y) continue;
        const ImVec2 ends[2] = {upright ? ImVec2{at, a.y} : ImVec2{a.x, at},
                                upright ? ImVec2{at, b.y} : ImVec2{b.x, at}};
        add_dashed(draw, ends, 2, packed(colour::mark), px(1));
        const ImVec2 size = ImGui::CalcTextSize(guide.label.c_str());
        ImVec2 text =
            upright ? place_of_label(frame, plot, at, size) : ImVec2{b.x - px(5) - size.x, at - ImGui::GetFontSize()};
        for (const ImVec4& other : labels)  // below it, if they would touch
            if (text.x < other.z && other.x < text.x + size.x && text.y < other.w && other.y < text.y + size.y)
                text.y = other.w;
        labels.push_back({text.x, text.y, text.x + size.x + px(4), text.y + size.y});
        draw.AddText(text, packed(colour::secondary), guide.label.c_str());
    }
}

// The current range after zooming by `factor` about `centre` and moving by `shift`, kept within the limits.
PlotZoom moved(PlotZoom range, const PlotZoom& limits, double centre, double factor, double shift) {
    const double whole = limits.to - limits.from;
    const double width = std::clamp((range.to - range.from) * factor, whole * smallest_zoom, whole);
    const double scale = width / (range.to - range.from);
    double from = centre - (centre - range.from) * scale + shift;
    from = std::clamp(from, limits.from, limits.to - width);
    return {from, from + width};
}

// A turn of the wheel that began in a panel stays there, although a plot has come under the mouse by it.
bool scrolling() { return ImGui::GetCurrentContext()->WheelingWindow; }

bool interact(const PlotFrame& frame, PlotZoom& zoom, const PlotZoom& limits) {
    const PlotZoom before = zoom, range{frame.x().minimum, frame.x().maximum};
    const ImGuiIO& io = ImGui::GetIO();
    const double per_pixel = (range.to - range.from) / double(frame.lower_right().x - frame.upper_left().x);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0 && !scrolling())
        zoom = moved(range, limits, frame.value_at(io.MousePos.x), std::exp2(-double(io.MouseWheel) / 3), 0);
    if (ImGui::IsItemActive() && io.MouseDelta.x != 0 && ImGui::IsMouseDragging(0, px(2)))
        zoom = moved(range, limits, range.from, 1, -double(io.MouseDelta.x) * per_pixel);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) zoom = {};
    return zoom != before;
}

// A dot that is held, and the axis of the plot since then: kept from frame to frame by the plot's window.
class HeldDot {
public:
    explicit HeldDot(const char* id) : storage_(*ImGui::GetStateStorage()), id_(ImGui::GetID(id)) {}

    // The dot held, counted from 1; 0: none.
    int& dot() { return *storage_.GetIntRef(id_ + 1, 0); }

    void keep_axis(PlotAxis& axis) {
        float &low = *storage_.GetFloatRef(id_ + 2), &high = *storage_.GetFloatRef(id_ + 3);
        if (dot() > 0) {
            axis.minimum = double(low);
            axis.maximum = double(high);
        }
        low = float(axis.minimum);
        high = float(axis.maximum);
    }

private:
    ImGuiStorage& storage_;
    ImGuiID id_;
};

// The dot of a series at the mouse, counted from 1.
int dot_at_mouse(const PlotFrame& frame, const Series& series) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    float least = px(9);
    int nearest = 0;
    for (size_t k = 0; k < series.x.size(); ++k) {
        const float distance = std::hypot(frame.column(series.x[k]) - mouse.x, frame.row(series.y[k]) - mouse.y);
        if (distance < least) least = distance, nearest = int(k) + 1;
    }
    return nearest;
}

// For the plot's item. True while a dot is held.
bool drag_dot(const PlotFrame& frame, const Plot& plot, HeldDot& held, PlotDrag& drag) {
    const Series& dots = plot.series[drag.series];
    if (ControlLog* log = theme().control_log)
        for (size_t k = 0; k < dots.x.size(); ++k)
            log->push_back({"dot:" + std::to_string(k),
                            {frame.column(dots.x[k]) - px(3), frame.row(dots.y[k]) - px(3), px(6), px(6)}});
    if (!ImGui::IsItemActive()) held.dot() = 0;
    else if (ImGui::IsItemActivated()) held.dot() = dot_at_mouse(frame, dots);
    if (held.dot() > 0 || (ImGui::IsItemHovered() && dot_at_mouse(frame, dots) > 0))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
    if (held.dot() <= 0 || size_t(held.dot()) > dots.x.size()) return false;
    drag.held = size_t(held.dot()) - 1;
    drag.value = frame.height_at(std::clamp(ImGui::GetIO().MousePos.y, frame.upper_left().y, frame.lower_right().y));
    return true;
}

// The line at the cursor, with its position if that has a label.
void draw_cursor(ImDrawList& draw, const PlotFrame& frame, double x, const Span& label) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    const float at = frame.column(x);
    draw.AddLine({at, a.y}, {at, b.y}, packed(colour::text, 0.55f));
    if (label.text.empty()) return;
    draw.AddRectFilled({label.from, b.y + px(2)}, {label.to, b.y + px(6) + ImGui::GetFontSize()},
                       packed(colour::raised), px(3));
    mono_text(draw, {label.from + px(4), b.y + px(4)}, colour::text, label.text);
}

// The curve nearest to the mouse, if it is near.
std::optional<Ink> nearest_curve(const PlotFrame& frame, const Plot& plot, double x) {
    std::optional<Ink> nearest;
    float least = px(12);
    for (const Series& series : plot.series) {
        if (series.style != Series::Style::line && series.style != Series::Style::dashed) continue;
        const double value = series_value(series, x, 0);
        if (std::isnan(value)) continue;
        const float distance = std::abs(frame.row(value) - ImGui::GetIO().MousePos.y);
        if (distance < least) {
            least = distance;
            nearest = series.ink;
        }
    }
    return nearest;
}

// The curve that is pointed at over all others, which fade; else the one in front over the others, all of them thin and
// translucent where they cross, so that none hides the rest.
void draw_series(ImDrawList& draw, const PlotFrame& frame, const Plot& plot, const PlotFocus* focus) {
    const auto is_curve = [](const Series& s) {
        return s.style == Series::Style::line || s.style == Series::Style::dashed;
    };
    const auto curves = std::count_if(plot.series.begin(), plot.series.end(), is_curve);
    const std::optional<Ink> first = !focus ? std::nullopt : focus->lit ? focus->lit : focus->front;
    const auto in_front = [&](const Series& s) { return is_curve(s) && first == s.ink; };
    for (const bool front : {false, true})
        for (const Series& series : plot.series) {
            if (in_front(series) != front || (!is_curve(series) && front)) continue;
            CurveLook look;
            if (focus && curves > 1 && is_curve(series))
                look = focus->lit ? (front ? CurveLook{1, 2} : CurveLook{0.22f, 1})
                                  : (front ? CurveLook{0.85f, 1.5f} : CurveLook{0.7f, 1.2f});
            look.opacity *= ImGui::GetStyle().Alpha;  // dimmed as what is around them
            frame.draw(draw, series, look);
        }
}

// The last line of a plot's heading, and its width: the legend follows.
struct Heading {
    ImVec2 at;
    float width;
};

// Draws the title and the meaning of the y axis, below it if there is no space beside it.
Heading draw_heading(ImDrawList& draw, const Plot& plot, ImVec2 at, float width) {
    const float left = at.x, size = ImGui::GetFontSize(), label = ImGui::CalcTextSize(plot.y.label.c_str()).x;
    if (!plot.title.empty()) {
        draw.AddText(theme().heading, size, at, packed(colour::text), plot.title.c_str());
        at.x += theme().heading->CalcTextSizeA(size, FLT_MAX, 0, plot.title.c_str()).x + px(10);
        if (at.x + label > left + width) at = {left, at.y + size + px(4)};
    }
    const std::string shown = shortened(plot.y.label, width);
    draw.AddText(at, packed(colour::secondary), shown.c_str());
    return {{left, at.y}, at.x - left + label + px(20)};
}

}  // namespace

bool plot_view(const Plot& plot, const PlotView& view) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetFontSize();
    const Heading heading = draw_heading(draw, plot, at, width);
    const std::vector<Series> none;
    const PlotLegend legend(view.legend ? plot.series : none, heading.at, heading.width, width, view.brief);
    const float top = heading.at.y + legend.height() + px(4);
    PlotFocus own;
    PlotFocus& focus = view.focus ? *view.focus : own;
    if (const auto ink = legend.hovered()) focus.light(*ink);

    PlotAxis x = plot.x, y = plot.y;
    if (view.zoom.active()) {
        x.minimum = view.zoom.from;
        x.maximum = view.zoom.to;
        x.ticks.clear();
    }
    HeldDot held_dot(view.id);
    if (view.drag) held_dot.keep_axis(y);
    const float below = (line + px(4)) * (plot.x.label.empty() ? 1.0f : 2.0f) + px(2),
                height = std::max(view.height, top - at.y + px(view.brief ? 52 : 96) + below);
    const float bottom = at.y + height - below;
    const std::vector<Tick> rows = ticks_of(y, bottom - top, px(48));
    float margin = px(24);
    for (const Tick& tick : rows) margin = std::max(margin, mono_width(tick.label) + px(8));
    const PlotFrame frame(x, y, {at.x + margin, top}, {at.x + width - px(14), bottom});
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();

    ImGui::SetCursorScreenPos(a);
    ImGui::InvisibleButton(view.id, {std::max(b.x - a.x, 1.0f), b.y - a.y});
    if (!scrolling()) ImGui::SetItemUsingMouseWheel();  // prevents its parent from scrolling
    note(view.id + 2);
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const PlotZoom whole = view.limits.active() ? view.limits : PlotZoom{plot.x.minimum, plot.x.maximum};
    const bool dragged = view.drag && drag_dot(frame, plot, held_dot, *view.drag);
    const bool changed = !dragged && interact(frame, view.zoom, whole);
    std::optional<double> cursor;
    std::vector<PlotPoint> pointed;  // between points that stand for something, there is nothing to read
    if (hovered || held) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        pointed = nearest_points(plot, frame, mouse);
        cursor = pointed.empty() ? frame.value_at(std::clamp(mouse.x, a.x, b.x)) : pointed[0].x;
    }

    // What is pointed at says itself where it is.
    const Span label = cursor && pointed.empty() ? cursor_label(frame, *cursor) : Span{};
    draw_axes(draw, frame, rows, label);
    draw_guides(draw, frame, plot);
    if (cursor && pointed.empty()) {
        focus.cursor = {plot.series, *cursor, 6 * (frame.x().maximum - frame.x().minimum) / double(b.x - a.x)};
        if (const auto ink = nearest_curve(frame, plot, *cursor)) focus.light(*ink);
    }
    draw_series(draw, frame, plot, view.focus);
    if (cursor) draw_cursor(draw, frame, *cursor, label);
    draw_point_words(draw, plot, frame, pointed);
    legend.draw(draw, focus);
    const std::string axis = shortened(plot.x.label, width);
    const float label_width = ImGui::CalcTextSize(axis.c_str()).x, most = at.x + width - label_width;
    const ImVec2 label_at{std::clamp((a.x + b.x - label_width) / 2, at.x, std::max(at.x, most)), b.y + line + px(8)};
    draw.AddText(label_at, packed(colour::secondary), axis.c_str());
    if (ControlLog* log = theme().control_log)
        log->push_back({fmt::format("axis:{}", view.id + 2), {label_at.x, label_at.y, label_width, line}});

    ImGui::SetCursorScreenPos({at.x, at.y});
    ImGui::Dummy({width, std::max(top - at.y, 1.0f)});
    tooltip(view.tip);
    ImGui::SetCursorScreenPos({at.x, at.y});
    ImGui::Dummy({width, height});
    // In steps: a wider tick label must not cause a new computation.
    if (view.columns) *view.columns = std::max(64, int((b.x - a.x) * theme().pixel_ratio) / 32 * 32);
    return changed;
}

}  // namespace texelscope::gui
