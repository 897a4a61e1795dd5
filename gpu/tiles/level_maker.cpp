#include "gpu/tiles/level_maker.h"

#include <span>

#include "gpu/core/text.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_levels.h"

namespace texelscope {
namespace {

constexpr size_t enough = size_t(1) << 20;  // bytes, for each of its caches

std::shared_ptr<const Image> noise_like(const ImageInfo& image) {
    Image bytes(45, 38, image.channels, SampleType::u8, image.alpha);
    uint32_t random = 1;
    for (size_t i = 0; i < bytes.size_bytes(); ++i) {
        random = random * 1664525u + 1013904223u;  // Numerical Recipes
        bytes.data()[i] = std::byte(random >> 24);
    }
    Image noise = converted(bytes, image.type);
    noise.set_profile(image.profile);
    return std::make_shared<const Image>(std::move(noise));
}

}  // namespace

uint64_t level_maker(const std::shared_ptr<Backend>& backend, const ImageInfo& image, Light light) {
    const auto tiles = std::make_shared<TileCache>(std::make_shared<ImageTiles>(noise_like(image)), enough, 0);
    TiledLevels levels(backend, tiles, light, enough, enough);
    uint64_t hash = fnv1a(std::as_bytes(std::span(name_of(backend->info().kind))));
    for (const AddressMode mode : all_address_modes)
        for (const Level level : {Level{2, 1}, Level{1, 2}}) {  // by halving both axes, and then each alone
            const Extent size = levels.extent(level);
            const Image samples =
                levels.window(level, {mode, mode, {{0.5f}, 1}}, {0, size.width, true}, {0, size.height, true});
            hash = fnv1a({samples.data(), samples.size_bytes()}, hash);
        }
    return hash;
}

}  // namespace texelscope
