#include "app/state/history.h"

#include <algorithm>
#include <filesystem>

#include "app/state/panes.h"

namespace texelscope {
namespace {

constexpr size_t most_kept = 200;
constexpr double rest_seconds = 0.4;  // faster changes count as one

Scene without_samples(Scene scene) {
    for (Document& document : scene.documents) document.image.reset();
    return scene;
}

// What undo is about: not what is in memory, which pane is active, where the divider follows the mouse, or how a fitted
// view follows the window.
Scene as_undone(const Scene& scene) {
    Scene result = without_samples(scene);
    result.active = 0;
    result.wipe.at = Wipe().at;
    for (Document& document : result.documents) {
        document.loaded = document.seen = {};
        document.look = {};
        document.unreadable = document.passing = false;
        if (document.keep_fit) document.view = {0, 0, 1, document.view.rotate};
        else document.region.reset();
    }
    return result;
}

// Whether the interface is shown at all, and where a session holds the cursor, is not undone; nor how plots are zoomed.
Appearance as_undone(const Appearance& shown) {
    Appearance result;
    static_cast<Overlays&>(result) = shown;
    result.loupe = shown.loupe;
    result.loupe_magnification = shown.loupe_magnification;
    result.taps = shown.taps;
    result.dock = shown.dock;
    return result;
}

Remembered remembered(const Scene& scene, const Appearance& shown) {
    return {without_samples(scene), as_undone(shown)};
}

bool same(const Remembered& a, const Remembered& b) { return same_scene(a.scene, b.scene) && a.shown == b.shown; }

// A lesson's source goes with its lesson.
void put_back(AppState& state, const Appearance& shown) {
    static_cast<Overlays&>(state.ui) = shown;
    state.ui.loupe = shown.loupe;
    state.ui.loupe_magnification = shown.loupe_magnification;
    state.ui.taps = shown.taps;
    state.ui.dock = shown.dock == Dock::source && !state.lesson.lesson ? Dock::none : shown.dock;
}

std::string folder_of(const Document& document) {
    return document.is_file() ? std::filesystem::path(document.source).parent_path().string() : "";
}

// What walking through a folder came to stays, in the view of what was shown before.
void stay_where_walked(const Scene& now, Scene& before) {
    const Document* shown = now.document();
    const Document* old = before.document();
    if (!shown || !old || !shown->passing || shown->source == old->source || folder_of(*shown) != folder_of(*old))
        return;
    Document kept = *shown;
    kept.view = old->view;
    kept.keep_fit = old->keep_fit;
    const auto at = std::find_if(before.documents.begin(), before.documents.end(),
                                 [&](const Document& document) { return document.source == kept.source; });
    if (at != before.documents.end()) {
        before.current = int(at - before.documents.begin());
    } else if (old->passing) {
        *before.document() = std::move(kept);
    } else {
        before.documents.push_back(std::move(kept));
        before.current = int(before.documents.size()) - 1;
    }
}

// Documents that are open keep their samples; for the others see ask_for_documents.
void put_back(AppState& state, Remembered before) {
    Scene& scene = before.scene;
    stay_where_walked(state.scene, scene);
    for (Document& document : scene.documents)
        if (const Document* open = document_named(state.scene, document.source)) document.take_samples_of(*open);
    state.scene = std::move(scene);
    put_back(state, before.shown);
    state.transition.reset();
    state.pointer.drag = Pointer::Drag::none;
    state.history.last = remembered(state.scene, state.ui);
    state.history.differs = false;
}

void move(AppState& state, std::vector<Remembered>& from, std::vector<Remembered>& to) {
    if (from.empty()) return;
    to.push_back(remembered(state.scene, state.ui));
    Remembered before = std::move(from.back());
    from.pop_back();
    put_back(state, std::move(before));
}

// Whether there is a change that is not recorded, also one that no frame has seen yet.
bool unrecorded(const AppState& state) {
    const History& history = state.history;
    return !history.last.scene.panes.empty() && !same(history.last, remembered(state.scene, state.ui));
}

void record_now(AppState& state) {
    History& history = state.history;
    history.past.push_back(std::move(history.last));
    if (history.past.size() > most_kept) history.past.erase(history.past.begin());
    history.future.clear();
    history.last = remembered(state.scene, state.ui);
    history.differs = false;
}

}  // namespace

bool same_scene(const Scene& a, const Scene& b) { return as_undone(a) == as_undone(b); }

void record_history(AppState& state) {
    History& history = state.history;
    if (history.last.scene.panes.empty()) {  // starts with the first frame that has a picture
        if (state.scene.document() && state.scene.document()->image) history.last = remembered(state.scene, state.ui);
        return;
    }
    const Remembered now = remembered(state.scene, state.ui);
    if (same(history.last, now)) {
        history.last.scene.active = state.scene.active;  // undo goes back to the pane that was changed next
        history.differs = false;
        return;
    }
    if (!history.differs || !same(history.changing, now)) {
        history.changing = now;
        history.changed = state.now;
        history.differs = true;
    }
    if (state.pointer.drag == Pointer::Drag::none && state.now - history.changed >= rest_seconds) record_now(state);
}

void wake_for_history(const AppState& state, WakeUp& wake_up) {
    if (state.history.differs && state.pointer.drag == Pointer::Drag::none)
        wake_up.draw_in(state.history.changed + rest_seconds - state.now);
}

void settle_history(AppState& state) {
    if (unrecorded(state)) record_now(state);
}

void begin_history_here(AppState& state) {
    if (state.history.last.scene.panes.empty()) return;
    state.history.last = remembered(state.scene, state.ui);
    state.history.differs = false;
}

bool can_undo(const AppState& state) { return !state.history.past.empty() || unrecorded(state); }
bool can_redo(const AppState& state) { return !state.history.future.empty() && !unrecorded(state); }

void undo(AppState& state) {
    settle_history(state);  // an unfinished change counts as done
    move(state, state.history.past, state.history.future);
}

void redo(AppState& state) {
    if (can_redo(state)) move(state, state.history.future, state.history.past);
}

}  // namespace texelscope
