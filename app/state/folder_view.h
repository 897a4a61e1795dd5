#pragma once
// The folder of the shown file, as it was listed last; and what was moved from it to the trash.

#include <memory>
#include <string>
#include <vector>

#include "app/files/desktop/folder_listing.h"
#include "app/files/desktop/trash.h"

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

}  // namespace texelscope
