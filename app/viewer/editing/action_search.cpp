#include "app/viewer/editing/action_search.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "app/text/search.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

bool begins_word(std::string_view text, size_t at) {
    return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
}

// What has the letters as they were typed comes before what has them somewhere; then commands before lessons.
int rank(const Action& action, std::string_view letters) {
    const bool as_typed = contains_ignoring_case(action.title, letters) || contains_ignoring_case(action.id, letters) ||
                          contains_ignoring_case(action.also, letters);
    const bool lesson = action.id.starts_with("lesson.");
    return (as_typed ? 0 : 2) + (lesson ? 1 : 0);
}

}  // namespace

std::optional<int> match_score(std::string_view letters, std::string_view title) {
    // Trying every alignment would be exponential; a greedy match that prefers word starts is good enough.
    int score = 0;
    size_t at = 0, last = std::string_view::npos;
    for (const char letter : letters) {
        if (letter == ' ') continue;
        size_t found = std::string_view::npos;
        if (last != std::string_view::npos && last + 1 < title.size() &&
            lower_case(title[last + 1]) == lower_case(letter))
            found = last + 1;
        for (size_t i = at; found == std::string_view::npos && i < title.size(); ++i)
            if (lower_case(title[i]) == lower_case(letter) && begins_word(title, i)) found = i;
        for (size_t i = at; found == std::string_view::npos && i < title.size(); ++i)
            if (lower_case(title[i]) == lower_case(letter)) found = i;
        if (found == std::string_view::npos) return {};
        score += begins_word(title, found) ? 8 : 1;
        if (last != std::string_view::npos && found == last + 1) score += 4;
        last = found;
        at = found + 1;
    }
    return score * 64 - int(std::min<size_t>(title.size(), 63));  // on a tie, the shorter title
}

bool awaits_picture(const AppState& state) {
    const Document* document = state.scene.document();
    return document && !document->image && !document->unreadable;
}

std::vector<const Action*> matching_actions(const AppState& state, std::string_view letters) {
    struct Found {
        int rank, score;
        const Action* action;
    };
    std::vector<Found> found;
    for (const Action& action : all_actions()) {
        if (action.id == "window.palette" || !(action.is_enabled(state) || awaits_picture(state))) continue;
        // The methods are also found under the name of their menu: "method lan".
        std::optional<int> best = match_score(letters, action.title);
        for (const std::string* other : {&action.id, &action.also})
            if (const auto score = match_score(letters, *other)) best = std::max(best.value_or(-1 << 20), *score - 256);
        if (best) found.push_back({rank(action, letters), *best, &action});
    }
    if (!letters.empty())
        std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
            return a.rank < b.rank || (a.rank == b.rank && a.score > b.score);
        });
    std::vector<const Action*> actions;
    for (const Found& one : found) actions.push_back(one.action);
    return actions;
}

}  // namespace texelscope
