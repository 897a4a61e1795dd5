#pragma once
// AppState: everything the viewer shows, as one value. Panels, actions and the mouse edit it and nothing else; for
// anything more (files, GPU, window) they add a Task. The loop fills `machine` and `places`, which everybody reads, and
// `report`, which panels show.

#include <cstdint>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/files/desktop/desktop.h"
#include "app/files/desktop/folders.h"
#include "app/state/interface.h"
#include "app/state/messages.h"
#include "app/state/panel_state.h"
#include "app/state/report.h"
#include "app/state/scene.h"
#include "app/state/task.h"
#include "app/state/view_math.h"

namespace texelscope {

// The open lesson, and the reader's position in it; the user's own lessons.

struct Lesson;
struct Session;

struct LessonState {
    std::shared_ptr<const Lesson> lesson;  // null: none
    int step = 0;
    // Values of the step's sliders: now, and when it began.
    std::vector<double> sliders = {}, first_sliders = {};
    std::string own_picture = {};           // the reader's, in steps that take one; empty: the lesson's
    bool answer = false;                    // the answer to the step's question is shown
    int chosen = -1;                        // the reply that was given: an index, −1: none that the step knows
    std::string typed = {};                 // the number in the field
    bool replied = false;                   // a reply was given; `answer` is shown if it was right
    bool list = false;                      // the panel lists all lessons
    bool controls = false;                  // the panel shows the controls, for experimenting
    bool scrolled = false;                  // keeps the scroll position of the step; else it is shown from its top
    std::shared_ptr<const Session> wanted;  // what the step asked for
    std::shared_ptr<const Session> shown;   // the scene set by the step
    std::shared_ptr<const Session> before;  // the scene before the lesson
};

// A lesson as the list shows it.
struct LessonEntry {
    std::string source;  // a built-in lesson's name, or a file
    std::string title, summary;
};

// What is in the user's folder of lessons, when the list was opened.
struct OwnLessons {
    std::string folder;  // empty: there is none
    std::vector<LessonEntry> lessons;
    std::vector<std::string> problems;  // why files are not among them: "2-mine.md:3: …"
};

// Presenter mode: large type, visible keys and mouse.

// The last key or wheel movement, shown for a second.
struct KeyHint {
    std::string text;  // "Ctrl+G"; "wheel ↑"
    int count = 0;     // in a row; 0: nothing yet
    double at = 0;     // seconds
};

struct Lesson;

// How much larger everything is, and the step and window that this was found for.
struct PresenterFit {
    std::shared_ptr<const Lesson> lesson;
    int step = 0;
    float width = 0, height = 0, display_scale = 0;  // of the window
    float magnification = 1;
};

struct PresenterState {
    bool on = false;
    bool pressed = false;  // a mouse button is held
    KeyHint key;
    PresenterFit fit;
};
inline constexpr double key_hint_seconds = 1.2;

// The folder of the shown file, as it was listed last; and what was moved from it to the trash.

struct FolderView {
    std::string folder;                                     // absolute; empty: what is shown is no file
    std::shared_ptr<const std::vector<FolderEntry>> files;  // its pictures, in the chosen order; null: not listed yet
    int position = -1;                                      // of the shown file; −1: it is not among them
    std::string problem;                                    // why they could not be listed

    int count() const { return files ? int(files->size()) : 0; }
    bool is_placed() const { return position >= 0; }
};

struct TrashedFile : Trashed {
    size_t changes = 0;  // that undo could take back before
};

// The filmstrip: small pictures of the folder of the shown file, and what of it is in view.

struct StripPicture {
    InterfacePicture picture;  // none: the file cannot be read, or is too large
    Extent size;               // of the file's picture, pixels; empty: not known
    uintmax_t bytes = 0;       // of the file
    std::time_t modified = 0;  // seconds
    int64_t wanted = 0;        // when it was last in view or near it; counts the turns of the loop
};

struct Filmstrip {
    // By the panel, in every frame.
    int first = 0, end = 0;  // places in the folder that are in view; equal: the strip is not shown
    Extent box;              // the most that a small picture may fill, framebuffer pixels
    double scroll = 0;       // window coordinates, from the first picture's left edge
    // What it was scrolled for: the shown picture, how many there are, and the strip's width.
    int shown_position = -1, shown_count = 0;
    float shown_width = 0;

    // By the loop. By path; those in view and near it.
    std::unordered_map<std::string, StripPicture> pictures;

    bool in_view() const { return first < end; }
};

// Pictures on their way from files to documents: they are read in the background, which keeps running.

struct ReadPicture {
    std::shared_ptr<const Image> image;
    FileStamp stamp;                  // of the file before it was read, so that a change meanwhile is noticed
    std::exception_ptr problem = {};  // why there is no image
    bool ahead = false;               // no one has asked for it yet: dropped first when memory is wanted
};

// A picture that a step needs and that is not there yet.
struct WantedPicture {
    std::string source = {};
    std::shared_ptr<const Image> image = {};  // set: it has been read, but is not yet in the backend's memory
    Light light = Light::stored;              // then, in the light of the step, which may be another than the scene's
};

// What a step comes to that shows a picture. Empty: it is taken. Else it has left the state as it was, and is to be taken
// again once this picture is there.
using StillWanted = std::optional<WantedPicture>;

struct ReadPictures {
    bool awaited = false;  // a missing picture is still wanted; else it is read at once, and everything waits for it
    std::map<std::string, ReadPicture> there;  // by source, until a document takes them
    std::set<std::string> under_way;           // for documents that are open; each is asked for once
};

// While it lives, pictures are read at once.
class ReadAtOnce {
public:
    explicit ReadAtOnce(ReadPictures& read) : read_(read), before_(read.awaited) { read.awaited = false; }
    ~ReadAtOnce() { read_.awaited = before_; }
    ReadAtOnce(const ReadAtOnce&) = delete;
    ReadAtOnce& operator=(const ReadAtOnce&) = delete;

private:
    ReadPictures& read_;
    bool before_;
};

// What is read to be shown next, as the sign over the picture says it; the old picture stays until then.
struct Loading {
    std::string source;
    double since = 0;     // seconds
    uintmax_t bytes = 0;  // of the file
    Extent size = {};     // empty until the header has been read
    int rows = 0;         // that have been decoded
    int stored = -1;      // of a picture that is decoded once, into tiles on disk: percent of it; −1: it is not
    InterfacePicture preview = {};  // of these rows, small; no texture: none yet
    bool cancelled = false;         // by the user
    bool shown = false;             // by a sign
};
inline constexpr double loading_shown_after = 0.15;  // seconds: small files would only make it flicker

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
    std::string file;  // of which another part may still be shown
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
    bool every_command = false;                                  // commands run without a question: --allow-commands
    std::map<std::string, std::shared_ptr<const Image>> pushed;  // by source, see scene.h; no file holds them
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
