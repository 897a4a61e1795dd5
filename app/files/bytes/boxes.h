#pragma once
// The boxes that HEIF and JPEG 2000 files are made of (ISO/IEC 14496-12, ISO/IEC 15444-1 annex I).

#include <cstdint>
#include <string_view>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"

namespace texelscope {

struct FileBox {
    uint64_t begin = 0, end = 0;  // of its content
    bool found() const { return end > 0; }
};

// The first box of this type in a part of the file, whose content begins with `kind`; without content if there is none.
FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind = {});

}  // namespace texelscope
