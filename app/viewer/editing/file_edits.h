#pragma once
// Edits that concern files: which part and channels of the shown one are seen, and how and where pictures are saved.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/files/test_images/test_images.h"
#include "app/picture/rendered_rows.h"
#include "app/state/app_state.h"
#include "app/state/scene.h"

namespace texelscope {

// Which part and channels of the shown file are seen, and whether it is turned upright.

// What the shown file says of itself; null while it has not been asked.
const PictureFacts* shown_facts(const AppState& state);

// From 0, of parts_to_step_through; also as soon as another part has been asked for.
int shown_part(const AppState& state);
int part_count(const AppState& state);  // 0: not known

// "2 of 5: diffuse", "2 of 5".
std::string words_of_part(const std::vector<PictureFacts::Part>& parts, int part);

void choose_part(AppState& state, int part);
void step_part(AppState& state, int step);  // a message if there is none

// Up to four channels that are looked at together: the colours of a layer, or a single one.
struct ChannelGroup {
    std::string title;                  // "diffuse.R, G, B"
    std::vector<std::string> channels;  // empty: the usual ones
};
std::vector<ChannelGroup> channel_groups(const std::vector<std::string>& channels);

void choose_channels(const Scene& scene, Tasks& tasks, const std::vector<std::string>& channels);
void choose_typed_channels(AppState& state, std::string typed);  // "normal.X, normal.Y" or "1,5"; a message if wrong

// Whether the shown array of three dimensions is read with its channels first; empty if the file is no such array.
std::optional<bool> channels_first(const AppState& state);
void set_channels_first(const Scene& scene, Tasks& tasks, bool first);

// Posts an offer to read the shown array with its channels first, if it looks as if they came first, or last, if that was
// taken for granted.
void offer_other_layout(AppState& state);

// Whether the shown file is read upright; for other images, the preference.
bool is_upright(const Scene& scene, const UiState& ui);
void set_upright(Tasks& tasks, bool upright);

// Sizes that a file can have. A field keeps what is typed; its dialog says that it is refused.
inline constexpr int most_pixels_per_side = 65536;
inline constexpr const char* size_limits = "Width and height: 1 to 65536 pixels.";
constexpr bool has_pixels(Extent size) {
    return size.width >= 1 && size.height >= 1 && size.width <= most_pixels_per_side &&
           size.height <= most_pixels_per_side;
}

// The window that saves: the kind of file, and its path.

// Opens the window for this kind of file, with a path beside the image; closes it if it is already open for this kind.
void toggle_save_window(const Scene& scene, UiState& ui, UiState::Saving what);

// Switches the open window to this kind of file: the path keeps its folder and takes the new kind's name.
void save_something_else(const Scene& scene, UiState& ui, UiState::Saving what);

// "photo.png" → "/folder/photo-view.png" for the ending "-view.png"; test images go to the working folder.
std::string path_beside(const Document* document, const std::string& ending);

// The path follows what is proposed, with its own extension, until the user types another name.
void follow_proposal(ReportPath& path, const std::string& proposed);
// The folder of the current file, else that of the file that was written last, else the home folder: the first of them that
// can be written to.
std::filesystem::path folder_for_new_files(const AppState& state);
std::string default_save_path(const Scene& scene, UiState::Saving what);

// Pushes the request, and closes the window; if the file exists, asks first. Nothing without a path. If no extension was
// typed, sessions get .json, profiles .csv and pictures .png.
void request_saving(AppState& state);

bool can_save(const AppState& state, UiState::Saving what);

// Edits of the dialog that exports the whole image.

// Opens the dialog, with a path beside the image and the scene's light; closes it if it is open.
void toggle_export(AppState& state);

// Output pixels per sample that can be chosen.
constexpr double least_export_factor = 0.001, most_export_factor = 1000;

// The active pane's method and the chosen size. Throws UsageError for another factor.
WholePicture exported_picture(const Scene& scene, const ExportUi& choice);

// As typed; a name without extension becomes a PNG.
std::string export_path(const ExportUi& choice);

// Whether the active pane's file says more than its picture: EXIF and the like, which an export does not have.
bool has_metadata(const Scene& scene, const FileReport& file);

// Requests it, and closes the dialog; if the file exists, asks first.
void request_export(AppState& state);

// The answers to questions, and what asks them.

// The user's answer to the open question: closes it; yes: also requests its task.
void answer(AppState& state, bool yes);

// Requests the task, which writes this file or folder; if that would replace something, asks first. `closes`: the dialog
// to close once it is requested.
void request_writing(AppState& state, const std::filesystem::path& path, Task task, std::optional<Dialog> closes = {});

// After a file could not be written: its dialog opens again, with what was typed, and says why.
void reopen_saving(UiState& ui, Dialog dialog, const std::string& why);

// What the dialog says; empty if nothing has failed, or once anything in it is changed.
std::string why_not_written(const UiState& ui, Dialog dialog);

}  // namespace texelscope
