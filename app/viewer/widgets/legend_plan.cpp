#include "app/viewer/widgets/legend_plan.h"

#include <algorithm>

#include "app/viewer/widgets/text_cut.h"

namespace texelscope::gui {
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
