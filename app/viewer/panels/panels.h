#pragma once
// All panels. They edit the state and nothing else.

#include <imgui.h>

#include "app/state/app_state.h"
#include "app/state/wake_up.h"
#include "app/viewer/widgets/layout.h"

namespace texelscope::panels {

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
void kernel_editor(AppState& state);
void program(AppState& state);      // another program as a method
void information(AppState& state);  // what the shown file says of itself
void question(AppState& state);
inline constexpr void (*dialog_windows[])(AppState&) = {
    file_browser, save,    export_picture, experiments, restoring,     identifying, explaining, palette,
    key_list,     numbers, about,          information, kernel_editor, program,     question};

// Messages and progress above all windows. Call after them.
void raise_messages();

}  // namespace texelscope::panels
