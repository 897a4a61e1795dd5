#pragma once
// Colours, fonts, sizes and icons of the interface.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/drawing/plot.h"
#include "app/state/dialogs.h"
#include "app/viewer/widgets/layout.h"
#include "app/window/input.h"

namespace texelscope::gui {

// ImVec4 is not a literal type.
struct Colour {
    float r, g, b, a;
    operator ImVec4() const { return {r, g, b, a}; }
};

// 0xRRGGBB
constexpr Colour rgb(uint32_t hex, float alpha = 1) {
    return {float(hex >> 16 & 255) / 255, float(hex >> 8 & 255) / 255, float(hex & 255) / 255, alpha};
}

// The colour with another opacity.
constexpr Colour faded(const Colour& colour, float alpha) { return {colour.r, colour.g, colour.b, alpha}; }

namespace colour {
inline constexpr Colour panel = rgb(0x25272b), field = rgb(0x1c1e21), line = rgb(0x3a3d42);
inline constexpr Colour mark = rgb(0x5a5f66);  // outline of check boxes
inline constexpr Colour raised = rgb(0x32353a), raised_hovered = rgb(0x3d4147);
inline constexpr Colour text = rgb(text_rgb), secondary = rgb(secondary_text_rgb);
inline constexpr Colour progress = rgb(0x5fb39a);
inline constexpr Colour accent = rgb(0x4aa8ff), warning = rgb(0xffb454), error = rgb(0xff6b6b);
}  // namespace colour

// The positions of controls, for tests: x, y, width, height in window coordinates, by id.
using ControlLog = std::vector<std::pair<std::string, std::array<float, 4>>>;

struct Fonts {
    ImFont* text = nullptr;     // Inter
    ImFont* heading = nullptr;  // Inter, semi-bold
    ImFont* mono = nullptr;     // JetBrains Mono: numbers
    ImFont* small = nullptr;    // the same, smaller: figures under a label
    ImFont* title = nullptr;    // Inter, semi-bold, large
    // Reading text, with a common baseline: Inter 16, and JetBrains Mono.
    ImFont *reading = nullptr, *reading_bold = nullptr, *reading_italic = nullptr, *reading_code = nullptr;
};

// Whether the mouse has rested on one item for long enough that its tooltip appears.
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

// What widgets remember from frame to frame.
struct WidgetMemory {
    // What is being typed waits here until its field is left. ImGui has only one active field at a time.
    struct Number {
        ImGuiID field = 0;
        double value = 0;
    } number;
    struct Text {
        ImGuiID field = 0;
        std::string text;   // or what was refused, until it is corrected
        bool asks = false;  // for the keyboard
        int frame = 0;      // in which the field was last there
    } text;

    HoverRest rest;
    struct Tooltip {
        Box box;
        int frame = -2;
    } tooltip, kept_clear;  // the last one; what tooltips keep clear of
    struct DialogItems {
        int depth = 0, last_frame = -2;
    } dialog_items;

    struct CodeField {
        ImVec2 scroll;
        bool active = false;
        bool resumes = false;  // gets the keyboard back from the scroll bar
        int cursor_line = 0;
        int rows_above = 0;  // of errors above that
    };
    std::map<ImGuiID, CodeField> code_fields;

    bool on_tab_stop = false;  // Tab has reached a control that is no field: Space and Enter act on it, arrows move on

    std::optional<Ink> lit_curve;  // that was pointed at, in plots that share a legend

    struct Watched {
        Box box;
        int changed = -1;             // the frame in which it did
    } display, tools, active;         // the window; the part of it for tool windows; the active pane
    std::map<Dialog, WayGiven> ways;  // of the dialogs that are shown
};

struct Theme : Fonts {
    float scale = 1;                    // window coordinates per unit
    float pixel_ratio = 1;              // framebuffer pixels per window coordinate
    bool dense = false;                 // text to read is smaller: the window is low
    ControlLog* control_log = nullptr;  // of the current frame; null: not wanted
    ImDrawList* unrecorded = nullptr;   // above everything; in no recording of the window
    // That are handed to the fields in the current frame.
    std::span<const KeyStroke> strokes = {};
    mutable WidgetMemory memory;
};

// The theme of the current ImGui context; set by Gui.
const Theme& theme();
inline WidgetMemory& memory() { return theme().memory; }

// Lengths of the design in window coordinates, on whole pixels.
float px(float units);

inline ImU32 packed(const Colour& colour, float alpha = 1) {
    return ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, colour.a * alpha});
}
inline constexpr Colour pane_colour(int index) { return rgb(pane_rgb(index)); }

// The colour of a pane's letter on pane_colour(): light on the darker ones.
constexpr Colour pane_letter_colour(int index) {
    const Colour on = pane_colour(index);
    const float light = 0.2126f * on.r * on.r + 0.7152f * on.g * on.g + 0.0722f * on.b * on.b;  // about
    return light < 0.27f ? rgb(0xffffff) : rgb(0x16181a);
}

// Draws the fonts into the current context's atlas, at the theme's scale, instead of what it holds. `theme` receives the
// fonts.
void load_fonts(Theme& theme);

// Drawn before there is a context, in any thread: `text` stands in for all fonts for reading, having all of their glyphs.
struct DrawnFonts {
    std::unique_ptr<ImFontAtlas> atlas;
    Fonts fonts;
    float pixels_per_unit = 0;  // of the framebuffer
};
DrawnFonts draw_fonts(float pixels_per_unit);

void set_style(const Theme& theme);

// The colours of numbers that stand on samples.

struct ValueInk {
    Colour text;
    Colour plate;             // behind the text, where the sample alone leaves it too faint
    float plate_opacity = 0;  // 0: none is needed
};

// Light tints on dark samples, dark ones on light samples: red, green and blue for the channels of a colour. `lightness` of
// the sample: from 0 to 1, as the screen shows it.
ValueInk value_ink(int channel, int colours, float lightness);

// Icons of the toolbar, segments and lists, drawn as lines in a square of `side` around `middle`.

using Icon = void (*)(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);

// A box in columns × rows cells.
void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink, int columns, int rows);
template <int columns, int rows> void cells_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) {
    cells_icon(draw, middle, side, ink, columns, rows);
}

void wipe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // a box, half of it filled
void folder_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void file_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);        // a sheet with a folded corner
void fit_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);         // the four corners of a frame
void one_to_one_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // 1:1
void difference_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // two discs, overlapping
void loupe_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void podium_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);
void export_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);  // an arrow out of a tray
void book_icon(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink);

}  // namespace texelscope::gui
