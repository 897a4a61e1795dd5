#include "app/viewer/widgets/chip_plan.h"

#include <algorithm>

#include "app/viewer/widgets/text_cut.h"

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

// Of one row that changes between figure and value, the larger counts, so that the cursor does not change the level.
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

ChipPlan plan_chip(const ChipRequest& r, int level) {
    const Level& chosen = levels[level];
    ChipPlan plan = planned(r, chosen);
    if (r.at_cursor) return plan;
    if (chosen.detail == Detail::all) std::erase_if(plan.rows, [](const ChipRow& row) { return row.value; });
    if (chosen.detail == Detail::one_row && r.figures.empty()) plan.rows.clear();
    return plan;
}

}  // namespace texelscope::gui
