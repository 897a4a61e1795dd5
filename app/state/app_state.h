#pragma once
// AppState: everything the viewer shows, as one value. Panels, actions and the mouse edit it and nothing else; for
// anything more (files, GPU, window) they add a Task. The loop fills `machine` and `places`, which everybody reads, and
// `report`, which panels show.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/folder_view.h"
#include "app/state/interface.h"
#include "app/state/lesson_state.h"
#include "app/state/messages.h"
#include "app/state/panel_state.h"
#include "app/state/read_pictures.h"
#include "app/state/report.h"
#include "app/state/scene.h"
#include "app/state/surroundings.h"
#include "app/state/task.h"

namespace texelscope {

// The mouse over the picture.
struct Pointer {
    bool inside = false;     // over a pane, not over a panel
    int pane = 0;            // the pane under it
    int x = 0, y = 0;        // its output pixel under it
    bool reference = false;  // Shift is held on the picture
    enum class Drag { none, pan, select, profile, minimap } drag = Drag::none;
    Point drag_start = {};  // select: sample-space point where it began
};

// An animated transition between two views.
struct Transition {
    View from;
    double start = 0;  // seconds
};
inline constexpr double transition_seconds = 0.15;

// Antialiasing that is too slow to follow the mouse waits until the picture rests; see update_draft.
struct Draft {
    struct SeenPane {
        int pane = 0;
        const MethodInfo* method = nullptr;
        MethodParameters parameters;
        View view;
        Warp warp;
        bool operator==(const SeenPane&) const = default;
    };
    std::vector<SeenPane> seen;  // shown by the last frame
    double moved = -1e9;         // seconds; when it last changed
    bool permitted = true;       // not for pictures that are saved
    bool active = false;         // the picture on the screen is not antialiased although antialiasing is on
};
inline constexpr double draft_rest_seconds = 0.1, draft_above_ms = 100;

// The part of the shown file that was asked for last: until it is there, the next step goes on from it.
struct PartOnItsWay {
    std::string from;  // the source of the document that is still shown
    int part = 0;      // from 0
};

// Work that takes longer than a frame: shown with a bar, cancelled by Esc.
struct Work {
    std::string text;
    int done = 0, total = 1;
    bool cancelled = false;
};

// What undo brings back: the scene, its documents without their samples, and what is shown beside and over the picture.
struct Remembered {
    Scene scene;
    Appearance shown;
};

// What was before and after the current state, for undo and redo.
struct History {
    std::vector<Remembered> past, future;  // the latest last
    Remembered last;                       // what was recorded last
    Remembered changing;                   // if the current one differs from it: as of its last change
    double changed = 0;                    // seconds
    bool differs = false;
};

struct AppState {
    Scene scene;
    UiState ui;
    Pointer pointer;
    std::optional<Transition> transition;
    Draft draft;
    History history;
    std::optional<Work> work;
    ReadPictures read;
    std::optional<Loading> loading;
    std::optional<PartOnItsWay> part;
    FolderView folder;
    Filmstrip filmstrip;
    std::vector<TrashedFile> trashed;                            // that undo brings back, the latest last
    Question question;                                           // that the dialog asks, while it is open
    std::map<std::string, std::shared_ptr<const Image>> pushed;  // by source, see pushed_source.h; no file holds them
    Messages messages;
    std::vector<std::string> offers_made;    // texts of messages with a button: none appears twice
    std::vector<std::string> looked_closer;  // files whose methods were shown close by themselves: each once
    Tasks tasks;
    LessonState lesson;
    OwnLessons own_lessons;
    PresenterState presenter;
    WeightsUi weights;  // the Method panel's editor
    KernelUi kernel;    // the editor of CUDA kernels
    Machine machine;
    Places places;
    Report report;
    double now = 0;  // seconds, since the program started
};

// The report on a pane; null for one that was created in this frame.
inline const PaneReport* report_of(const Report& report, int pane) {
    return pane >= 0 && size_t(pane) < report.findings.panes.size() ? &report.findings.panes[size_t(pane)] : nullptr;
}

}  // namespace texelscope
