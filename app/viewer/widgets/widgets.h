#pragma once
// The few building blocks that all panels are made of: labels left, controls in one column, a tooltip for each.

#include <span>
#include <string>
#include <string_view>

#include "app/viewer/widgets/theme.h"
#include "app/state/app_state.h"

namespace texelscope::gui {

// Of the last item, also where it is greyed.
void tooltip(std::string_view text);

// Remembers where the last item is, for tests.
void note(AppState& state, std::string_view id);

// A folding part of the panel.
bool section(const char* title, bool open_at_first);

// A label; the next item begins at the column of controls and fills it. The label has the tooltip as well.
void label(const char* text, std::string_view tip);

// Wrapped text in secondary colour; `in_column`: below the controls.
void remark(std::string_view text, bool in_column = true);

// Text in the font of numbers.
void number(std::string_view text, const ImVec4& colour = colour::text);

// Text that is cut with … in the middle where it has no room; the tooltip has all of it.
void elided(const std::string& text, float width);

// The text with … at its end where it is wider than `width` in the present font; empty where not even that fits.
std::string shortened(const std::string& text, float width);

// As ImGui's, in our own look.
bool radio(const char* text, bool on);
bool check(const char* text, bool& on);
// The key that picks it stands before the text, a remark at the right end.
bool list_row(const char* key, const char* text, const char* remark, bool chosen);
bool begin_combo(const char* id, const char* preview);          // where true, ImGui::EndCombo() ends it

// Number fields in the font of numbers, as wide as the column. True where the value was changed; a typed one is when
// the field is left, by Enter, Tab or the mouse.
bool input_double(const char* id, double& value, const char* format);
bool slider_float(const char* id, float& value, float low, float high, const char* format, bool logarithmic = false);
bool slider_int(const char* id, int& value, int low, int high, const char* format);

// A slider for numbers with a meaning of their own, and a button that brings the standard one back.
struct Tuned {
    double low, high, standard;
    const char* format;
    std::string tip;
};
bool tuned_slider(AppState& state, const char* id, double& value, const Tuned& tuned);

// Adjoining buttons of equal width, one of them chosen. The index that was clicked, or −1.
struct Segment {
    const char* text;  // of one with an icon: "##name"
    std::string tip;
    bool enabled = true;
    void (*icon)(ImDrawList& draw, ImVec2 middle, float side, ImU32 ink) = nullptr;
};
int segmented(const char* id, std::span<const Segment> segments, int chosen, AppState* noted = nullptr);

// A button as wide as its share of a row of `of` buttons.
bool row_button(const char* text, int of, std::string_view tip);

// A square with a cross in it, of this side.
bool close_button(const char* id, float side);

// The window has at least this height: room to open more from the start.
bool tall(float units);

float column();  // x of the controls, from the panel's inner left edge

}  // namespace texelscope::gui
