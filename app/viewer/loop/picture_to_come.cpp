#include "app/viewer/loop/picture_to_come.h"

#include <algorithm>
#include <utility>

#include "app/picture/pane_picture.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {

std::optional<PanePicture> picture_to_come(const AppState& state, const std::string& source,
                                           std::shared_ptr<const Image> image) {
    AppState then = state;
    auto& documents = then.scene.documents;
    auto at = std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == source; });
    if (at == documents.end()) {
        documents.emplace_back().source = source;
        at = documents.end() - 1;
    }
    at->image = std::move(image);
    then.scene.current = int(at - documents.begin());
    then.transition.reset();
    then.draft = {};
    update_views(then);
    const std::vector<int> panes = panes_in_view(then);
    if (panes.size() != 1 || pane_rect(then, panes.front()).empty()) return {};
    return pane_picture(then, panes.front());
}

}  // namespace texelscope
