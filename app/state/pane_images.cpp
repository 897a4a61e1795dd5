#include "app/state/pane_images.h"

#include "app/state/pane_places.h"

namespace texelscope {

const Document* document_named(const Scene& scene, const std::string& source) {
    for (const Document& document : scene.documents)
        if (document.source == source) return &document;
    return nullptr;
}

const Document* document_of(const Scene& scene, const Pane& pane) {
    if (!pane.source.empty())
        if (const Document* own = document_named(scene, pane.source)) return own;
    return scene.document();
}

std::shared_ptr<const Image> image_of(const Scene& scene, int pane) {
    if (pane < 0 || size_t(pane) >= scene.panes.size()) return nullptr;
    const Document* document = document_of(scene, scene.panes[size_t(pane)]);
    return document ? document->image : nullptr;
}

Extent image_extent(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state.scene, pane.value_or(focused_pane(state)));
    return image ? Extent{image->width(), image->height()} : Extent{};
}

bool shows_signal(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state.scene, pane.value_or(focused_pane(state)));
    return image && image->one_dimensional();
}

}  // namespace texelscope
