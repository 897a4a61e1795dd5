#include "app/files/bytes/read_whole.h"

#include <algorithm>

namespace texelscope {

void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target) {
    const ImageInfo& info = source.info();
    Image& image = target.begin({info.width, info.height, info.channels, info.type, info.alpha}, facts);
    for (int y = 0; y < info.height; y += source.tile()) {
        const int rows = std::min(source.tile(), info.height - y);
        source.read(0, {0, y, info.width, rows}, image.row(y), image.row_bytes());
        target.rows_done(y + rows);
    }
}

}  // namespace texelscope
