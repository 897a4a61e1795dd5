#pragma once
// Parts that several panels have.

#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/names.h"
#include "gpu/display/display.h"

namespace texelscope {
struct LessonStep;
}

namespace texelscope::panels {

// Runs an action of the table from a panel, with the table's title, shortcut and tooltip.
void action_button(AppState& state, const char* text, std::string_view action_id, int of);

// Adjoining buttons, one for each value of an enumeration with labels and meanings. True if one was clicked.
template <HasNames Choice> bool segmented_choice(const char* id, Choice& value) {
    std::vector<gui::Segment> segments;
    int chosen = -1;
    for (const auto& row : names_table(value)) {
        if (row.value == value) chosen = int(segments.size());
        segments.push_back({row.label().data(), std::string(row.meaning)});
    }
    const int clicked = gui::segmented(id, segments, chosen);
    if (clicked >= 0) value = all_values<Choice>[size_t(clicked)];
    return clicked >= 0;
}

// The address modes of both axes, in one row.
void address_row(AppState& state);

// The formats that can be written, as a list; the extension of the path is the choice. `name`: of the list in notes.
void format_row(std::string& path, const std::string& name);

// Why the last attempt of this dialog wrote no file, in the colour of errors; nothing otherwise.
void failure_row(const UiState& ui, Dialog dialog);

// The colour maps as a list, each with its colours and the familiar map that it is like. `none`: the word for channels as
// they are.
void colour_map_list(const std::string& id, ColourMap& map, const char* none, const char* tip);

// Width or height of a file's picture, in pixels. True if it was changed.
bool pixels_field(const char* id, int& value, const char* tip);

// What is wrong with a text that is typed, for its field; and below the field, what is in none of its lines.
gui::CodeErrors code_errors(const std::vector<WeightProblem>& problems);
void problems_of_all(const std::vector<WeightProblem>& problems, const std::string& name);

// What a fetch path does, for tooltips.
const char* meaning(FetchPath path);
std::string_view plain_name(FetchPath path);  // "texture unit"

// The list of methods: by groups, or what is typed to find one.
void method_list(AppState& state);

// What begins a method of one's own: the last rows of that list.
void own_method_rows(AppState& state);

// A slider for each parameter of the active pane's method.
void parameter_rows(Scene& scene, Messages& messages);

// Shared parts of the lesson's panel and the presenter's caption. Internal to this folder.

// Back, a dot for each step, Next, in one row of this width.
void step_row(AppState& state, float width);

// Alt with the arrows up and down scrolls the window of the step's text, unless a dialog is open.
void scroll_by_keys(const UiState& ui);

// The sliders of the step; their height.
void step_sliders(AppState& state, float width);
float step_sliders_height(const LessonStep& step);

// The step's question with its replies, and its answer or the button that shows it. The height of its card with the space
// above it, whatever hint is shown.
void step_question(AppState& state, float width);

// Goes where a link of a lesson's text leads; nothing for an empty target and for terms.
void follow_link(AppState& state, const std::string& target);
float question_height(const AppState& state, float width, bool answered);

// Figures of the status bar that can be typed: position and zoom.

inline constexpr std::string_view status_zoom = "status:zoom", status_position = "status:position";

// The field in place of the figure of this name, while it is typed; false if it is not.
bool typed_figure(AppState& state, std::string_view id, float x, float width, const gui::Box& box);

}  // namespace texelscope::panels
