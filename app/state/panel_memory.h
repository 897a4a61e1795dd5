#pragma once
// What dialogs and panels remember from frame to frame and nobody else needs. Not kept.

#include <filesystem>
#include <string>
#include <vector>

#include "app/files/desktop/folder_listing.h"

namespace texelscope {

// The files of a folder, sorted by name, time or size, folders first.
struct FileList {
    std::filesystem::path folder;
    FolderListing listing;
    std::string part;           // of the names shown
    std::vector<size_t> shown;  // entries of the listing
    int choice = 0;             // index in `shown`
    bool reveal = false;        // the choice was moved by a key, perhaps out of view
    bool all_files = false;
    FolderOrder order = FolderOrder::name;
    bool descending = false;

    const FolderEntry& entry(size_t row) const { return listing.entries[shown[row]]; }
    const FolderEntry& chosen() const { return entry(size_t(choice)); }
};

struct PanelMemory {
    struct Browser : FileList {
        std::string typed;  // part of a name, or a path
        std::string problem;
        bool fresh = true;  // closed since it was shown last
    } browser;

    struct {
        FileList list;  // of the folder of the path
        bool shown = false;
    } save_files;

    struct Search {
        std::string typed;
        int choice = 0;  // among the rows that are shown
    } information;

    std::string key_search;          // in the list of keys
    std::string channel_list, path;  // typed, until Enter
    bool yes_chosen = false;         // in a question, by the arrow keys or Tab
    int pane_in_list = -1;           // the active pane that the list of panes has scrolled to
};

}  // namespace texelscope
