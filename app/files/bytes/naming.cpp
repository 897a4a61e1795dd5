#include "app/files/bytes/naming.h"

#include <fmt/format.h>

namespace texelscope {

std::string words_of_missing(const SampleRegion& missing, int width, int height) {
    const bool rows = missing.width == width, columns = missing.height == height;
    if (rows && columns) return "the file ends early; at most a coarse picture is there";
    if (!rows && !columns)
        return fmt::format("the file ends early; {}×{} of its pixels are missing", missing.width, missing.height);
    const int all = rows ? height : width, there = all - (rows ? missing.height : missing.width);
    return fmt::format("the file ends early; {} % of the {} are there", int64_t(there) * 100 / all,
                       rows ? "rows" : "columns");
}

}  // namespace texelscope
