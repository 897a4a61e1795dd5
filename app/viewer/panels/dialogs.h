#pragma once
// What all dialogs have in common: place, frame, and whose keys and mouse they are. Internal to this folder.

#include <ctime>
#include <filesystem>
#include <span>
#include <string>

#include <imgui.h>

#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::panels {

// In the middle of the window, never larger than it, a tool window below the toolbar; the topmost has a highlighted frame. False if it is not open; if
// true, end it with end_dialog(). `title` replaces that of its row.
bool begin_dialog(UiState& ui, const Places& places, Dialog which, const char* title = nullptr);
void end_dialog();

// True in its first frame: its panel begins anew, and no field of it is being edited any more.
bool begins_anew(UiState& ui, Dialog which);

// Under the topmost dialog, if it owns the mouse: takes the mouse from everything behind it, and dims that if wanted.
// `title`: of the dialog's window. begin_dialog() does it.
void shade_behind(const UiState& ui, Dialog which, const char* title, bool dims);

// Between these two: whether keys that no field takes are meant for this dialog.
bool has_keys(const UiState& ui, Dialog which);
bool key_pressed(const UiState& ui, Dialog which, int key);  // one of ImGuiKey_

// Whether keys belong to a control of the window. A field that Enter or Esc ends has had that key: still true in that frame.
bool control_has_keys();

// Whether the field that typing goes to takes the keyboard in this frame.
bool gives_keyboard(const UiState& ui, Dialog which);

// Before that field, if it is one of ImGui's: it has the focus as long as nothing else in the window is in use.
void focus_here(const UiState& ui, Dialog which);

// The buttons that end a dialog. True if the first one was pressed, whose name in the ControlLog is `noted`; the other one, Cancel,
// closes the dialog.
bool ending_buttons(UiState& ui, Dialog which, const char* text, const char* noted, std::string_view tip,
                    bool able = true);

// Arrows, PgUp, PgDn, Home and End move the choice in a list of `count` rows. True if one of them was pressed.
bool move_choice(const UiState& ui, Dialog which, int& choice, int count, int rows_in_view);

// Arrows, PgUp, PgDn, Home and End scroll the current window, which has no choice to move.
void scroll_list(const UiState& ui, Dialog which);

// The list of a folder's files in dialogs. Internal to this folder.

// As the lists of files say them: "340 KiB", "2026-11-23 10:56".
std::string size_text(uintmax_t bytes);
std::string date_text(std::time_t time);

void read_folder(FileList& list, const std::filesystem::path& folder);

// Only names that contain this, ignoring case; a name that is this is chosen.
void show_part(FileList& list, const std::string& part);

// What was done with the chosen entry.
struct FileListEvent {
    bool clicked = false, activated = false;  // activated: double click
};
FileListEvent file_list(const UiState& ui, Dialog which, FileList& list, float height);

// The parts of windows that study pictures beside them: a label before its field, which fills the rest of the cell; the
// answer, in the font of headings; Enter, unless a field has it.
void field_label(const char* text, const char* tip, float width = 68);
void sentence(const std::string& text, const gui::Colour& ink);
bool entered(const UiState& ui, Dialog which);

// The height that is left for a table above so many rows of buttons; where that is little, all of it scrolls.
float height_above_rows(float rows);
bool buttons_in_one_row();

// The heading of a column of figures.
void figures_heading(const char* name, const char* tip);

// Where to save what was found, in one of these forms, or as a folder with everything. True if it is to be saved.
struct ReportForm {
    const char *text, *extension, *tip;
};
bool report_row(const std::string& dialog, ReportPath& to, const std::string& proposed,
                std::span<const ReportForm> forms);

// The forms of the answers of "How was this made?" and "Explain the difference", and the flags of their tables.
inline constexpr ReportForm study_forms[] = {
    {"Report", ".html", "One page with the answer, the table, plots and pictures."},
    {"JSON", ".json", "All figures with all their digits, for programs."},
    {"CSV", ".csv", "The table, for a spreadsheet."}};
inline constexpr ImGuiTableFlags study_table =
    ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY | ImGuiTableFlags_NoSavedSettings;

// The parts of the window "Which is best for this picture?".

// The choices, side by side if there is space. True if one of them was changed.
bool restoring_choices(const Scene& scene, RestoringUi& restoring);

// "The picture is shrunk to a quarter of its width and height, …": the test that is chosen, in a sentence.
std::string restoring_words(const RestoringChoice& choice);

// "enlarge ×4 · all methods"
std::string restoring_summary(const Scene& scene, const RestoringUi& restoring);

// The method of a row becomes that of the active pane, with its settings if the panes' were compared. It marks the row, wherever
// that will be.
void take_restored(AppState& state, const RestoringResult& result, size_t which);

// All open pictures: a row for each method, and clicks that open its best and its worst picture.
void judged_pictures(AppState& state, const PicturesResult& result);

// The methods with their figures; a click puts one into the active pane.
void restoring_table(AppState& state, const RestoringResult& result, float height);
bool restoring_table_has_times(const UiState& ui, const RestoringResult& result, float width);
float restoring_row_height();

// The worst spot: the original beside what the best methods made of it, as large as there is space.
void restoring_pictures(const RestoringReport& report, float height);

// Where to save it, in which form, and the button that does.
void restoring_save_row(AppState& state);

// The progress of what runs in the background. Internal to this folder.

// A bar that says what is being done, with a button that cancels.
void background_progress(AppState& state);

}  // namespace texelscope::panels
