#include "app/files/tiles/open_tiles.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/not_in_parts.h"
#include "app/files/decoding/picture_choice.h"
#include "app/files/reading/image_source.h"
#include "app/files/tables/signal.h"
#include "app/files/tiles/decoded_tiles.h"
#include "app/files/tiles/generated_tiles.h"
#include "app/files/tiles/opened_file.h"
#include "app/files/tiles/raw_tiles.h"
#include "app/files/tiles/region.h"

namespace texelscope {
namespace {

std::unique_ptr<const TileSource> tiles_of_file(const std::string& file, const PictureChoice& choice,
                                                const TilesOptions& options) {
    const auto opened = std::make_shared<const OpenedFile>(file);
    const Codec* codec = recognise(opened->head(signature_bytes), file);
    if (!codec || !readable(*codec)) throw NotInParts("it is no image file that can be read");
    if (codec->parse) try {
            return raw_tiles(opened, choice, options.truncated);
        } catch (const NotInParts& why) {
            throw NotInParts(why.what(), int64_t(opened->size()) >= options.worth);
        }
    if (auto kept = options.cache.find(*opened, choice)) return kept;
    if (has_pieces(*codec)) try {
            return decoded_tiles(opened, *codec, choice);
        } catch (const NotInParts&) {  // from its first row to its last, then
        }
    return options.cache.make(*opened, choice, {options.worth, options.progress, options.cancel});
}

std::unique_ptr<const TileSource> tiles_of(const std::string& source, const TilesOptions& options) {
    if (source.starts_with('@')) return generated_tiles(source);
    const PictureSource parsed = parse_picture_source(source);
    const std::string& file = parsed.file;
    if (file == "-") throw NotInParts("it can be read but once");
    if (is_table(file)) throw NotInParts("it is a table");
    std::optional<NotInParts> why_not;
    auto tiles = naming(file, [&] {
        try {
            return tiles_of_file(file, parsed.choice, options);
        } catch (const NotInParts& error) {  // is no fault of the file
            why_not = error;
            return std::unique_ptr<const TileSource>();
        }
    });
    if (!tiles) throw *why_not;
    return tiles;
}

}  // namespace

std::shared_ptr<const TileSource> open_tiles(const std::string& source, const TilesOptions& options) {
    std::shared_ptr<const TileSource> tiles;
    try {
        tiles = tiles_of(source, options);
    } catch (const NotInParts& error) {
        throw ReadWhole(fmt::format("{} is read as a whole: {}", words_of_source(source), error.what()),
                        error.is_large());
    }
    const ImageInfo& info = tiles->info();
    if (size_bytes(info) < options.worth)
        throw ReadWhole(fmt::format("{} is read as a whole: its {}×{} samples take no more than {} MiB", source,
                                    info.width, info.height, (size_bytes(info) + (1 << 20) - 1) >> 20));
    return tiles;
}

}  // namespace texelscope
