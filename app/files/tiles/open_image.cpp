#include "app/files/tiles/open_image.h"

#include <filesystem>

#include "app/files/decoding/picture_choice.h"
#include "app/files/image_source.h"
#include "app/files/tiles/open_tiles.h"

namespace texelscope {

bool may_be_read_by_regions(const std::string& source) {
    if (source.starts_with('@')) return true;
    if (source == "-") return false;
    std::error_code none;
    const uintmax_t bytes = std::filesystem::file_size(parse_picture_source(source).file, none);
    return !none && bytes >= large_file_bytes;
}

Image open_image(const std::string& source, const Opening& opening) {
    if (may_be_read_by_regions(source)) try {
            TilesOptions options;
            options.progress = opening.storing;
            options.cancel = opening.reading.cancel;
            return Image(open_tiles(source, options));
        } catch (const ReadWhole&) {   // as all others
        } catch (const UsageError&) {  // said by what reads test images
        }
    return load_image(source, nullptr, opening.reading);
}

}  // namespace texelscope
