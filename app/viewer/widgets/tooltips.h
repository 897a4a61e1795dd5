#pragma once
// When tooltips appear, and where: after a moment of rest, beside what they explain.

#include <cstdint>

namespace texelscope::gui {

struct TooltipBox {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
};

struct TooltipRequest {
    TooltipBox item;                   // what it explains
    TooltipBox window;                 // that the item is in: a list, a panel, a menu
    float width = 0, height = 0;       // of the tooltip
    float screen_x = 0, screen_y = 0;  // its size
    float gap = 0;
    TooltipBox taken = {};  // that it does not cover if it can stand elsewhere: messages
};

// The upper left corner: beside the window, so that it covers neither the item nor its neighbours; if there is no space,
// below or above the item. Always on the screen if that is large enough.
struct TooltipPlace {
    float x = 0, y = 0;
};
TooltipPlace place_tooltip(const TooltipRequest& request);

// A corner of the area for a box of this size that keeps clear of what is taken: the lower right one, else the upper
// right, lower left or upper left one.
TooltipPlace free_corner(const TooltipBox& area, float width, float height, float margin, const TooltipBox& taken);

// The tooltip in this frame or the last one; empty if there is none.
TooltipBox shown_tooltip();

// What tooltips of this frame and the next keep clear of.
void keep_clear_of(const TooltipBox& box);

// Around the items of a dialog: while one is open, no tooltip of what is behind it appears.
void begin_dialog_items();
void end_dialog_items();

// Whether the mouse has rested on one item for long enough.
class HoverRest {
public:
    static constexpr double seconds = 0.5;

    // Call before the items of each frame.
    void begin_frame(bool mouse_moved);

    // Call in each frame in which the mouse is on the item. Moving starts again until the tooltip is shown; after that, it
    // stays as long as the mouse is on the item.
    bool rested(uint32_t item, double now);

    // None is shown until the mouse moves: a key or a click has done something, and it would hide what came of it.
    void hide() {
        hidden_ = true;
        shown_ = false;
    }

    // Seconds until a tooltip appears if the mouse stays; negative: none is due.
    double left(double now) const;

private:
    uint32_t item_ = 0;
    int frame_ = 0, item_frame_ = -2;  // now, and when the mouse was on the item
    double since_ = 0;
    bool moved_ = false, shown_ = false, hidden_ = false;
};

}  // namespace texelscope::gui
