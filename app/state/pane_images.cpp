#include "app/state/pane_images.h"

#include "app/state/pane_places.h"

namespace texelscope {

const Document* document_named(const AppState& state, const std::string& source) {
    for (const Document& document : state.scene.documents)
        if (document.source == source) return &document;
    return nullptr;
}

const Document* document_of(const AppState& state, const Pane& pane) {
    if (!pane.source.empty())
        if (const Document* own = document_named(state, pane.source)) return own;
    return state.scene.document();
}

std::shared_ptr<const Image> image_of(const AppState& state, int pane) {
    if (pane < 0 || size_t(pane) >= state.scene.panes.size()) return nullptr;
    const Document* document = document_of(state, state.scene.panes[size_t(pane)]);
    return document ? document->image : nullptr;
}

Extent image_extent(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state, pane.value_or(focused_pane(state)));
    return image ? Extent{image->width(), image->height()} : Extent{};
}

bool shows_signal(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state, pane.value_or(focused_pane(state)));
    return image && image->one_dimensional();
}

}  // namespace texelscope
