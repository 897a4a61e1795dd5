#include "app/viewer/loop/tasks/steps.h"

#include "app/picture/first_look.h"
#include "app/picture/inspect/statistics.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/display_edits.h"

namespace texelscope {
namespace {

// Stores the levels that were found in the data of all documents with this image.
void note_levels(Scene& scene, const Image* image, const std::optional<Levels>& levels) {
    for (Document& document : scene.documents)
        if (document.image.get() == image) document.look.levels = levels;
}

}  // namespace

void ContrastTasks::run(AppState& state, const task::AutoContrast& wanted) {
    const int pane = state.scene.active;
    if (!image_of(state.scene, pane) || output_extent(state, pane).empty()) return;
    const auto selection = wanted.first ? std::nullopt : measured_selection(state, pane);
    search_ = {pane_rendition(state, pane), selection, wanted};
}

bool ContrastTasks::follow(AppState& state) {
    if (!search_) return false;
    const int pane = state.scene.active;
    const auto image = image_of(state.scene, pane);
    const bool visible = image == search_->of.image && !output_extent(state, pane).empty(),
               first = search_->wanted.first;
    const bool same = visible && search_->of == pane_rendition(state, pane) &&
                      (first || search_->selection == measured_selection(state, pane));
    if (visible && !same && first) run(state, search_->wanted);
    else if (!same) search_.reset();
    if (!search_) return false;
    bool found = true;
    attempt(renderer_, state.messages, "", [&] {
        const Rendition& shown = search_->of;
        SourceImage& source = renderer_.sources().at(shown.image, shown.light);
        const auto values = values_in_view(source, shown.request, search_->selection);
        found = values.has_value();  // if not, samples have to come, which causes another frame
        if (!found) return;
        if (first) note_levels(state.scene, image.get(), look_at_values(*values, *image).levels);
        else
            set_levels(state.scene, state.messages,
                       auto_levels(*values, {}, state.scene.display.channel, search_->wanted.share));
    });
    if (!found) return false;
    search_.reset();
    return true;
}

}  // namespace texelscope
