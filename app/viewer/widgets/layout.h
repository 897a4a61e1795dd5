#pragma once
// The positions of bars, panel and picture. Window coordinates; the picture in framebuffer pixels.

#include <optional>

#include "app/state/surroundings.h"
#include "app/state/view_math.h"

namespace texelscope::gui {

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
};

// The largest share of the height for the text of a lesson below the picture.
inline constexpr float most_caption = 0.45f;

struct LayoutRequest {
    float width = 0, height = 0;  // of the window
    float scale = 1;              // window coordinates per unit
    float pixel_ratio = 1;
    float row_height = 26;     // of a menu or status bar, window coordinates
    float toolbar_height = 0;  // window coordinates; 0: none
    float panel_width = 320;   // units; it narrows if the picture would have less than half of the window
    float dock_width = 0;      // units, of the plots at the right, which narrow before the panel does; 0: none
    bool panels = true;
    bool presenting = false;    // neither bars nor panel; plots and caption stay
    bool panel_first = false;   // if there is no space for panel and plots, the plots are hidden
    bool panel_over = false;    // a panel without space is over the picture; else it is hidden
    bool filmstrip = false;     // below the picture; hidden if the picture would have less than half of the height
    float caption_height = 0;   // window coordinates, below everything; 0: none
    float messages_width = 0;   // window coordinates, over the lower edge of the picture
    float messages_height = 0;  // over the lower edge of the picture; 0: none
    bool dialog = false;        // open: messages are at the lower edge of the window, and it gives way to them
    Extent image;               // for the parity of the picture area
};

struct Layout {
    Box menu, toolbar, panel, dock, status, caption;  // empty: not shown
    Box filmstrip;                                    // as wide as the picture
    Box messages;  // over the picture, which they never resize, or over the lower edge
    Box handle;    // opens and closes a panel over the picture; empty if that has space
    PixelRect picture;
};

inline constexpr float min_panel_width = 280, min_dock_width = 320, min_picture_width = 200;  // units

// The filmstrip's height with names, and without them in a low window.
inline constexpr float filmstrip_height = 112, bare_filmstrip_height = 92;  // units

Layout lay_out(const LayoutRequest& request);

// How a dialog gives way to messages: upwards, and lower if it must, as long as there are some: they hide nothing of it. Then
// back to where it was, unless it was moved since; but nothing moves away under the mouse.
class WayGiven {
public:
    // Where to put it, if it is elsewhere `now`. `lowest`: where messages begin; `pointed`: the mouse is on it.
    std::optional<Box> place(const Box& now, float highest, float lowest, bool messages, bool pointed);

private:
    Box before_;
    std::optional<Box> put_;
};

// Which windows lie above which, other than by what was clicked last: call after the windows of a frame. And where they
// are.

// Where a window was in the last frame; none if it was not shown.
std::optional<Box> place_of_window(const char* title);

// Above all others; nothing happens to a window that is not shown.
void raise_window(const char* title);

// Menus and lists above what they belong to, after windows were raised.
void raise_popups();

}  // namespace texelscope::gui
