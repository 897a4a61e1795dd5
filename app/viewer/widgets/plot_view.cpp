#include "app/viewer/widgets/plot_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // SetItemUsingMouseWheel

#include "app/viewer/widgets/plot_frame.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {

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

namespace {

constexpr double smallest_zoom = 1e-6;  // of the limits

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

void mono_text(ImDrawList& draw, ImVec2 at, const Colour& ink, const std::string& text) {
    draw.AddText(theme().mono, ImGui::GetFontSize(), at, packed(ink), text.c_str());
}

float mono_width(const std::string& text) {
    return theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.c_str()).x;
}

float small_width(const char* text) {
    return theme().small->CalcTextSizeA(theme().small->FontSize, FLT_MAX, 0, text).x;
}

// Entries follow the heading if all have space there; else they are in even columns below it. The values at the cursor
// have reserved space, so that nothing moves with it.
struct Legend {
    struct Entry {
        const Series* series;
        ImVec2 at;
    };
    std::vector<Entry> entries;
    float value_width = 0, height = 0;

    // The heading is as wide as `indent`.
    Legend(const Plot& plot, ImVec2 at, float indent, float width) {
        value_width = small_width("−0.00000");
        const float line = ImGui::GetFontSize() + px(4);
        float sum = 0, widest = 1;
        for (const Series& series : plot.series) {
            if (series.name.empty()) continue;
            entries.push_back({&series, {}});
            sum += width_of(series);
            widest = std::max(widest, width_of(series));
        }
        height = line;
        if (indent + sum <= width) {
            at.x += indent;
            for (Entry& entry : entries) {
                entry.at = at;
                at.x += width_of(*entry.series);
            }
            return;
        }
        const LegendGrid grid = legend_grid(int(entries.size()), widest, width);
        for (size_t i = 0; i < entries.size(); ++i)
            entries[i].at = {at.x + float(int(i) % grid.columns) * grid.pitch,
                             at.y + line * float(1 + int(i) / grid.columns)};
        height += line * float(grid.rows);
    }

    void draw(ImDrawList& draw, std::optional<double> x, double reach) const {
        for (const Entry& entry : entries) {
            swatch(draw, entry);
            const float text = entry.at.x + px(24);
            draw.AddText({text, entry.at.y}, packed(colour::text), entry.series->name.c_str());
            if (!x) continue;
            const float after = text + ImGui::CalcTextSize(entry.series->name.c_str()).x + px(6);
            const std::string value = value_words(series_value(*entry.series, *x, reach));
            const float lower = (ImGui::GetFontSize() - theme().small->FontSize) / 2;
            draw.AddText(theme().small, theme().small->FontSize, {after, entry.at.y + lower}, packed(colour::text),
                         value.c_str());
        }
    }

private:
    float width_of(const Series& series) const {
        return px(24) + ImGui::CalcTextSize(series.name.c_str()).x + px(6) + value_width + px(8);
    }

    static void swatch(ImDrawList& draw, const Entry& entry) {
        const Series& series = *entry.series;
        const float y = entry.at.y + ImGui::GetFontSize() / 2, x = entry.at.x;
        const ImU32 ink = packed(colour_of(series.ink));
        const ImVec2 ends[2] = {{x, y}, {x + px(18), y}};
        if (series.style == Series::Style::dots) draw.AddCircleFilled({x + px(9), y}, px(3.5f), ink);
        else if (series.style == Series::Style::area)
            draw.AddRectFilled({x, y - px(5)}, {x + px(18), y + px(5)}, packed(colour_of(series.ink), 0.34f), px(2));
        else if (series.style == Series::Style::dashed) add_dashed(draw, ends, 2, ink, px(2));
        else draw.AddLine(ends[0], ends[1], ink, px(2));
    }
};

std::vector<Tick> ticks_of(const PlotAxis& axis, float length, float each) {
    return axis.ticks.empty() ? round_ticks(axis, std::clamp(int(length / each), 3, 10)) : axis.ticks;
}

// The label for the position at the cursor replaces tick labels there.
struct Span {
    float from = 0, to = 0;
};

Span cursor_label(const PlotFrame& frame, std::optional<double> x) {
    if (!x) return {};
    const float width = mono_width(value_words(*x)) + px(8), left = frame.upper_left().x, right = frame.lower_right().x;
    const float from = std::clamp(frame.column(*x) - width / 2, left, std::max(left, right - width));
    return {from, from + width};
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

void draw_guides(ImDrawList& draw, const PlotFrame& frame, const std::vector<Guide>& guides) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    for (const Guide& guide : guides) {
        const bool upright = guide.of == Guide::Across::x;
        const float at = upright ? frame.column(guide.at) : frame.row(guide.at);
        if (upright ? at < a.x || at > b.x : at < a.y || at > b.y) continue;
        const ImVec2 ends[2] = {upright ? ImVec2{at, a.y} : ImVec2{a.x, at},
                                upright ? ImVec2{at, b.y} : ImVec2{b.x, at}};
        add_dashed(draw, ends, 2, packed(colour::mark), px(1));
        const float width = ImGui::CalcTextSize(guide.label.c_str()).x;
        const ImVec2 text =
            upright ? ImVec2{at + px(5), a.y + px(3)} : ImVec2{b.x - px(5) - width, at - ImGui::GetFontSize()};
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

bool interact(const PlotFrame& frame, PlotZoom& zoom, const PlotZoom& limits) {
    const PlotZoom before = zoom, range{frame.x().minimum, frame.x().maximum};
    const ImGuiIO& io = ImGui::GetIO();
    const double per_pixel = (range.to - range.from) / double(frame.lower_right().x - frame.upper_left().x);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0)
        zoom = moved(range, limits, frame.value_at(io.MousePos.x), std::exp2(-double(io.MouseWheel) / 3), 0);
    if (ImGui::IsItemActive() && io.MouseDelta.x != 0 && ImGui::IsMouseDragging(0, px(2)))
        zoom = moved(range, limits, range.from, 1, -double(io.MouseDelta.x) * per_pixel);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) zoom = {};
    return zoom != before;
}

// The line at the cursor, with its position.
void draw_cursor(ImDrawList& draw, const PlotFrame& frame, double x, const Span& label) {
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();
    const float at = frame.column(x);
    draw.AddLine({at, a.y}, {at, b.y}, packed(colour::text, 0.55f));
    draw.AddRectFilled({label.from, b.y + px(2)}, {label.to, b.y + px(6) + ImGui::GetFontSize()},
                       packed(colour::raised), px(3));
    mono_text(draw, {label.from + px(4), b.y + px(4)}, colour::text, value_words(x));
}

// Draws the title and the meaning of the y axis; returns their width.
float draw_heading(ImDrawList& draw, const Plot& plot, ImVec2 at) {
    const float left = at.x, size = ImGui::GetFontSize();
    if (!plot.title.empty()) {
        draw.AddText(theme().heading, size, at, packed(colour::text), plot.title.c_str());
        at.x += theme().heading->CalcTextSizeA(size, FLT_MAX, 0, plot.title.c_str()).x + px(10);
    }
    draw.AddText(at, packed(colour::secondary), plot.y.label.c_str());
    return at.x - left + ImGui::CalcTextSize(plot.y.label.c_str()).x + px(20);
}

}  // namespace

bool plot_view(const Plot& plot, const PlotView& view) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetFontSize();
    const float heading = draw_heading(draw, plot, at);
    const Legend legend(plot, at, heading, width);
    const float top = at.y + legend.height + px(4);

    PlotAxis x = plot.x, y = plot.y;
    if (view.zoom.active()) {
        x.minimum = view.zoom.from;
        x.maximum = view.zoom.to;
        x.ticks.clear();
    }
    const float below = (line + px(4)) * 2 + px(2), height = std::max(view.height, top - at.y + px(96) + below);
    const float bottom = at.y + height - below;
    const std::vector<Tick> rows = ticks_of(y, bottom - top, px(48));
    float margin = px(24);
    for (const Tick& tick : rows) margin = std::max(margin, mono_width(tick.label) + px(8));
    const PlotFrame frame(x, y, {at.x + margin, top}, {at.x + width - px(14), bottom});
    const ImVec2 a = frame.upper_left(), b = frame.lower_right();

    ImGui::SetCursorScreenPos(a);
    ImGui::InvisibleButton(view.id, {std::max(b.x - a.x, 1.0f), b.y - a.y});
    ImGui::SetItemUsingMouseWheel();  // prevents its parent from scrolling
    note(view.id + 2);
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const PlotZoom whole = view.limits.active() ? view.limits : PlotZoom{plot.x.minimum, plot.x.maximum};
    const bool changed = interact(frame, view.zoom, whole);
    std::optional<double> cursor;
    if (hovered || held) cursor = frame.value_at(std::clamp(ImGui::GetIO().MousePos.x, a.x, b.x));

    const Span label = cursor_label(frame, cursor);
    draw_axes(draw, frame, rows, label);
    draw_guides(draw, frame, plot.guides);
    for (const Series& series : plot.series) frame.draw(draw, series);
    const double reach = 6 * (frame.x().maximum - frame.x().minimum) / double(b.x - a.x);
    if (cursor) draw_cursor(draw, frame, *cursor, label);
    legend.draw(draw, cursor, reach);
    const float label_width = ImGui::CalcTextSize(plot.x.label.c_str()).x;
    draw.AddText({(a.x + b.x - label_width) / 2, b.y + line + px(8)}, packed(colour::secondary), plot.x.label.c_str());

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
