// Actions of the Method menu.

#include <fmt/format.h>

#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/kernel_edits.h"
#include "app/viewer/editing/method_edits.h"

namespace texelscope {
namespace {

Action choose(const MethodInfo& method) {
    const MethodInfo* info = &method;
    const std::string name(method.name), tooltip(method.summary);
    const auto run = [info](AppState& s) { choose_method(s, *info); };
    Action action = Action{fmt::format("method.{}", method.id), name, Menu::method, 0, tooltip, run}.ticked_if(
        [info](const AppState& s) { return s.scene.spec().method == info; });
    if (method.rank < 1 || method.rank > 9) return action;
    return std::move(action).keys({fmt::format("{}", method.rank)});
}

}  // namespace

std::vector<Action> method_actions() {
    std::vector<Action> result;
    for (const MethodInfo* method : all_methods()) result.push_back(choose(*method));
    const std::vector<Action> rest = {
        Action{"method.path", "Next fetch path", Menu::method, 1,
               "auto → global → lookup → hardware: the way a kernel reads its taps.", cycle_path}
            .keys({"P"}),
        Action{"method.address", "Next address mode", Menu::method, 1,
               "clamp → border → wrap → mirror → reflect101: the way the image continues beyond its edges.",
               cycle_address}
            .keys({"A"}),
        Action{"method.prefilter", "Next prefilter", Menu::method, 1,
               "none → fir → iir: the filter that turns samples into coefficients.", cycle_prefilter}
            .keys({"K"})
            .only_if([](const AppState& s) { return s.scene.spec().method->has_prefilter(); }),
        Action{"method.kernel", "CUDA kernel…", Menu::method, 1,
               "A method of one's own, written in CUDA C++ and compiled at once. It needs CUDA to run.", edit_kernel}
            .opening(Dialog::kernel)
            .found_by("write own kernel NVRTC editor program"),
    };
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

}  // namespace texelscope
