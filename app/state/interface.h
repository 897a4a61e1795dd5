#pragma once
// Windows, panels and overlays as data, sizes at scale 1; the machine, and the places of things in the window.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/files/desktop/folders.h"
#include "app/state/dialogs.h"
#include "app/state/panel_state.h"
#include "app/state/view_math.h"
#include "app/text/text.h"
#include "gpu/core/machine.h"
#include "gpu/core/names.h"
#include "gpu/core/view.h"

namespace texelscope {

// Windows, panels and overlays as data. Sizes are at scale 1.

struct AppState;

// The dock at the right of the picture shows plots, the editors of the user's own methods or, in a lesson, source code.
enum class Dock { none, profile, curves, order, spectrum, histogram, statistics, taps, formula, kernel, stage, source };
inline constexpr NamedValue<Dock> plot_docks[] = {{Dock::none, "none"},
                                                  {Dock::profile, "profile"},
                                                  {Dock::curves, "curves"},
                                                  {Dock::order, "order"},
                                                  {Dock::spectrum, "spectrum"},
                                                  {Dock::histogram, "histogram"},
                                                  {Dock::statistics, "statistics"},
                                                  {Dock::taps, "taps"},
                                                  {Dock::formula, "formula"},
                                                  {Dock::kernel, "kernel"},
                                                  {Dock::stage, "stage"},
                                                  {Dock::source, "source"}};
constexpr auto& names_table(Dock) { return plot_docks; }

// Docks that use the space of a wide window: lines of text are long, and the stage has its spectrum beside it.
constexpr bool is_wide(Dock dock) { return dock >= Dock::formula; }

// Drawn over the picture. Kept in session files, and between runs.
struct Overlays {
    bool minimap = true;                          // while the view is zoomed in
    bool pixel_grid = true, pixel_values = true;  // fade in with the zoom
    ValueUnit value_unit = ValueUnit::code;       // of all values on the screen
    bool operator==(const Overlays&) const = default;
};

// What is shown beside and over the picture. Kept in session files.
struct Appearance : Overlays {
    bool panels = true;   // Tab
    bool figures = true;  // errors of panes, on them and in the panel
    bool loupe = false;
    int loupe_magnification = 8;
    static constexpr float loupe_radius = 96;  // as sizes
    bool taps = false;                         // outlined for the pixel under the cursor
    Dock dock = Dock::none;
    InspectUi inspect;            // what the plots show, and how
    std::optional<Point> cursor;  // samples of the current image: replaces the mouse until that moves over the picture
    bool operator==(const Appearance&) const = default;
};

// The user's habits. Kept between runs.
struct Preferences {
    float panel_width = 320, dock_width = 460, lesson_width = 380;
    bool toolbar = true;  // below the menus
    bool animate = true;  // zooming takes 150 ms
    bool hint_dismissed = false;
    FolderOrder folder_order = FolderOrder::name;  // in which a folder's pictures are walked through
    bool folder_descending = false;
    bool filmstrip = false;                     // small pictures of the folder, below the picture
    bool upright = true;                        // pictures are turned as their file's orientation says
    std::vector<std::string> recent;            // files, absolute paths, latest first
    std::vector<std::string> allowed_commands;  // texts of other programs' commands that the user has let run here
    // Questions of lessons, as "half-texel#3": the number of replies up to the right one, negative while there is none.
    std::map<std::string, int> answered;
    bool operator==(const Preferences&) const = default;
};

// The context menu of a pane: asked for by the mouse, then open until it is closed.
struct PaneMenu {
    int pane = 0;
    bool asked = false;
};

// A command that cannot be run yet.
struct WaitingCommand {
    std::string title;
    std::function<bool(const AppState&)> enabled;
    std::function<void(AppState&)> run;
};

// A figure of the status bar, while it is typed there.
struct TypedField {
    std::string text;
    std::string problem = {};  // that a message tells of it
    int frames = 0;            // for which it has been shown
};

// Why a file could not be written: for the dialog that asked for it, as long as nothing in it is changed.
struct NotWritten {
    Dialog dialog;
    std::string typed, why;
};

struct UiState : Appearance, Preferences {
    Dialogs dialogs;
    bool debug_commands = false;       // in the palette
    float text_dock_width = 560;       // of the dock if it is wide
    bool dock_takes_keyboard = false;  // its text, once it is drawn
    int plot_columns = 400;            // pixels across the plots: the resolution of the curves
    int spectrum_side = 200;           // pixels of a spectrum's picture
    ExperimentsUi experiments;
    ProgramUi program;
    RestoringUi restoring;
    IdentifyUi identifying;
    ExplainUi explaining;
    ExportUi exporting;
    PaneMenu pane_menu;
    std::optional<TypedField> typed_zoom, typed_position;
    bool panel_over = false;  // the side panel is shown over the picture, in a window with no space for it
    std::string palette_text;
    int palette_choice = 0;
    // Runs once the first picture is there.
    std::optional<WaitingCommand> palette_waits;
    // The kind of file in the dialog `save`.
    enum class Saving { view, sheet, profile, session, method } saving = Saving::view;
    std::string save_path;
    std::string saved_folder;         // in which a file was written last
    std::optional<Extent> save_size;  // of the view; unset: that of the pane
    std::optional<NotWritten> not_written;
    std::string curves_path;  // of the file that the curves are saved to; empty: beside the picture
    PanelMemory memory;
};

// What the loop finds and everybody may read: the machine, and the places of things in the window.

// What computes and how the picture reaches the screen: constant until the device is lost.
struct Machine {
    std::string rung;           // "CUDA·GL", "CUDA, staged copy", "CPU"
    std::string rung_reason;    // why no higher rung, or no earlier device; empty on the highest
    bool rung_refused = false;  // a GPU exists that could not be used
    std::string device, device_detail, gl_renderer;
    bool on_gpu = false;
    DeviceLimits limits;  // of the backend; textures of size 0: no limit
};

// Framebuffer pixels from the window's upper left.
struct PixelRect {
    int x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool contains(double px, double py) const { return px >= x && py >= y && px < x + width && py < y + height; }
    bool overlaps(const PixelRect& other) const {
        return !empty() && !other.empty() && x < other.x + other.width && other.x < x + width &&
               y < other.y + other.height && other.y < y + height;
    }
    bool operator==(const PixelRect&) const = default;
};

// Where things were in the last frame.
struct Places {
    PixelRect picture;   // the picture area
    PixelRect messages;  // the part of it that messages cover; empty: none
    PixelRect work;      // the part that the bar of what is under way covers
    PixelRect toolbar;   // where it lies over the picture; empty: it does not
    PixelRect tools;     // between the bars and above a caption: tool windows lie in it
    PixelRect active;    // the visible part of the active pane; empty if it is not in view
    int framebuffer_width = 0, framebuffer_height = 0;
};

}  // namespace texelscope
