#pragma once
// All panels. They edit the state and nothing else.

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/wake_up.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/names.h"
#include "gpu/display/display.h"

namespace texelscope::panels {

// What gui::lay_out() needs in a window of this size, in window coordinates, but for the image, the mouse and the messages.
gui::LayoutRequest layout_request(const AppState& state, float width, float height);

void menu_bar(AppState& state, const gui::Box& box);
void toolbar(AppState& state, const gui::Box& box);
void side_panel(AppState& state, const gui::Box& box);                         // holds the sections below
void panel_edge(UiState& ui, const LessonState& lesson, const gui::Box& box);  // to drag
void panel_handle(UiState& ui, const gui::Box& box);  // opens it over the picture if it has no space beside it
void image(AppState& state);
void method(AppState& state);
void advanced(AppState& state);  // how samples are read
void compare(AppState& state);
void note_end_of_panel();  // at its end: the list of panes has the space that is left
void active_pane(AppState& state);
void view(AppState& state);
void display(AppState& state);
void timing(AppState& state);

// Replaces the side panel while a lesson or the list of lessons is open; holds the side panel too.
bool shows_lesson_panel(const LessonState& lesson);
void lesson_panel(AppState& state, const gui::Box& box);

// Presenter mode: the lesson's text below the picture and its height before layout; halo and keys over everything.
float caption_height(const AppState& state, float width);
// How much larger everything is, so that the step's text needs no scrolling in a window of this size.
float presenter_magnification(AppState& state, float width, float height, float display_scale);
// Whether a window of this height is so low that lessons outside presenter mode would scroll at the usual type size.
bool is_dense(const AppState& state, float height, float display_scale);
void caption(AppState& state, const gui::Box& box);
void presenter_overlay(const AppState& state);

void status_bar(AppState& state, const gui::Box& box);

inline constexpr const char* messages_window = "##messages";

// The messages, over the lower edge of the picture: the size they need before layout if they are at most `widest`, then
// themselves. Those shown for long enough are removed.
ImVec2 messages_size(AppState& state, float widest);

// Where the tool window was in the last frame; empty: none is shown.
gui::Box tool_window(const Dialogs& dialogs);
// Asks for the frame that drops a message.
void wake_for_messages(const Messages& messages, double now, WakeUp& wake_up);

// Asks for the frame in which the signs of panes that are being prepared appear.
void wake_for_preparing(const AppState& state, WakeUp& wake_up);
void messages(AppState& state, const gui::Box& box);

// Small pictures of the shown file's folder, below the picture.
void filmstrip(AppState& state, const gui::Box& box);

// The plots at the right: profile, curves, histogram.
void plot_dock(AppState& state, const gui::Box& box);

// Drawn over the picture: label chips, selection, divider, legend, minimap, frame of the loupe.
void picture_overlay(AppState& state);
// In panes that the picture has left: an arrow to it, which a click follows.
void empty_panes(AppState& state);
// Drawn over the picture for inspecting: pixel grid, pixel values, taps, the line of the profile.
void inspect_overlay(AppState& state);

// What can be done with one pane, where the right button was clicked on it.
void pane_menu(AppState& state);

// The progress bar of longer work, above the messages.
void work(AppState& state, const gui::Box& messages);

// The dialogs, while they are open. Drawn in the order of the list.
void file_browser(AppState& state);
void save(AppState& state);
void export_picture(AppState& state);
void experiments(AppState& state);
void restoring(AppState& state);    // which is best for this picture?
void identifying(AppState& state);  // how was this made?
void explaining(AppState& state);
void palette(AppState& state);
void key_list(AppState& state);
void numbers(AppState& state);
void about(AppState& state);
void program(AppState& state);      // another program as a method
void information(AppState& state);  // what the shown file says of itself
void question(AppState& state);
inline constexpr void (*dialog_windows[])(AppState&) = {
    file_browser, save,     export_picture, experiments, restoring,   identifying, explaining,
    palette,      key_list, numbers,        about,       information, program,     question};

// Messages and progress above all windows. Call after them.
void raise_messages();

}  // namespace texelscope::panels

namespace texelscope {

// Parts that several panels have.

struct LessonStep;
}  // namespace texelscope

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

// The last rows of the list of methods, which begin a custom method.
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

namespace texelscope::panels {

// The tabs of the dock at the right: the contents of one window, inside its padding.

void profile_tab(AppState& state);
void curves_tab(AppState& state);
void order_tab(AppState& state);
void spectrum_tab(AppState& state);
void histogram_tab(AppState& state);
void statistics_tab(AppState& state);
void taps_tab(AppState& state);
void stage_tab(AppState& state);
void formula_tab(AppState& state);  // of the active pane's weight function
void kernel_tab(AppState& state);   // the text of a CUDA kernel
void source_tab(AppState& state);   // of a lesson

// The weight functions of the panes in view and their spectra, each plot `height` tall.
void function_and_spectrum(AppState& state, float height);

// The plots of the `hardware` path, above the other curves, each `height` tall; the second function returns how many
// such heights they take: 0 if no pane has that path and a method with linear-filtered fetches.
void fetch_plots(AppState& state, float height, gui::PlotFocus& focus);
float fetch_plot_heights(const CurvesReport& report);

// Whether there is so little height that the plot comes first, and what it is set by below it: the dock scrolls.
bool is_low();

// Whether the lesson's step has excerpts of source to read.
bool has_source_tab(const LessonState& lesson);

// Buttons for what is counted: the selection, or all, in these words; false without a selection.
bool part_row(const Scene& scene, InspectUi& inspect, const char* of_selection, const char* all, const char* of_all);

// Buttons for the channels of an image; −1 is luma for colour images.
void channel_row(InspectUi& inspect, int channels, bool has_alpha, bool with_luma);

// "R", "G", … for a picture; "re", "im" for complex data; "v".
const char* channel_name(int channels, bool has_alpha, int channel);

}  // namespace texelscope::panels
