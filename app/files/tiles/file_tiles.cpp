#include "app/files/tiles/file_tiles.h"

#include <filesystem>
#include <system_error>

namespace texelscope {

TileFileOrigin origin_of(const OpenedFile& file, const PictureChoice& choice) {
    std::error_code ignored;
    return {std::filesystem::absolute(file.path(), ignored).lexically_normal().string(), text_of(choice),
            file.state().bytes, file.state().modified};
}

}  // namespace texelscope
