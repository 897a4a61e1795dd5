#include "app/files/tiles/open_image.h"

#include <optional>

#include "app/files/decoding/picture_choice.h"
#include "app/files/reading/image_source.h"
#include "app/files/tiles/open_tiles.h"
#include "app/files/tiles/opened_file.h"

namespace texelscope {
namespace {

// Test images, and files so large that asking costs nothing beside reading them.
bool is_asked_for_regions(const std::string& source) {
    constexpr uint64_t large_file = uint64_t(64) << 20;
    if (source.starts_with('@')) return true;
    return stored_bytes(parse_picture_source(source).file).value_or(0) >= large_file;
}

// Empty: it is not read by regions.
std::optional<Image> opened_by_regions(const std::string& source, const Opening& opening) {
    TilesOptions options;
    options.progress = opening.storing;
    options.cancel = opening.reading.cancel;
    options.truncated = true;
    try {
        return Image(open_tiles(source, options));
    } catch (const ReadWhole&) {
    } catch (const UsageError&) {}  // said by what reads test images
    return {};
}

struct IsLarge {};

}  // namespace

Image open_image(const std::string& source, const Opening& opening) {
    if (source == "-") return load_image(source, nullptr, opening.reading);
    if (is_asked_for_regions(source)) {
        if (auto image = opened_by_regions(source, opening)) return *std::move(image);
        return load_image(source, nullptr, opening.reading);
    }
    // A small file may hold a large picture, if that packs well: its header says so.
    Reading reading = opening.reading;
    reading.told = [&](const PictureFacts& facts) {
        const PictureShape& shape = facts.shape;
        const double bytes = double(shape.width) * shape.height * shape.channels * bytes_per_sample(shape.type);
        if (bytes >= double(TilesOptions().worth)) throw IsLarge();
        if (opening.reading.told) opening.reading.told(facts);
    };
    try {
        return load_image(source, nullptr, reading);
    } catch (const IsLarge&) {}
    if (auto image = opened_by_regions(source, opening)) return *std::move(image);
    return load_image(source, nullptr, opening.reading);
}

}  // namespace texelscope
