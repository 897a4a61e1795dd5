// Actions of the Method menu.

#include <fmt/format.h>

#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/method_edits.h"

namespace texelscope {
namespace {

Action choose(const MethodInfo& method) {
    std::vector<Shortcut> keys;
    if (method.rank >= 1 && method.rank <= 9) keys = shortcuts({fmt::format("{}", method.rank)});
    const MethodInfo* info = &method;
    return {fmt::format("method.{}", method.id),
            std::string(method.name),
            Menu::method,
            0,
            keys,
            std::string(method.summary),
            [info](AppState& s) { choose_method(s, *info); },
            {},
            [info](const AppState& s) { return s.scene.spec().method == info; }};
}

}  // namespace

std::vector<Action> method_actions() {
    std::vector<Action> result;
    for (const MethodInfo* method : all_methods()) result.push_back(choose(*method));
    const std::vector<Action> rest = {
        {"method.path", "Next fetch path", Menu::method, 1, shortcuts({"P"}),
         "auto → global → lookup → hardware: the way a kernel reads its taps.", cycle_path},
        {"method.address", "Next address mode", Menu::method, 1, shortcuts({"A"}),
         "clamp → border → wrap → mirror: the way the image continues beyond its edges.", cycle_address},
        {"method.prefilter", "Next prefilter", Menu::method, 1, shortcuts({"K"}),
         "none → fir → iir: the filter that turns samples into coefficients.", cycle_prefilter,
         [](const AppState& s) { return s.scene.spec().method->has_prefilter(); }},
    };
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

}  // namespace texelscope
