#pragma once
// The building blocks of all panels: labels left, controls in one column, a tooltip for each.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

// A tooltip for the last item, even if that is greyed out, once the mouse has rested on it.
void tooltip(std::string_view text);
// A tooltip for the last item if it is in a row of items: above or below it.
void row_tooltip(std::string_view text);
// A tooltip for what is drawn without being an item: call it while the mouse is on it.
void area_tooltip(std::string_view text, ImVec2 low, ImVec2 high);
// Seconds until one appears if nothing happens; negative: none is due.
double tooltip_wait();

// When tooltips appear, and where: after a moment of rest, beside what they explain.

struct TooltipRequest {
    Box item;                          // what it explains
    Box window;                        // that the item is in: a list, a panel, a menu
    float width = 0, height = 0;       // of the tooltip
    float screen_x = 0, screen_y = 0;  // its size
    float gap = 0;
    Box taken = {};  // that it does not cover if it can stand elsewhere: messages
};

// The upper left corner: beside the window, so that it covers neither the item nor its neighbours; if there is no space,
// below or above the item. Always on the screen if that is large enough.
struct TooltipPlace {
    float x = 0, y = 0;
};
TooltipPlace place_tooltip(const TooltipRequest& request);

// A corner of the area for a box of this size that keeps clear of what is taken: the lower right one, else the upper
// right, lower left or upper left one.
TooltipPlace free_corner(const Box& area, float width, float height, float margin, const Box& taken);

// The tooltip in this frame or the last one; empty if there is none.
Box shown_tooltip();

// What tooltips of this frame and the next keep clear of.
void keep_clear_of(const Box& box);

// Around the items of a dialog: while one is open, no tooltip of what is behind it appears.
void begin_dialog_items();
void end_dialog_items();

// Whether the field that has the keyboard is given such a stroke in this frame, in the order of what is typed.
bool pressed(const Shortcut& shortcut);

// Remembers the position of the last item in the theme's ControlLog.
void note(std::string_view id);

// Remembers there that words did not have the space they need.
void note_cut(std::string_view words);

// A folding part of the panel; "Method of A###method" has the identity of the part after ###. It opens by itself once it
// fits, unless it was folded by hand. The first of the remarks that has space is at the right of its title.
bool section(const char* title, bool fits, const std::vector<std::string>& remark = {});

// Two lines that meet at a point.
enum class Way { left, right, down };
void chevron(ImVec2 middle, Way way, const Colour& ink);

float column();  // x of the controls, from the panel's inner left edge

// A label; the next item begins at the column of controls and fills it. The label has the tooltip as well.
void label(const char* text, std::string_view tip, float column_at = column());

// The text with line breaks between its words, so that its rows in the current font have this width at most. Dear ImGui's
// own wrapping would also break a number after its point.
std::string broken(std::string_view text, float width);

// Text wrapped like that at the right edge of the window or column.
void wrapped_text(std::string_view text);
void wrapped_text(std::string_view text, const ImVec4& ink);

// Wrapped text in secondary colour; `in_column`: below the controls.
void remark(std::string_view text, bool in_column = true);

// Text in the font for numbers.
void number(std::string_view text, const ImVec4& colour = colour::text);

// Text in the font for numbers, at the right end of the region: for columns of figures.
void number_at_right(std::string_view text, const ImVec4& colour = colour::text);

// The heading of the current column of a table, above figures that stand at the right.
void heading_at_right(const char* text);

// A label and its figure, both with the tooltip.
void figure(const char* name, std::string_view value, std::string_view tip);

// The first text that fits, else the last one, shortened.
std::string fitting(const std::vector<std::string>& texts, float width);

// Text shortened with … in the middle if there is no space; the tooltip has the full text.
void elided(const std::string& text, float width);

// The text that elided() shows, to be drawn elsewhere.
std::string shortened_in_middle(const std::string& text, float width);

// The text with … at its end if it is wider than `width` in the current font; empty if not even that fits.
std::string shortened(const std::string& text, float width);

// Like ImGui's, in our own style; with its tooltip and its name in the ControlLog.
bool check(const char* text, bool& on);
bool check(const char* text, bool& on, std::string_view tip, std::string_view id);
float check_width(const char* text);
// The key that chooses it is before the text, a remark at the right end. `curve`: values from 0 to 1, drawn between key and
// text.
bool list_row(const char* key, const char* text, const char* remark, bool chosen, std::span<const float> curve = {});
bool begin_combo(const char* id, const char* preview);  // if true, end it with ImGui::EndCombo()

// Number fields in the font for numbers, as wide as the column. True if the value was changed; a typed value counts
// when the field is left by Enter, Tab or the mouse.
bool input_double(const char* id, double& value, const char* format);
// A text field: `take` is given the text when the field is left, and says whether it will do. If not, and Enter was
// pressed, the field keeps what was typed, to be corrected. True if it was taken.
bool input_text(const char* id, const std::string& shown, const std::function<bool(const std::string&)>& take);

bool slider_float(const char* id, float& value, float low, float high, const char* format, bool logarithmic = false);
bool slider_int(const char* id, int& value, int low, int high, const char* format);

// A slider for a parameter, and a button that restores its default.
struct Tuned {
    double low, high, standard;
    const char* format;
    std::string tip;
    double reach = 0;  // of the slider, about the default; what is beyond can be typed. 0: all
};
bool tuned_slider(const char* id, double& value, const Tuned& tuned);

// Adjoining buttons, of equal width unless that would cut their words, one of them chosen. The index that was clicked, or −1.
struct Segment {
    const char* text;  // for one with an icon: "##name"
    std::string tip;
    bool enabled = true;
    Icon icon = nullptr;
};
// `width`: of all; 0: to the right edge.
int segmented(const char* id, std::span<const Segment> segments, int chosen, float width = 0);
// The width that they need with all their text and so many units on each side of it.
float least_segments_width(std::span<const Segment> segments, float around = 4);

// A button with the width of one of `of` buttons in a row; 0: that of its text.
bool row_button(const char* text, int of, std::string_view tip);

// While it lives, buttons are filled with the accent: the one of a dialog that does what the dialog is for.
class PrimaryButton {
public:
    explicit PrimaryButton(bool on = true);
    ~PrimaryButton();
    PrimaryButton(const PrimaryButton&) = delete;
    PrimaryButton& operator=(const PrimaryButton&) = delete;

private:
    bool on_;
};

// The primary button in a row.
inline bool primary_row_button(const char* text, int of, std::string_view tip) {
    const PrimaryButton primary;
    return row_button(text, of, tip);
}

// A square with a cross in it, of this side.
bool close_button(const char* id, float side);

// A vertical edge at x that can be dragged; `id` is its name in the ControlLog. Whether it is held.
bool drag_edge(const char* id, float x, float y, float height);

// Around the items of a dialog: Tab reaches all of its controls, and frames the one that it has reached. Child windows with
// ImGuiWindowFlags_NavFlattened are parts of it; another one is a stop itself, in which Enter and arrows move.
void begin_tab_stops();
void end_tab_stops();

// Whether the window has at least this height, enough to open more sections.
bool tall(float units);

// Whether the panel is wide enough for more controls in a row.
bool roomy();

// Menus that are seen whole: a long one has columns.

// Like ImGui's; no taller than the window below its menu bar. In a small window, a menu within a menu may open over the
// entry that was pointed at: a click that was meant for that one chooses nothing, until the mouse has moved.
bool begin_menu(const char* title, bool enabled = true);
void end_menu();

// Like ImGui's, but what is ticked has its tick before its name: behind it, it would stand beside the next column's.
bool menu_item(const std::string& title, const std::string& keys = "", bool ticked = false, bool enabled = true);

// Whether so many entries of an open menu, and lines between groups of them, can be below each other.
bool fits_one_column(int entries, int lines);

// The entries of an open menu, in as many columns as they need to be seen all at once.
class MenuColumns {
public:
    explicit MenuColumns(int entries, int lines = 0);
    ~MenuColumns();
    MenuColumns(const MenuColumns&) = delete;
    MenuColumns& operator=(const MenuColumns&) = delete;

    // Before each entry; `group`: so many entries begin here that belong together, below a line unless a column begins.
    void next(int group = 0);

private:
    float rest_, most_ = 0, used_ = 0;  // heights: of what follows, of a column at most, so far
    int left_;                          // columns that have not begun
    bool table_ = false, first_ = true;
};

// A window without edges that fills a box and stays there: a bar, a panel. While it lives, items go into it.
class BoxWindow {
public:
    struct Style {
        std::optional<ImVec2> padding = {};
        bool any_size = false;  // also below ImGui's least
        int flags = 0;          // ImGuiWindowFlags_, more of them
    };
    BoxWindow(const char* name, const Box& box, const Style& style);
    ~BoxWindow();
    BoxWindow(const BoxWindow&) = delete;
    BoxWindow& operator=(const BoxWindow&) = delete;

private:
    int pushed_ = 2;
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
