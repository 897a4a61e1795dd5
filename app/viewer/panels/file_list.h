#pragma once
// The files of a folder, for dialogs: sorted by name, time or size, folders first. Internal to this folder.

#include <filesystem>
#include <string>
#include <vector>

#include "app/files/desktop/folder_listing.h"
#include "app/state/app_state.h"

namespace texelscope::panels {

// As the lists of files say them: "340 KiB", "2026-11-23 10:56".
std::string size_text(uintmax_t bytes);
std::string time_text(std::time_t time);

struct FileList {
    std::filesystem::path folder;
    FolderListing listing;
    std::string part;                       // of the names shown
    std::vector<const FolderEntry*> shown;  // entries of the listing
    int choice = 0;                         // index of one of them
    bool reveal = false;                    // the choice was moved by a key, perhaps out of view
    bool all_files = false;
    FolderOrder order = FolderOrder::name;
    bool descending = false;
};

void read_folder(FileList& list, const std::filesystem::path& folder);

// Only names that contain this, ignoring case; a name that is this is chosen.
void show_part(FileList& list, const std::string& part);

// What was done with the chosen entry.
struct FileListEvent {
    bool clicked = false, activated = false;  // activated: double click
};
FileListEvent file_list(const AppState& state, Dialog which, FileList& list, float height);

}  // namespace texelscope::panels
