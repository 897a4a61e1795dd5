#pragma once
// The list of a folder's files in dialogs. Internal to this folder.

#include <ctime>
#include <filesystem>
#include <string>
#include "app/state/app_state.h"

namespace texelscope::panels {

// As the lists of files say them: "340 KiB", "2026-11-23 10:56".
std::string size_text(uintmax_t bytes);
std::string time_text(std::time_t time);

void read_folder(FileList& list, const std::filesystem::path& folder);

// Only names that contain this, ignoring case; a name that is this is chosen.
void show_part(FileList& list, const std::string& part);

// What was done with the chosen entry.
struct FileListEvent {
    bool clicked = false, activated = false;  // activated: double click
};
FileListEvent file_list(const AppState& state, Dialog which, FileList& list, float height);

}  // namespace texelscope::panels
