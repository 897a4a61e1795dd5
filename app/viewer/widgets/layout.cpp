#include "app/viewer/widgets/layout.h"

#include <algorithm>
#include <cmath>

#include "app/viewer/widgets/rich_text.h"

namespace texelscope::gui {
namespace {

// In the middle of the lower edge of this area.
Box messages_box(const LayoutRequest& r, float left, float right, float top, float bottom) {
    const float margin = 10 * r.scale;
    const float height = std::min(r.messages_height, std::floor((bottom - top) / 2 - margin));
    if (height <= 0 || height < std::min(r.messages_height, r.row_height)) return {};
    const float width = std::min(r.messages_width, right - left - 2 * margin);
    if (width < 1) return {};
    const auto whole = [&](float length) { return std::round(length * r.pixel_ratio) / r.pixel_ratio; };
    return {whole((left + right - width) / 2), bottom - margin - height, width, height};
}

// Right of a tool window, left of it, above or below it, where they have the room; else as if it was not there.
Box messages_beside(const LayoutRequest& r, float left, float right, float top, float bottom) {
    const Box& tool = r.tool;
    const float after = std::max(left, tool.x + tool.width), before = std::min(right, tool.x), least = 280 * r.scale;
    if (tool.empty()) return messages_box(r, left, right, top, bottom);
    if (right - after >= least) return messages_box(r, after, right, top, bottom);
    if (before - left >= least) return messages_box(r, left, before, top, bottom);
    if (const Box above = messages_box(r, left, right, top, std::min(bottom, tool.y)); !above.empty()) return above;
    const Box below = messages_box(r, left, right, std::max(top, tool.y + tool.height), bottom);
    return below.empty() ? messages_box(r, left, right, top, bottom) : below;
}

struct Sides {
    float panel = 0, dock = 0;  // widths; 0: none
    float sum() const { return panel + dock; }
};

// What the sides may take: half of the window, but a lesson, and a wide dock beside it, matter more than the picture.
float most(const LayoutRequest& r) {
    return r.width * (!r.panel_first ? 0.5f : r.dock_least > min_dock_width ? 0.75f : 0.6f);
}

// Narrowed, the plots first, so that the picture keeps its part of the window as far as their least widths permit.
Sides narrowed(const LayoutRequest& r, Sides sides) {
    const auto yield = [&](float& width, float least) {
        const float excess = std::max(sides.sum() - most(r), 0.0f);
        width -= std::clamp(width - least * r.scale, 0.0f, excess);
    };
    if (sides.dock > 0) yield(sides.dock, std::clamp(r.width / 2 / r.scale, min_dock_width, r.dock_least));
    if (sides.panel > 0) yield(sides.panel, min_panel_width);
    return sides;
}

// Without space for both, one is hidden. Plots, and a text to read, were opened on purpose: alone, they may take more
// than half of a small window.
Sides sides_of(const LayoutRequest& r, bool with_panel) {
    const float panel = with_panel ? std::max(r.panel_width, min_panel_width) * r.scale : 0,
                dock = r.dock_width > 0 ? std::max(r.dock_width, min_dock_width) * r.scale : 0;
    const float half = most(r) + 0.5f, most = r.width - min_picture_width * r.scale;
    const Sides both = narrowed(r, {panel, dock}), only_panel = narrowed(r, {panel, 0}),
                only_dock = narrowed(r, {0, dock});
    if (both.sum() <= half) return both;
    const bool panel_fits = only_panel.panel <= (r.panel_first ? most : half), dock_fits = only_dock.dock <= most;
    if (panel > 0 && panel_fits && (r.panel_first || dock == 0 || !dock_fits)) return only_panel;
    return dock_fits ? only_dock : Sides{};
}

// With names, without them, or not at all: the picture keeps half of the window's height. 0: not at all.
float filmstrip_height_in(const LayoutRequest& r, float room) {
    for (const float height : {filmstrip_height, bare_filmstrip_height})
        if (room - height * r.scale >= r.height / 2)
            return std::floor(height * r.scale * r.pixel_ratio) / r.pixel_ratio;
    return 0;
}

constexpr float upright = 1.25f;  // a window's height over its width from which on a lesson's text is below its picture

constexpr float handle_width = 14, handle_height = 64;  // units

}  // namespace

Layout lay_out(const LayoutRequest& r) {
    Layout layout;
    float left = 0, top = 0, right = r.width, bottom = r.height;
    // A window too small for bars and panels shows only the picture.
    const bool has_room = r.height >= 6 * r.row_height && r.width >= min_picture_width * r.scale;
    const bool bars = has_room && r.panels && !r.presenting;
    if (bars) {
        layout.menu = {0, 0, r.width, r.row_height};
        layout.status = {0, r.height - r.row_height, r.width, r.row_height};
        top = r.row_height;
        bottom = layout.status.y;
        if (r.toolbar_height > 0 && r.height >= 16 * r.row_height) {  // a low window has no space for it
            layout.toolbar = {0, top, r.width, r.toolbar_height};
            top += r.toolbar_height;
        }
    }
    if (r.presenting && r.toolbar_over && has_room) layout.toolbar = {0, 0, r.width, r.toolbar_height};
    if (r.caption_height > 0 && has_room) {
        const float height = std::min(r.caption_height, std::round((bottom - top) * most_caption));
        bottom -= height;
        layout.caption = {0, bottom, r.width, height};
    }
    layout.tools = {0, top, r.width, bottom - top};
    if (bars || (has_room && r.presenting)) {
        const Sides sides = sides_of(r, bars);
        const auto whole = [&](float length) { return std::floor(length * r.pixel_ratio) / r.pixel_ratio; };
        left = whole(sides.panel);
        right -= whole(sides.dock);
        if (left > 0) layout.panel = {0, top, left, bottom - top};
        if (sides.dock > 0) layout.dock = {right, top, r.width - right, bottom - top};
        // Over the picture, which keeps its place, and over the panel: closing them brings that back.
        const bool dock_over = bars && !r.panel_first && r.dock_width > 0 && sides.sum() == 0;
        if (bars && left == 0 && r.panel_first &&
            r.height > upright * r.width) {  // a phone: the text below the picture
            const float height = whole((bottom - top) * most_caption);
            layout.panel = {0, bottom - height, r.width, height};
            bottom -= height;
        } else if (bars && left == 0) {
            const float wide = std::max(r.panel_width, min_panel_width) * r.scale;
            const float strip =
                whole(handle_width * r.scale);  // the picture begins beside it, whatever its panes show there
            const bool panel_over = r.panel_over && !dock_over;
            const float width = panel_over ? whole(std::min(wide, right - 2 * strip)) : 0;
            if (panel_over) layout.panel = {0, top, width, bottom - top};
            if (!dock_over)
                layout.handle = {width, (top + bottom - handle_height * r.scale) / 2, strip, handle_height * r.scale};
            left = strip;
        }
        if (dock_over) {
            const float width = whole(std::min(std::max(r.dock_width, min_dock_width) * r.scale, r.width));
            layout.dock = {r.width - width, top, width, bottom - top};
        }
    }
    if (const float height = bars && r.filmstrip ? filmstrip_height_in(r, bottom - top) : 0; height > 0) {
        bottom -= height;
        layout.filmstrip = {left, bottom, right - left, height};
    }
    const float below_dialog = bars ? layout.status.y : r.height;  // values and progress stay legible
    layout.messages =
        r.dialog ? messages_box(r, 0, r.width, top, below_dialog) : messages_beside(r, left, right, top, bottom);
    const auto pixels = [&](float length) { return int(std::lround(length * r.pixel_ratio)); };
    layout.picture = {pixels(left), pixels(top), pixels(right) - pixels(left), pixels(bottom) - pixels(top)};
    layout.picture.width = with_parity_of(std::max(layout.picture.width, 0), r.image.width);
    layout.picture.height = with_parity_of(std::max(layout.picture.height, 0), r.image.height);
    return layout;
}

std::optional<Box> WayGiven::place(const Box& now, float highest, float lowest, bool messages, bool pointed) {
    const auto same = [](const Box& a, const Box& b) {
        return std::abs(a.x - b.x) < 1 && std::abs(a.y - b.y) < 1 && std::abs(a.width - b.width) < 1 &&
               std::abs(a.height - b.height) < 1;
    };
    const bool untouched = put_ && same(*put_, now);
    if (untouched && !messages && pointed) return {};
    if (!untouched) before_ = now;
    Box wanted = before_;
    if (messages) {
        wanted.height = std::min(wanted.height, std::max(lowest - highest, 1.0f));
        wanted.y = std::max(std::min(wanted.y, lowest - wanted.height), highest);
    }
    put_.reset();
    if (messages && !same(wanted, before_)) put_ = wanted;
    if (same(wanted, now)) return {};
    return wanted;
}

namespace {

constexpr float most_covered = 0.2f;

enum class Detail { all, one_row, label, badge };
struct Level {
    Detail detail;
    bool compact;
};
constexpr Level levels[chip_levels] = {{Detail::all, false},
                                       {Detail::one_row, false},
                                       {Detail::one_row, true},
                                       {Detail::label, true},
                                       {Detail::badge, true}};

const std::string* first_that_fits(const std::vector<std::string>& texts, const ChipRequest::Font& font, float room) {
    for (const std::string& text : texts)
        if (font.width(text) <= room) return &text;
    return nullptr;
}

std::string label_of(const ChipRequest& r, const Level& level, float room) {
    if (level.detail == Detail::badge || r.labels.empty()) return "";
    // The full name is for large panes.
    const size_t skip = level.detail == Detail::all ? 0 : std::min<size_t>(1, r.labels.size() - 1);
    const std::vector<std::string> labels(r.labels.begin() + std::ptrdiff_t(skip), r.labels.end());
    const ChipRequest::Font& font = level.compact ? r.small : r.text;
    const std::string* whole = first_that_fits(labels, font, room);
    return whole ? *whole : cut(labels.back(), room, font.width);
}

ChipPlan planned(const ChipRequest& r, const Level& level) {
    ChipPlan plan;
    const auto px = [&](float units) { return units * r.scale; };
    plan.compact = level.compact;
    plan.inset = px(level.compact ? 4 : 10);
    plan.padding = px(level.compact ? 5 : 8);
    const ChipRequest::Font& font = level.compact ? r.small : r.text;
    const float most = r.width - 2 * plan.inset;
    plan.badge_width = font.width(r.badge) + 2 * plan.padding;
    if (most < plan.badge_width) return {};
    plan.label = label_of(r, level, most - plan.badge_width - 2 * plan.padding);
    plan.width = plan.badge_width + (plan.label.empty() ? 0 : font.width(plan.label) + 2 * plan.padding);
    plan.height = font.size + px(level.compact ? 4 : 8);
    const auto add = [&](const std::vector<std::string>& texts, bool value) {
        const std::string* text = first_that_fits(texts, r.small, most - 2 * plan.padding);
        if (!text) return;
        const float y = plan.lowest() + px(level.compact ? 2 : 4);
        plan.rows.push_back({*text, value, y, r.small.width(*text) + 2 * plan.padding, r.small.size + px(4)});
    };
    if (level.detail == Detail::all) {
        add(r.figures, false);
        add(r.values, true);
    } else if (level.detail == Detail::one_row) {
        const std::vector<std::string> last = r.figures.empty() ? r.figures : std::vector{r.figures.back()};
        add(r.at_cursor || last.empty() ? r.values : last, r.at_cursor || last.empty());
    }
    return plan;
}

// The area that a chip covers. If its row changes between figure and value, the larger one counts, so that the cursor
// does not change the level.
float area(const ChipRequest& r, const ChipPlan& plan, const Level& level) {
    float sum = plan.width * plan.height;
    for (const ChipRow& row : plan.rows) sum += row.width * row.height;
    if (level.detail != Detail::one_row) return sum;
    ChipRequest other = r;
    other.at_cursor = !r.at_cursor;
    float rest = 0;
    for (const ChipRow& row : planned(other, level).rows) rest += row.width * row.height;
    return std::max(sum, plan.width * plan.height + rest);
}

}  // namespace

float ChipPlan::widest() const {
    float most = width;
    for (const ChipRow& row : rows) most = std::max(most, row.width);
    return most;
}

float covered_share(const ChipRequest& request, const ChipPlan& plan) {
    float sum = plan.width * plan.height;
    for (const ChipRow& row : plan.rows) sum += row.width * row.height;
    return sum / (request.width * request.height);
}

int chip_level(const ChipRequest& r) {
    for (int i = 0; i < chip_levels - 1; ++i) {
        const ChipPlan plan = planned(r, levels[i]);
        if (plan.empty()) continue;
        // Names are read more easily than the shortest labels, which are for the small font.
        const bool named = levels[i].compact || r.labels.size() < 2 || plan.label == r.labels.front() ||
                           (plan.label != r.labels.back() && !plan.label.ends_with("…"));
        if (named && area(r, plan, levels[i]) <= most_covered * r.width * r.height) return i;
    }
    return chip_levels - 1;
}

void share_shortest_label(std::span<ChipRequest* const> requests, int level) {
    const auto has_shortest = [&](const ChipRequest* each) {
        const std::string label = plan_chip(*each, level).label;
        if (each->labels.size() < 2 || label.empty()) return false;
        return std::find(each->labels.begin(), each->labels.end() - 1, label) == each->labels.end() - 1;
    };
    if (std::none_of(requests.begin(), requests.end(), has_shortest)) return;
    for (ChipRequest* each : requests)
        if (each->labels.size() > 1) each->labels = {each->labels.front(), each->labels.back()};
}

ChipPlan plan_chip(const ChipRequest& r, int level) {
    const Level& chosen = levels[level];
    ChipPlan plan = planned(r, chosen);
    if (r.at_cursor) return plan;
    if (chosen.detail == Detail::all) std::erase_if(plan.rows, [](const ChipRow& row) { return row.value; });
    if (chosen.detail == Detail::one_row && r.figures.empty()) plan.rows.clear();
    return plan;
}

namespace {

constexpr float most_of_height = 0.25f;
constexpr float longest_bar = 120, shortest_bar = 24, bar_thickness = 10;  // units

class LegendLayout {
public:
    explicit LegendLayout(const LegendRequest& request) : r_(request), most_(r_.width - 2 * px(inset) - 2 * px(pad)) {}

    LegendPlan plan() {
        const auto width_of = [this](const auto& texts) { return texts.empty() ? 0 : width(texts.front()); };
        const float words = width_of(r_.words), mask = width_of(r_.mask);
        const float bar = has_bar() ? px(longest_bar) + ends() : 0, marks = width_of_marks();
        const float gaps = px(gap) * float((words > 0) + (mask > 0) + (bar > 0) + (marks > 0) - 1);
        if (words <= 0 && bar <= 0 && marks <= 0 && mask <= 0) return {};
        if (words + mask + bar + marks + gaps <= most_) {
            float x = px(pad);
            const auto step = [&](float part) { x += part > 0 ? part + px(gap) : 0; };
            if (has_bar()) add_bar(x, px(longest_bar));
            step(bar);
            add_first(r_.words, x, words);
            step(words);
            add_marks(x);
            step(marks);
            add_first(r_.mask, x, mask);
        } else {
            add_first(r_.words, px(pad), most_);
            begin_row(has_bar());
            if (has_bar()) add_bar(px(pad), std::clamp(most_ - ends(), px(shortest_bar), px(longest_bar)));
            begin_row(marks > 0);
            add_marks(px(pad));
            begin_row(mask > 0);
            add_first(r_.mask, px(pad), most_);
        }
        plan_.width += px(pad);
        plan_.height = y_ + r_.text_size + px(pad) / 2;
        return plan_;
    }

private:
    static constexpr float inset = 10, pad = 8, gap = 14;

    float px(float units) const { return units * r_.scale; }
    float width(const std::string& text) const { return text.empty() ? 0 : r_.width_of(text); }
    bool has_bar() const { return !r_.high.empty(); }
    float ends() const { return width(r_.low) + width(r_.high) + 2 * px(6); }
    // Begins a row for a part, if there is one, below the rows that exist.
    void begin_row(bool part) {
        if (part && !plan_.texts.empty()) y_ += r_.text_size + px(4);
    }

    float width_of_mark(const std::string& text) const { return px(bar_thickness) + px(6) + width(text); }
    float width_of_marks() const {
        float sum = r_.marks.empty() ? 0 : -px(gap);
        for (const std::string& text : r_.marks) sum += width_of_mark(text) + px(gap);
        return sum;
    }

    void add_marks(float x) {
        const float side = px(bar_thickness);
        for (const std::string& text : r_.marks) {
            plan_.swatches.push_back({x, y_ + (r_.text_size - side) / 2, side});
            add_text(text, x + side + px(6));
            x += width_of_mark(text) + px(gap);
        }
    }

    void add_text(const std::string& text, float x) {
        if (text.empty()) return;
        plan_.texts.push_back({text, x, y_});
        plan_.width = std::max(plan_.width, x + width(text));
    }

    // The first of the texts for which there is room, or the last one cut.
    void add_first(const std::vector<std::string>& texts, float x, float room) {
        for (const std::string& text : texts)
            if (width(text) <= room) return add_text(text, x);
        if (!texts.empty()) add_text(cut(texts.back(), room, r_.width_of), x);
    }

    void add_bar(float x, float length) {
        add_text(r_.low, x);
        plan_.bar_x = x + width(r_.low) + px(6);
        plan_.bar_width = length;
        plan_.bar_height = px(bar_thickness);
        plan_.bar_y = y_ + (r_.text_size - plan_.bar_height) / 2;
        add_text(r_.high, plan_.bar_x + length + px(6));
    }

    const LegendRequest& r_;
    float most_, y_ = px(pad) / 2;
    LegendPlan plan_;
};

}  // namespace

LegendPlan plan_legend(const LegendRequest& request) {
    LegendRequest less = request;
    LegendPlan plan = LegendLayout(less).plan();
    const auto too_high = [&] { return plan.height > request.height * most_of_height; };
    if (too_high()) {
        less.mask.clear();
        plan = LegendLayout(less).plan();
    }
    if (too_high() && !less.high.empty()) {  // what figures are against stands in the panel as well
        less.words.clear();
        plan = LegendLayout(less).plan();
    }
    return plan;
}

}  // namespace texelscope::gui
