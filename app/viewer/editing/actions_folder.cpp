// Actions on the pictures beside the shown one: in its folder, and among the open images.

#include "app/state/pane_images.h"
#include "app/state/shrunk_source.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/lessons/lesson_player.h"

namespace texelscope {
namespace {

bool several_documents(const AppState& state) { return state.scene.documents.size() > 1; }

// The active pane.
bool shows_file(const AppState& state) {
    const Document* document = document_of(state, state.scene.pane());
    return document && document->is_file();
}

// Whether the active pane's picture is in a folder; a shrunk picture counts as beside its original.
bool has_folder(const AppState& state) {
    const Document* document = document_of(state, state.scene.pane());
    return document && !original_source(document->source).starts_with('@');
}

void walk(AppState& state, const task::Walk& how) {
    follow_with_active_pane(state);
    state.tasks.push_back(how);
}

// Test images have no folder, and a lesson has the keys while it is open.
bool has_neighbours(const AppState& state) {
    return !current_step(state) && (has_folder(state) || several_documents(state));
}

void show_open(AppState& state, int step) {
    const int count = int(state.scene.documents.size());
    state.tasks.push_back(task::ShowDocument{(state.scene.current + step + count) % count});
}

void show_neighbour(AppState& state, int step) {
    if (shows_file(state)) walk(state, {.steps = step});
    else show_open(state, step);
}

Action walking(std::string id, std::string title, std::string tip, int step) {
    return Action{std::move(id),  std::move(title),
                  Menu::file,     1,
                  std::move(tip), [step](AppState& s) { show_neighbour(s, step); }}
        .only_if(has_neighbours)
        .repeating();
}

Action ending(std::string id, std::string title, std::string tip, task::Walk::To end) {
    return Action{
        std::move(id), std::move(title), Menu::file, 1, std::move(tip), [end](AppState& s) { walk(s, {.to = end}); }}
        .only_if(shows_file);
}

Action opened(std::string id, std::string title, std::string tip, int step) {
    return Action{
        std::move(id), std::move(title), Menu::file, 1, std::move(tip), [step](AppState& s) { show_open(s, step); }}
        .only_if(several_documents)
        .repeating();
}

Action sorting(std::string id, std::string title, std::string tip, FolderOrder order) {
    return Action{std::move(id),  std::move(title),
                  Menu::file,     1,
                  std::move(tip), [order](AppState& s) { s.ui.folder_order = order; }}
        .ticked_if([order](const AppState& s) { return s.ui.folder_order == order; });
}

}  // namespace

std::vector<Action> folder_actions() {
    return {
        walking(
            "file.previous", "Previous image",
            "Show the image before the active pane's in its folder, at the same zoom; it replaces one that was shown so. "
            "Panes that show another image keep it. In a lesson, these keys go back a step.",
            -1)
            .keys({"PgUp", "Alt+Left"}),
        walking(
            "file.next", "Next image",
            "Show the image after the active pane's in its folder, at the same zoom; it replaces one that was shown so. "
            "Panes that show another image keep it. In a lesson, these keys go on a step.",
            +1)
            .keys({"PgDn", "Alt+Right"}),
        ending("folder.first", "First image", "Show the first image in the folder of this one.", task::Walk::To::first)
            .keys({"Home"}),
        ending("folder.last", "Last image", "Show the last image in the folder of this one.", task::Walk::To::last)
            .keys({"End"}),
        opened("folder.previous-open", "Previous open image",
               "Show the image opened before this one; each keeps its view.", -1)
            .keys({"Ctrl+PgUp"}),
        opened("folder.next-open", "Next open image", "Show the image opened after this one; each keeps its view.", +1)
            .keys({"Ctrl+PgDn"}),
        sorting("folder.by-name", "Sort by name", "Walk through a folder by name; numbers count: 2 comes before 10.",
                FolderOrder::name),
        sorting("folder.by-date", "Sort by date", "Walk through a folder by the time of the last change, oldest first.",
                FolderOrder::modified),
        sorting("folder.by-size", "Sort by size", "Walk through a folder by the size of the files, smallest first.",
                FolderOrder::size),
        Action{"folder.descending", "Descending", Menu::file, 1,
               "Walk through a folder the other way round: the latest, the largest or the last name first.",
               [](AppState& s) { s.ui.folder_descending = !s.ui.folder_descending; }}
            .ticked_if([](const AppState& s) { return s.ui.folder_descending; }),
        Action{"file.trash", "Move to trash", Menu::file, 1,
               "Move the image's file to the desktop's trash and show the next one. Undo brings it back.",
               [](AppState& s) {
                   follow_with_active_pane(s);
                   s.tasks.push_back(task::Trash{});
               }}
            .keys({"Shift+Delete"})
            .only_if(shows_file)
            .found_by("delete file, remove"),
    };
}

}  // namespace texelscope
