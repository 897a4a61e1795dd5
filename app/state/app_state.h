#pragma once
// AppState: everything the viewer shows, as one value. Panels, actions and the mouse edit it and nothing else; for
// anything more (files, GPU, window) they add a Request. `report` flows the other way, for panels to show.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/state/experiments_ui.h"
#include "app/state/inspect_ui.h"
#include "app/state/lesson_state.h"
#include "app/state/presenter_state.h"
#include "app/state/report.h"
#include "app/state/view_math.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/light.h"
#include "gpu/core/warp.h"
#include "gpu/display/display_settings.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Time and size of a file, to detect changes on disk.
struct FileStamp {
    int64_t modified = 0;
    uintmax_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};

// An open image and its view.
struct Document {
    std::string source;                  // a path, or a test image as "@zone-plate:512"
    std::shared_ptr<const Image> image;  // null until it is shown for the first time
    View view;
    bool keep_fit = true;               // the view follows the size of the window
    std::optional<Region> region = {};  // while it does: kept in view instead of the whole image
    FileStamp loaded;                   // of the file that `image` came from
    FileStamp seen;                     // at the last check; a change that has settled is read
    bool unreadable = false;            // for a pane; not retried until it is shown

    bool is_file() const { return !source.starts_with('@'); }
    std::string title() const;  // the file's name without folders, or the source
};

// A picture in the window: a method with all its settings, over an image, under a view.
struct Pane {
    MethodSpec spec;
    std::string label = {};   // replaces the method in words; empty: the words
    std::string source = {};  // the document it shows; empty or not open: the current one

    // Linked panes follow the current document's view, and show the same field of an image of another size; `offset`
    // then moves (samples of the pane's own image), turns and scales that view.
    View offset = {};
    std::optional<View> own_view = {};   // not linked: the view itself
    std::optional<bool> antialias = {};  // unset: the scene's
    bool difference = false;             // shows how it differs from …
    int against = reference_pane;        // … this pane, or the reference

    static constexpr int reference_pane = -1;
    bool operator==(const Pane&) const = default;
};
inline constexpr int max_panes = 16;

// How the panes share the picture area. Single: only the active one. Wipe: A and the active one over each other, with a
// divider; A and B if A is active.
enum class Arrangement { single, columns, rows, grid, wipe };
inline constexpr std::array<Arrangement, 5> all_arrangements = {
    Arrangement::single, Arrangement::columns, Arrangement::rows, Arrangement::grid, Arrangement::wipe};
constexpr std::string_view name_of(Arrangement arrangement) {
    switch (arrangement) {
        case Arrangement::single: return "single";
        case Arrangement::columns: return "columns";
        case Arrangement::rows: return "rows";
        case Arrangement::grid: return "grid";
        case Arrangement::wipe: return "wipe";
    }
    return "";
}

// The divider between A and another pane.
struct Wipe {
    bool horizontal = false;  // the divider is horizontal, with A above it; else A is left of it
    bool held = false;        // the divider does not follow the mouse
    double at = 0.5;          // of the picture's width or height
    bool operator==(const Wipe&) const = default;
};

// The reference that panes are measured against, in float64.
struct Reference {
    enum class Kind {
        own,     // each pane's method, exact: shows what its path and prefilter lose
        method,  // another method
        image    // another document, interpolated like the pane
    };
    Kind kind = Kind::own;
    MethodSpec spec = {};     // of `method`
    std::string source = {};  // of `image`
    bool operator==(const Reference&) const = default;
};

// The line of the profile, in the sample space of the current image.
struct ProfileLine {
    enum class Along { row, column, line } along = Along::row;
    bool pinned = false;  // a row or column stays; else it follows the cursor
    Point a, b;           // ends of a line; a pinned row or column goes through a
    bool operator==(const ProfileLine&) const = default;
};

// Images, panes and how they are shown: the part that undo, presets and session files handle.
struct Scene {
    std::vector<Document> documents;
    int current = -1;         // index of the document shown; −1: none
    std::vector<Pane> panes;  // A, B, …; 1 to max_panes
    int active = 0;           // index of the pane that is edited; the only one in view if they are not side by side
    Arrangement arrangement = Arrangement::single;
    Wipe wipe;
    Reference reference;
    DifferenceSettings difference;
    DisplaySettings display;
    ProfileLine profile;
    Outside outside = Outside::background;
    bool antialias = true;        // when the view zooms out
    Light light = Light::stored;  // the values that are interpolated
    Warp warp;                    // of the image under the view; see acting_warp
    bool address_for_all = true;  // choosing an address mode applies it to all panes
    std::optional<Region> selection;

    Document* document() { return current < 0 ? nullptr : &documents[size_t(current)]; }
    const Document* document() const { return current < 0 ? nullptr : &documents[size_t(current)]; }
    Pane& pane() { return panes[size_t(active)]; }
    const Pane& pane() const { return panes[size_t(active)]; }
    MethodSpec& spec() { return pane().spec; }
    const MethodSpec& spec() const { return pane().spec; }
};

// A request to the program, carried out between two frames.
namespace request {
struct Open {
    std::string source;
    bool replace = false;  // the shown document is replaced
};
struct ShowDocument {
    int index;
};
struct Reload {};
struct Close {};
struct SaveView {
    std::string path;
    Extent size = {};  // of the output; empty: that of the pane
};
struct SaveSheet {
    std::string path;
};
struct SaveProfile {
    std::string path;  // a table, .csv
};
struct SaveSession {
    std::string path;
};
struct OpenSession {
    std::string path;
};
struct RunExperiment {};     // the chosen one, with its options
struct CancelExperiment {};  // the running one
struct SaveExperiment {};    // the chosen one's result, as a page
struct CopyPicture {};       // the active pane's picture, as an image
struct OpenLesson {
    std::string name;  // a built-in lesson, or a file
    int step = 0;
};
struct ShowStep {
    int step;
};
struct LeaveLesson {};  // restores what was shown before
struct ToggleRecording {};
// Reads a document's image without showing it: a pane or the reference needs it.
struct LoadDocument {
    std::string source;
};
struct CopyText {
    std::string text;
};
struct ToggleFullscreen {};
struct LeaveFullscreen {};
struct BreakDevice {};  // for tests: the GPU writes to an illegal address
struct Quit {};
}  // namespace request
using Request =
    std::variant<request::Open, request::ShowDocument, request::LoadDocument, request::Reload, request::Close,
                 request::SaveView, request::SaveSheet, request::SaveProfile, request::SaveSession,
                 request::OpenSession, request::OpenLesson, request::ShowStep, request::LeaveLesson,
                 request::ToggleRecording, request::RunExperiment, request::CancelExperiment, request::SaveExperiment,
                 request::CopyPicture, request::CopyText, request::ToggleFullscreen, request::LeaveFullscreen,
                 request::BreakDevice, request::Quit>;

struct Message {
    enum class Level { hint, info, warning, error };
    Level level = Level::info;
    std::string text;
    int count = 1;         // counts repetitions of the same text
    double shown_at = -1;  // seconds; when it was first on the screen
};

// The plots at the right of the picture; for a lesson, also the excerpts of our source.
enum class Dock { none, profile, curves, histogram, taps, source };

// Windows, panels, preferences. Sizes are at scale 1.
struct UiState {
    bool panels = true;                                               // Tab
    bool keys = false, about = false, browser = false, save = false;  // windows that are open
    float panel_width = 320;
    bool animate = true;          // zooming takes 150 ms
    bool debug_commands = false;  // in the palette
    bool loupe = false;
    int loupe_magnification = 8;
    bool minimap = true;                          // while the view is zoomed in
    bool pixel_grid = true, pixel_values = true;  // fade in with the zoom
    bool taps = false;                            // outlined for the pixel under the cursor
    Dock dock = Dock::none;
    float dock_width = 440, source_width = 560, lesson_width = 380;
    InspectUi inspect;  // what the plots show, and how
    ExperimentsUi experiments;
    std::optional<Point> cursor;  // samples of the current image: replaces the mouse until that moves over the picture
    bool hint_dismissed = false;
    bool palette = false;
    std::string palette_text;
    int palette_choice = 0;
    enum class Saving { view, sheet, profile, session } saving = Saving::view;  // the kind of file in the window `save`
    std::string save_path;
    Extent save_size;                 // of the view; empty: that of the pane
    std::vector<std::string> recent;  // files, latest first
};

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

// Antialiasing that is too slow to follow the mouse waits until the picture rests; see draft.h.
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

// Work that takes longer than a frame: shown with a bar, cancelled by Esc.
struct Work {
    std::string text;
    int done = 0, total = 1;
    bool cancelled = false;
};

// Scenes before and after the current one, for undo and redo. Documents are kept without their samples.
struct History {
    std::vector<Scene> past, future;  // the latest last
    Scene last;                       // the scene that was recorded last
    Scene changing;                   // if the current one differs from it: the time of its last change
    double changed = 0;               // seconds
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
    std::vector<Message> messages;
    std::vector<Request> requests;
    LessonState lesson;
    PresenterState presenter;
    Report report;
    double now = 0;  // seconds, since the program started
};

void post(AppState& state, Message::Level level, std::string text);
void withdraw(AppState& state, std::string_view text);  // the message, if it still exists

// Drops the errors about a file that has now been read: they begin with its name and a colon.
void forget_errors_about(AppState& state, const std::string& source);

// The view on the screen at this moment: the document's, or the animation towards it.
View shown_view(const AppState& state);

// The panes in view, by index: all of them, the active one, or two under a wipe.
std::vector<int> panes_in_view(const AppState& state);

// The pane that readouts, keys and plots refer to: under the cursor, or else the active one.
int focused_pane(const AppState& state);

// The report on a pane; null for one that was created in this frame.
const PaneReport* report_of(const AppState& state, int pane);

// The area of a pane in view, framebuffer pixels. All panes in view have the same size; under a wipe, the same area.
PixelRect pane_rect(const AppState& state, int pane);

// Its visible part: under a wipe, one side of the divider.
PixelRect pane_clip(const AppState& state, int pane);

// The position of the wipe's divider: columns (rows) of the picture that show A.
int wipe_at(const AppState& state);

// The document a pane shows, and its image; null if there is none.
const Document* document_of(const AppState& state, const Pane& pane);
const Document* document_named(const AppState& state, const std::string& source);
std::shared_ptr<const Image> image_of(const AppState& state, int pane);

// The functions below refer to `pane`; without it, to the focused one.

// Sizes of its image and of its picture. Empty if there is none.
Extent image_extent(const AppState& state, std::optional<int> pane = {});
Extent output_extent(const AppState& state, std::optional<int> pane = {});

// The relation of a linked pane's view to that of the current document (see with_offset): its offset, and the sizes of
// both images.
View view_offset(const AppState& state, int pane);

// Its view: that of the current document with its offset, or its own.
View pane_view(const AppState& state, std::optional<int> pane = {});

// Whether its image is a signal: a row without height, which fills the picture.
bool shows_signal(const AppState& state, std::optional<int> pane = {});

// Output pixels to sample space under its view, before any warp.
Affine shown_affine(const AppState& state, std::optional<int> pane = {});

// Output pixels to the sample space of the current image, whatever image the pane shows: for regions and lines.
Affine current_affine(const AppState& state, std::optional<int> pane = {});

// shown_affine as rendered: every row of a signal's picture reads its only row.
Affine read_affine(const AppState& state, std::optional<int> pane = {});

// The scene's warp; none for a signal, which has no plane to warp.
Warp acting_warp(const AppState& state, std::optional<int> pane = {});

// The sample-space point that an output pixel reads, warped if there is a warp.
Point shown_point(const AppState& state, double i, double j, std::optional<int> pane = {});

// The spec on the screen: the pane's, or that of its reference while Shift is held.
MethodSpec shown_spec(const AppState& state, std::optional<int> pane = {});

// Whether the pane is antialiased when it zooms out, ignoring drafts.
bool antialiases(const AppState& state, std::optional<int> pane = {});

// Whether its reference is on the screen instead of it: Shift is held over it.
bool shows_reference(const AppState& state, int pane);

// The spec that a pane's reference is computed with.
MethodSpec reference_spec(const AppState& state, int pane);

// The same method computed with exact weights and exact coefficients.
MethodSpec reference_of(const MethodSpec& spec);

// "A", "B", …
std::string pane_name(int index);

}  // namespace texelscope
