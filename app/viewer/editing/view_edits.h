#pragma once
// Edits of the view for actions, mouse and panels: on the current document, animated if so chosen.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/state/app_state.h"
#include "app/window/input.h"

namespace texelscope {

// All of these change the view of a pane, by default of the active one; linked panes follow. They do nothing without an
// image or a picture area.
void set_view(AppState& state, const View& view, bool animate = true, std::optional<int> pane = {});
void set_zoom(AppState& state, double zoom);                                              // about the centre
void zoom_power_of_two(AppState& state, int direction);                                   // about the centre
void zoom_by(AppState& state, double factor, Point pixel, std::optional<int> pane = {});  // about an output pixel
void pan_by(AppState& state, double dx, double dy, bool animate, std::optional<int> pane = {});  // output pixels
// The output pixel between two fingers, which keeps its sample while they spread and turn, and then moves with them.
void move_by_fingers(AppState& state, const FingersMoved& moved, Point pixel, int pane);
void fit(AppState& state);
void keep_fit(AppState& state, bool keep);
void show_one_to_one(AppState& state);
// From any view to the whole image, which then keeps fitting; from that to 100 %, keeping the sample at an output pixel.
void toggle_fit(AppState& state, int pane, Point pixel);
void reset_view(AppState& state);  // translate 0, scale 1, rotate 0
void rotate_by(AppState& state, double degrees);
void rotate_to(AppState& state, double degrees);
void zoom_to_selection(AppState& state);

// Centres the view of a pane on a sample-space point, clamped to the image, immediately.
void centre_on(AppState& state, int pane, Point p);

// Gives the pane its own view, as on the screen; or lets it follow the others again, without an offset.
void unlink_view(AppState& state, int pane);
void link_view(Scene& scene, int pane);

// Views that keep fitting follow the picture area; finished transitions end.
void update_views(AppState& state);

// Commands with numbers: "zoom 400", "rotate 15", "go 120.5 80.25".

struct TypedCommand {
    std::string title;    // what it does: "Zoom to 400 % (4:1)"
    std::string problem;  // or why it does nothing, as a sentence; then `run` is empty
    std::function<void(AppState&)> run;
};

// The command that begins with this word, or a part of it, and its numbers; empty if the text is no such thing.
std::optional<TypedCommand> typed_command(const AppState& state, std::string_view text);

// The zoom as a percentage, "400" or "400 %", or as a factor, "4x", "x4" or "4:1".
TypedCommand zoom_command(std::string_view number);

// Going to a place in the picture that is known by its coordinates.

// Moves the active pane's view so that a pixel in the middle of what is seen of it reads exactly this point, in samples of the
// pane's image and before any warp. The cursor is put on that pixel, and its taps are listed. Nothing without a picture.
void go_to(AppState& state, Point p);

// "120.5 80.25", also with a comma, a semicolon or brackets; of a signal "120.5".
TypedCommand position_command(const AppState& state, std::string_view text);

// The status bar's coordinates become a field, which holds those of the cursor, or else of the middle of the view.
void type_position(AppState& state);

}  // namespace texelscope
