#include "app/state.h"

#include <algorithm>
#include <filesystem>

namespace texelscope {

std::string Document::title() const { return is_file() ? std::filesystem::path(source).filename().string() : source; }

void post(AppState& state, Message::Level level, std::string text) {
    for (Message& message : state.messages)
        if (message.level == level && message.text == text) {
            ++message.count;
            message.shown_at = -1;
            return;
        }
    state.messages.push_back({level, std::move(text)});
    // The strip has room for few; the oldest goes.
    if (state.messages.size() > 4) state.messages.erase(state.messages.begin());
}

View shown_view(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    if (!state.transition) return document->view;
    const double t = (state.now - state.transition->start) / transition_seconds;
    return between(state.transition->from, document->view, ease_out(t));
}

Extent image_extent(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document || !document->image) return {};
    return {document->image->width(), document->image->height()};
}

Extent output_extent(const AppState& state) { return {state.report.picture.width, state.report.picture.height}; }

bool shows_signal(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->image && document->image->one_dimensional();
}

Affine shown_affine(const AppState& state) {
    const Extent image = image_extent(state), output = output_extent(state);
    return sampling_affine(shown_view(state), image.width, image.height, output.width, output.height);
}

Affine read_affine(const AppState& state) {
    Affine affine = shown_affine(state);
    if (shows_signal(state)) affine.yx = affine.yy = affine.y0 = 0;
    return affine;
}

Warp acting_warp(const AppState& state) { return shows_signal(state) ? Warp{} : state.scene.warp; }

Point shown_point(const AppState& state, double i, double j) {
    const Extent image = image_extent(state);
    return warped(acting_warp(state), apply(read_affine(state), i, j), image.width, image.height);
}

MethodSpec shown_spec(const AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    return state.pointer.reference ? reference_of(spec) : spec;
}

MethodSpec reference_of(const MethodSpec& spec) {
    MethodSpec reference = spec;
    reference.path = FetchPath::global;
    reference.prefilter = {Prefilter::Kind::iir};
    return reference;
}

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

}  // namespace texelscope
