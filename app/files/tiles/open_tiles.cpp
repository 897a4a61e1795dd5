#include "app/files/tiles/open_tiles.h"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/reading/image_files.h"
#include "app/files/tables/tables.h"
#include "app/files/test_images/test_images.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

TilesOrWhy tiles_of_file(const std::string& file, const PictureChoice& choice, const TilesOptions& options) {
    const auto opened = std::make_shared<const OpenedFile>(file);
    const Codec* codec = recognise(opened->head(signature_bytes), file);
    if (!codec || !readable(*codec)) return {nullptr, "it is no image file that can be read"};
    if (codec->parse) try {
            return {raw_tiles(opened, choice, options.truncated)};
        } catch (const NotInParts& refusal) {
            return {nullptr, refusal.what(), int64_t(opened->size()) >= options.worth};
        }
    if (auto kept = options.cache.find(*opened, choice)) return {std::move(kept)};
    if (has_pieces(*codec)) try {
            return {decoded_tiles(opened, *codec, choice)};
        } catch (const NotInParts&) {  // from its first row to its last, then
        }
    return options.cache.make(*opened, choice, {options.worth, options.progress, options.cancel});
}

TilesOrWhy tiles_of(const std::string& source, const TilesOptions& options) {
    if (source.starts_with('@')) {
        auto tiles = generated_tiles(source);
        return {std::move(tiles), "every sample of it depends on all others"};
    }
    const PictureSource parsed = parse_picture_source(source);
    const std::string& file = parsed.file;
    if (file == "-") return {nullptr, "it can be read but once"};
    if (is_table(file)) return {nullptr, "it is a table"};
    return naming(file, [&] { return tiles_of_file(file, parsed.choice, options); });
}

}  // namespace

TilesOrWhy open_tiles(const std::string& source, const TilesOptions& options) {
    TilesOrWhy opened = tiles_of(source, options);
    if (!opened.tiles) {
        opened.why = fmt::format("{} is read as a whole: {}", words_of_source(source), opened.why);
        return opened;
    }
    const ImageInfo& info = opened.tiles->info();
    if (size_bytes(info) >= options.worth) return {std::move(opened.tiles)};
    return {nullptr, fmt::format("{} is read as a whole: its {}×{} samples take no more than {} MiB", source,
                                 info.width, info.height, (size_bytes(info) + (1 << 20) - 1) >> 20)};
}

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
        if (auto opened = open_tiles(source, options); opened.tiles) return Image(std::move(opened.tiles));
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

namespace {

class GeneratedTiles : public TileSource {
public:
    explicit GeneratedTiles(const TestImageRequest& request) : request_(request) {
        const Image corner = made({0, 0, 1, 1});
        info_ = {request.width, request.height, corner.channels(), corner.type(), corner.alpha(), nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return usual_tile; }
    bool reads_any_region() const override { return true; }
    int samples_per_request() const override { return 256; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        const Image part = made(region);
        for (int y = 0; y < part.height(); ++y) std::memcpy(to + size_t(y) * row_bytes, part.row(y), part.row_bytes());
    }

private:
    Image made(const SampleRegion& region) const {
        return request_.image->generator.part({request_.width, request_.height, region});
    }

    TestImageRequest request_;
    ImageInfo info_;
};

}  // namespace

std::unique_ptr<const TileSource> generated_tiles(std::string_view spec) {
    if (parse_sample_line(spec)) return nullptr;
    const TestImageRequest request = parse_test_image_of_any_size(spec);
    if (!request.image->generator.part) return nullptr;
    return std::make_unique<GeneratedTiles>(request);
}

}  // namespace texelscope
