#include "app/viewer/widgets/chip_and_legend_layout.h"

#include <algorithm>

#include "app/viewer/widgets/rich_text.h"

namespace texelscope::gui {
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
        const float words = r_.words.empty() ? 0 : width(r_.words.front()), mask = width(r_.mask);
        const float bar = has_bar() ? px(longest_bar) + ends() : 0, marks = width_of_marks();
        const float gaps = px(gap) * float((words > 0) + (mask > 0) + (bar > 0) + (marks > 0) - 1);
        if (words <= 0 && bar <= 0 && marks <= 0 && mask <= 0) return {};
        if (words + mask + bar + marks + gaps <= most_) {
            float x = px(pad);
            const auto step = [&](float part) { x += part > 0 ? part + px(gap) : 0; };
            if (has_bar()) add_bar(x, px(longest_bar));
            step(bar);
            add_words(x, words);
            step(words);
            add_marks(x);
            step(marks);
            add_text(r_.mask, x, true);
        } else {
            add_words(px(pad), most_);
            begin_row(has_bar());
            if (has_bar()) add_bar(px(pad), std::clamp(most_ - ends(), px(shortest_bar), px(longest_bar)));
            begin_row(marks > 0);
            add_marks(px(pad));
            begin_row(mask > 0);
            add_text(cut_to(r_.mask, most_), px(pad), true);
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
            add_text(text, x + side + px(6), false);
            x += width_of_mark(text) + px(gap);
        }
    }

    std::string cut_to(const std::string& text, float room) const { return cut(text, room, r_.width_of); }

    void add_text(const std::string& text, float x, bool quiet) {
        if (text.empty()) return;
        plan_.texts.push_back({text, x, y_, quiet});
        plan_.width = std::max(plan_.width, x + width(text));
    }

    void add_words(float x, float room) {
        if (r_.words.empty()) return;
        for (const std::string& text : r_.words)
            if (width(text) <= room) return add_text(text, x, false);
        add_text(cut_to(r_.words.back(), room), x, false);
    }

    void add_bar(float x, float length) {
        add_text(r_.low, x, false);
        plan_.bar_x = x + width(r_.low) + px(6);
        plan_.bar_width = length;
        plan_.bar_height = px(bar_thickness);
        plan_.bar_y = y_ + (r_.text_size - plan_.bar_height) / 2;
        add_text(r_.high, plan_.bar_x + length + px(6), false);
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
