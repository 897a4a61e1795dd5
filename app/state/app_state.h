#pragma once
// AppState: everything the viewer shows, as one value. Panels, actions and the mouse edit it and nothing else; for
// anything more (files, GPU, window) they add a Task. `report` flows the other way, for panels to show.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/experiments_ui.h"
#include "app/state/inspect_ui.h"
#include "app/state/lesson_state.h"
#include "app/state/presenter_state.h"
#include "app/state/report.h"
#include "app/state/scene.h"
#include "app/state/task.h"
#include "app/state/view_math.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/light.h"
#include "gpu/core/warp.h"
#include "gpu/display/display_settings.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct Message {
    enum class Level { hint, info, warning, error };
    Level level = Level::info;
    std::string text;
    int count = 1;         // counts repetitions of the same text
    double shown_at = -1;  // seconds; when it was first on the screen
};

// The plots at the right of the picture; for a lesson, also the excerpts of our source.
enum class Dock { none, profile, curves, histogram, taps, source };
constexpr std::string_view name_of(Dock dock) {
    constexpr std::string_view names[] = {"none", "profile", "curves", "histogram", "taps", "source"};
    return names[size_t(dock)];
}

// Windows, panels, preferences. Sizes are at scale 1.
struct UiState {
    bool panels = true;                                               // Tab
    bool keys = false, about = false, browser = false, save = false;  // windows that are open
    float panel_width = 320;
    bool animate = true;          // zooming takes 150 ms
    bool debug_commands = false;  // in the palette
    bool loupe = false;
    int loupe_magnification = 8;
    static constexpr float loupe_radius = 96;     // as sizes
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
    std::vector<Task> tasks;
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
