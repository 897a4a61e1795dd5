#pragma once
// AppState: all that the viewer shows, as one value. Panels, actions and the mouse edit it and nothing else; what takes
// more than that (files, GPU, window) they ask for with a Request. `report` flows the other way, for panels to show.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/report.h"
#include "app/view_math.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/warp.h"
#include "gpu/method/spec.h"

namespace texelscope {

// When and how large a file was; tells whether it changed on disk.
struct FileStamp {
    int64_t modified = 0;
    uintmax_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};

// An opened image and how it is looked at.
struct Document {
    std::string source;                  // a path, or a test image as "@zone-plate:512"
    std::shared_ptr<const Image> image;  // null until it is shown for the first time
    View view;
    bool keep_fit = true;  // the view follows the size of the window
    FileStamp loaded;      // of the file that `image` came from
    FileStamp seen;        // at the last look; a change that has settled is read

    bool is_file() const { return !source.starts_with('@'); }
    std::string title() const;  // the file's name without folders, or the source
};

// A picture in the window: a method with all its settings.
struct Pane {
    MethodSpec spec;
};

// What the picture area shows: the active pane, or |A − B|.
enum class Show { pane, difference };

// What is looked at and how; what undo, presets and session files are about.
struct Scene {
    std::vector<Document> documents;
    int current = -1;         // index of the document shown; −1: none
    std::vector<Pane> panes;  // A, B, …; at least one
    int active = 0;           // index of the pane shown and edited
    Show show = Show::pane;
    float difference_gain = 8;  // 1 … 256
    Outside outside = Outside::background;
    bool antialias = true;         // where the view zooms out
    Light light = Light::stored;   // what is interpolated
    Warp warp;                     // of the image under the view; see acting_warp
    bool address_for_all = true;  // an address mode picked goes to all panes
    std::optional<Region> selection;

    Document* document() { return current < 0 ? nullptr : &documents[size_t(current)]; }
    const Document* document() const { return current < 0 ? nullptr : &documents[size_t(current)]; }
    MethodSpec& spec() { return panes[size_t(active)].spec; }
    const MethodSpec& spec() const { return panes[size_t(active)].spec; }
};

// A request to the program, done between two frames.
namespace request {
struct Open {
    std::string source;
    bool replace = false;  // the shown document gives way
};
struct ShowDocument {
    int index;
};
struct Reload {};
struct Close {};
struct SaveView {
    std::string path;
};
struct CopyText {
    std::string text;
};
struct ToggleFullscreen {};
struct LeaveFullscreen {};
struct Quit {};
}  // namespace request
using Request = std::variant<request::Open, request::ShowDocument, request::Reload, request::Close, request::SaveView,
                             request::CopyText, request::ToggleFullscreen, request::LeaveFullscreen, request::Quit>;

struct Message {
    enum class Level { hint, info, warning, error };
    Level level = Level::info;
    std::string text;
    int count = 1;         // the same text again raises this
    double shown_at = -1;  // seconds; when it first was on the screen
};

// Windows, panels, preferences. Sizes are at scale 1.
struct UiState {
    bool panels = true;                                               // Tab
    bool keys = false, about = false, browser = false, save = false;  // windows that are open
    float panel_width = 320;
    bool animate = true;  // zooming takes 150 ms
    bool loupe = false;
    int loupe_magnification = 8;
    bool hint_dismissed = false;
    std::string save_path;
    std::vector<std::string> recent;  // files, latest first
};

// The mouse over the picture.
struct Pointer {
    bool inside = false;     // over the picture, no panel between
    int x = 0, y = 0;        // output pixel under it
    bool reference = false;  // Shift is held on the picture
    enum class Drag { none, pan, select } drag = Drag::none;
    Point drag_start = {};  // select: sample-space point where it began
};

// A view on its way from one to the other.
struct Transition {
    View from;
    double start = 0;  // seconds
};
inline constexpr double transition_seconds = 0.15;

// Antialiasing that is too slow to follow the mouse waits until the picture rests; see draft.h.
struct Draft {
    struct Seen {
        const MethodInfo* method = nullptr;
        MethodParameters parameters;
        View view;
        Warp warp;
        bool operator==(const Seen&) const = default;
    };
    Seen seen;              // what the last frame showed
    double moved = -1e9;    // seconds; when that last changed
    bool permitted = true;  // not for pictures that are kept
    bool active = false;    // the picture shown has no antialiasing although it is on
};
inline constexpr double draft_rest_seconds = 0.1, draft_above_ms = 100;

struct AppState {
    Scene scene;
    UiState ui;
    Pointer pointer;
    std::optional<Transition> transition;
    Draft draft;
    std::vector<Message> messages;
    std::vector<Request> requests;
    Report report;
    double now = 0;  // seconds, since the program started
};

void post(AppState& state, Message::Level level, std::string text);

// The view on the screen at this moment: the document's, or on its way there.
View shown_view(const AppState& state);

// Sizes of the current image and the picture area. Empty where there is none.
Extent image_extent(const AppState& state);
Extent output_extent(const AppState& state);

// The current image is a signal: a row without height, which fills the picture area.
bool shows_signal(const AppState& state);

// Output pixels to sample space under the shown view, before any warp.
Affine shown_affine(const AppState& state);

// The same as it is rendered: all heights of a signal's picture read its one row.
Affine read_affine(const AppState& state);

// The scene's warp, or none for a signal, which has no plane to warp.
Warp acting_warp(const AppState& state);

// The sample-space point that an output pixel reads: warped where there is a warp.
Point shown_point(const AppState& state, double i, double j);

// The spec on the screen: the active pane's, or its reference while that is asked for.
MethodSpec shown_spec(const AppState& state);

// The same method computed with exact weights and exact coefficients.
MethodSpec reference_of(const MethodSpec& spec);

// "A", "B", …
std::string pane_name(int index);

}  // namespace texelscope
