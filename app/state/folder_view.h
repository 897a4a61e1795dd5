#pragma once
// The folder of the shown file, as it was listed last; and what was moved from it to the trash.

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/files/desktop/desktop.h"
#include "app/files/desktop/folders.h"
#include "app/state/panel_state.h"
#include "app/state/view_math.h"

namespace texelscope {

struct FolderView {
    std::string folder;                                     // absolute; empty: what is shown is no file
    std::shared_ptr<const std::vector<FolderEntry>> files;  // its pictures, in the chosen order; null: not listed yet
    int position = -1;                                      // of the shown file; −1: it is not among them
    std::string problem;                                    // why they could not be listed

    int count() const { return files ? int(files->size()) : 0; }
    bool is_placed() const { return position >= 0; }
};

struct TrashedFile : Trashed {
    size_t changes = 0;  // that undo could take back before
};

// The filmstrip: small pictures of the folder of the shown file, and what of it is in view.

struct StripPicture {
    InterfacePicture picture;  // none: the file cannot be read, or is too large
    Extent size;               // of the file's picture, pixels; empty: not known
    uintmax_t bytes = 0;       // of the file
    std::time_t modified = 0;  // seconds
    int64_t wanted = 0;        // when it was last in view or near it; counts the turns of the loop
};

struct Filmstrip {
    // By the panel, in every frame.
    int first = 0, end = 0;  // places in the folder that are in view; equal: the strip is not shown
    Extent box;              // the most that a small picture may fill, framebuffer pixels
    double scroll = 0;       // window coordinates, from the first picture's left edge
    // What it was scrolled for: the shown picture, how many there are, and the strip's width.
    int shown_position = -1, shown_count = 0;
    float shown_width = 0;

    // By the loop. By path; those in view and near it.
    std::unordered_map<std::string, StripPicture> pictures;

    bool in_view() const { return first < end; }
};

}  // namespace texelscope
