#include "app/picture/pane_words.h"

#include <cmath>

#include <fmt/format.h>

#include "app/viewer/editing/sampling_edits.h"
#include "app/picture/widening.h"

namespace texelscope {

std::string words_without_path(const MethodSpec& spec) {
    std::string text(spec.method->name);
    if (!spec.method->has_prefilter()) return text;
    if (spec.prefilter.kind == Prefilter::Kind::none) return text + " · no prefilter";
    return text + " · " + to_string(spec.prefilter) + (spec.prefilter.half_float ? " half" : "");
}

std::string words(const MethodSpec& spec) {
    return words_without_path(spec) + fmt::format(" · {}", name_of(spec.path));
}

std::string sampling_words(const AppState& state, std::optional<int> pane) {
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : " · ") + words; };
    if (shown_widening(state, pane).active) add("antialiased");
    if (state.scene.light == Light::linear) add("linear light");
    if (const Warp warp = acting_warp(state, pane); warp.kind != Warp::Kind::none) add(words(warp));
    return text;
}

std::string shown_words(const AppState& state, std::optional<int> pane) {
    const MethodSpec spec = shown_spec(state, pane);
    const Widening widening = shown_widening(state, pane);
    // Omits settings without effect: the path if weights come from a table, the prefilter on a smaller image.
    std::string text = !widening.active          ? words(spec)
                       : widening.from_pyramid() ? std::string(spec.method->name)
                                                 : words_without_path(spec);
    const std::string more = sampling_words(state, pane);
    return more.empty() ? text : text + " · " + more;
}

}  // namespace texelscope
