// Actions of the File menu.

#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/state/scene.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope {

std::vector<Action> file_actions() {
    return {
        Action{"file.open", "Open…", Menu::file, 0,
               "Choose an image or a session file. Dropping files or a folder on the window also opens them.",
               [](UiState& ui) { ui.dialogs.open(Dialog::browser); }}
            .keys({"Ctrl+O"})
            .opening(Dialog::browser),
        Action{"file.reload", "Reload", Menu::file, 1,
               "Reload the image and keep the view. A file that changes on disk is reloaded automatically.",
               [](Tasks& tasks) { tasks.push_back(task::Reload{}); }}
            .keys({"F5"})
            .only_if(has_document),
        Action{"file.close", "Close", Menu::file, 1,
               "Close the active pane's image. After the last one, the default picture is shown.",
               [](AppState& s) {
                   follow_with_active_pane(s);
                   s.tasks.push_back(task::Close{});
               }}
            .keys({"Ctrl+W"})
            .only_if(has_document),
        Action{"file.information", "File information…", Menu::file, 1,
               "What the file says of itself: place, size, channels, colour profile, EXIF and other metadata. Typing "
               "filters the rows.",
               [](UiState& ui) { ui.dialogs.toggle(Dialog::information); }}
            .opening(Dialog::information)
            .only_if(has_document)
            .ticked_if([](const UiState& ui) { return ui.dialogs.has(Dialog::information); })
            .found_by("metadata, properties, exif, iptc, xmp, camera, gps, icc profile, tags, layers"),
        Action{"file.quit", "Quit", Menu::file, 3, "Quit the program.",
               [](Tasks& tasks) { tasks.push_back(task::Quit{}); }}
            .keys({"Ctrl+Q"}),
    };
}

// Actions on the pictures beside the shown one: in its folder, and among the open images.

namespace {

bool several_documents(const Scene& scene) { return scene.documents.size() > 1; }

// The active pane.
bool shows_file(const Scene& scene) {
    const Document* document = document_of(scene, scene.pane());
    return document && document->is_file();
}

// Whether the active pane's picture is in a folder; a shrunk picture counts as beside its original.
bool has_folder(const Scene& scene) {
    const Document* document = document_of(scene, scene.pane());
    return document && !original_source(document->source).starts_with('@');
}

void walk(AppState& state, const task::Walk& how) {
    follow_with_active_pane(state);
    state.tasks.push_back(how);
}

// Test images have no folder, and a lesson has the keys while it is open.
bool has_neighbours(const AppState& state) {
    return !current_step(state.lesson) &&
           (has_folder(state.scene) || several_documents(state.scene) || !state.folder.folder.empty());
}

// Also of a file that could not be read, while none is shown.
bool has_ends(const AppState& state) { return shows_file(state.scene) || !state.folder.folder.empty(); }

void show_open(const Scene& scene, Tasks& tasks, int step) {
    const int count = int(scene.documents.size());
    tasks.push_back(task::ShowDocument{(scene.current + step + count) % count});
}

void show_neighbour(AppState& state, int step) {
    if (shows_file(state.scene) || !several_documents(state.scene)) walk(state, {.steps = step});
    else show_open(state.scene, state.tasks, step);
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
        .only_if(has_ends);
}

Action opened(std::string id, std::string title, std::string tip, int step) {
    return Action{std::move(id),  std::move(title),
                  Menu::file,     1,
                  std::move(tip), [step](const Scene& scene, Tasks& tasks) { show_open(scene, tasks, step); }}
        .only_if(several_documents)
        .repeating();
}

Action sorting(std::string id, std::string title, std::string tip, FolderOrder order) {
    return Action{std::move(id),  std::move(title),
                  Menu::file,     1,
                  std::move(tip), [order](UiState& ui) { ui.folder_order = order; }}
        .ticked_if([order](const UiState& ui) { return ui.folder_order == order; });
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
               [](UiState& ui) { ui.folder_descending = !ui.folder_descending; }}
            .ticked_if([](const UiState& ui) { return ui.folder_descending; }),
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

// Actions that save something: files, sessions, the clipboard, undo.

namespace {

using Saving = UiState::Saving;

Action saving(std::string id, std::string title, std::string tip, Saving what) {
    const auto run = [what](const Scene& scene, UiState& ui) { toggle_save_window(scene, ui, what); };
    return Action{std::move(id), std::move(title), Menu::file, 2, std::move(tip), run}
        .only_if([what](const AppState& s) { return can_save(s, what); })
        .opening(Dialog::save);
}

// A file that was moved to the trash after the last change comes back first.
void undo_latest(AppState& state) {
    settle_history(state);
    const bool file = !state.trashed.empty() && state.history.past.size() <= state.trashed.back().changes;
    if (file) state.tasks.push_back(task::Untrash{});
    else undo(state);
}

}  // namespace

std::vector<Action> keep_actions() {
    return {
        saving("file.save-view", "Save view…", "Save the active pane's picture to a file, at its size or any other.",
               Saving::view)
            .keys({"Ctrl+S"}),
        Action{"file.export", "Export…", Menu::file, 2,
               "Write the whole picture at any factor or size by the active pane's method, as texelscope resize does.",
               toggle_export}
            .only_if(has_document)
            .opening(Dialog::exporting)
            .found_by("resize, scale the whole image, enlarge, shrink, save as"),
        saving("file.save-sheet", "Save sheet…",
               "Save all panes with their labels, figures and legend as one picture, ready for a slide.", Saving::sheet)
            .keys({"Ctrl+Shift+E"}),
        saving("file.save-profile", "Save profile…", "Save the plotted profile as a table (.csv). Open the plot first.",
               Saving::profile),
        saving("file.save-session", "Save session…",
               "Save images, panes, views and settings to a .json file; texelscope FILE.json or Open… restores them.",
               Saving::session)
            .keys({"Ctrl+Shift+S"}),
        Action{
            "edit.undo", "Undo", Menu::edit, 0,
            "Undo the last change to panes, view, settings, plots or overlays, or bring back the file that was moved "
            "to the trash last.",
            undo_latest}
            .keys({"Ctrl+Z"})
            .only_if([](const AppState& s) { return can_undo(s) || !s.trashed.empty(); })
            .repeating(),
        Action{"edit.redo", "Redo", Menu::edit, 0, "Redo the change that was undone.", redo}
            .keys({"Ctrl+Shift+Z", "Ctrl+Y"})
            .only_if(can_redo)
            .repeating(),
        Action{
            "edit.copy-value", "Copy value", Menu::edit, 1,
            "Copy the position and the stored and interpolated values under the cursor, or where it was last over the "
            "picture, as text.",
            [](AppState& s) { s.tasks.push_back(task::CopyText{copied_text(s)}); }}
            .keys({"Ctrl+C"})
            .only_if([](const AppState& s) { return !copied_text(s).empty(); }),
        Action{"edit.copy-formula", "Copy formula", Menu::edit, 1,
               "Copy the weights and samples that add up to the value, as the Taps tab lists them, as text.",
               [](AppState& s) {
                   s.tasks.push_back(task::CopyText{copied_formula(s), "the formula"});
               }}
            .only_if([](const AppState& s) { return !copied_formula(s).empty(); })
            .found_by("taps, weights, sum"),
        Action{"edit.copy-picture", "Copy picture", Menu::edit, 1,
               "Copy the active pane's picture. Needs wl-copy or xclip.",
               [](Tasks& tasks) { tasks.push_back(task::CopyPicture{}); }}
            .keys({"Ctrl+Shift+C"})
            .only_if(has_document),
        Action{"edit.paste", "Paste picture", Menu::edit, 1,
               "Open the picture that another program has copied, or the file whose path or address it has copied.",
               [](AppState& s) { s.tasks.push_back(task::Paste{}); }}
            .keys({"Ctrl+V"})
            .found_by("clipboard, insert"),
    };
}

// Actions on what is seen of the shown file: its parts, and which way up.

namespace {

bool has_parts(const AppState& state) { return part_count(state) > 1; }

Action stepping(std::string id, std::string title, std::string tip, int step) {
    return Action{
        std::move(id), std::move(title), Menu::file, 1, std::move(tip), [step](AppState& s) { step_part(s, step); }}
        .only_if(has_parts)
        .repeating()
        .found_by("page, frame, layer, subimage, channel");
}

}  // namespace

std::vector<Action> part_actions() {
    return {
        stepping("part.previous", "Previous part",
                 "Show the page, frame, layer, subimage or channel before this one in its file, in the same view.", -1)
            .keys({","}),
        stepping("part.next", "Next part",
                 "Show the page, frame, layer, subimage or channel after this one in its file, in the same view.", +1)
            .keys({"."}),
        Action{"part.channels-first", "Channels first", Menu::file, 1,
               "Read an array of three dimensions as channels, height, width. Off: as height, width, channels.",
               [](AppState& s) { set_channels_first(s.scene, s.tasks, !*channels_first(s)); }}
            .keys({"O"})
            .only_if([](const AppState& s) { return channels_first(s).has_value(); })
            .ticked_if([](const AppState& s) { return channels_first(s).value_or(false); })
            .found_by("layout, chw, hwc, planar, array, other reading"),
        Action{"part.upright", "Upright", Menu::file, 1,
               "Turn pictures as the camera noted in their EXIF data. Off: the rows as they are stored.",
               [](AppState& s) { set_upright(s.tasks, !is_upright(s.scene, s.ui)); }}
            .ticked_if(is_upright)
            .found_by("exif orientation, rotate automatically, stored rows"),
    };
}

}  // namespace texelscope
