// Tasks on what is read of a file: its part, its channels, upright or as stored.

#include <algorithm>
#include <utility>

#include "app/state/history.h"
#include "app/state/pane_images.h"
#include "app/viewer/loop/task_runner.h"

namespace texelscope {
namespace {

bool is_used_elsewhere(const Scene& scene, const std::string& source) {
    if (scene.reference.kind == Reference::Kind::image && scene.reference.source == source) return true;
    return std::ranges::any_of(scene.panes, [&](const Pane& pane) { return pane.source == source; });
}

void rename(Scene& scene, const std::string& from, const std::string& to) {
    for (Pane& pane : scene.panes)
        if (pane.source == from) pane.source = to;
    if (scene.reference.source == from) scene.reference.source = to;
}

std::string turned(const std::string& source, bool upright) {
    auto [file, choice] = parse_picture_source(source);
    choice.upright = upright;
    return with_choice(file, choice);
}

}  // namespace

// In place of what was shown, unless a pane or the reference needs that. As with a step through a folder, undo does not
// know it.
void TaskRunner::choose_picture(AppState& state, const PictureChoice& choice) {
    Scene& scene = state.scene;
    if (!scene.document() || !scene.document()->is_file()) return;
    const Document before = *scene.document();
    const std::string source = with_choice(file_of(before.source), choice);
    if (source == before.source) return;
    settle_history(state);
    const auto is_it = [&](const Document& document) { return document.source == source; };
    const bool was_open = std::ranges::any_of(scene.documents, is_it);
    open_document(state, source, accept_for(state));
    forget_errors_about(state, source);
    if (!was_open) {
        Document& now = *scene.document();
        now.view = before.view;
        now.keep_fit = before.keep_fit;
        now.region = before.region;
        now.passing = before.passing;
        // Beside what it replaces.
        auto& documents = scene.documents;
        const auto old = std::ranges::find(documents, before.source, &Document::source);
        std::rotate(old + 1, documents.end() - 1, documents.end());
        scene.current = int(old - documents.begin()) + 1;
        if (!is_used_elsewhere(scene, before.source)) drop_document(state, scene.current - 1);
    }
    begin_history_here(state);
}

// The shown picture first: if it cannot be read, nothing changes.
void TaskRunner::set_upright(AppState& state, bool upright) {
    const bool before = std::exchange(state.ui.upright, upright);
    Scene& scene = state.scene;
    if (const Document* shown = scene.document(); shown && shown->is_file()) try {
            choose_picture(state, parse_picture_source(turned(shown->source, upright)).choice);
        } catch (...) {
            state.ui.upright = before;
            throw;
        }
    for (int i = int(scene.documents.size()); i-- > 0;) {
        Document& document = scene.documents[size_t(i)];
        const std::string source = document.is_file() ? turned(document.source, upright) : document.source;
        if (source == document.source) continue;
        rename(scene, document.source, source);
        if (document_named(state, source)) {
            drop_document(state, i);
        } else {  // read again when it is needed
            document.source = source;
            document.image.reset();
            document.unreadable = false;
        }
    }
    begin_history_here(state);
}

}  // namespace texelscope
