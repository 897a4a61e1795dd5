// The pyramid of an image that is not in memory: bit for bit that of a resident image.

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/backend/source_key.h"
#include "gpu/tiles/image_tiles.h"
#include "gpu/tiles/tiled_levels.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

class TiledPyramid : public OnBackend {
protected:
    std::shared_ptr<const ResidentImage> resident_level(Level level, const AddressPair& address,
                                                        const std::shared_ptr<const ResidentImage>& samples) {
        if (level == Level{}) return samples;
        const Level finer = before(level);
        return backend_->reduce(*resident_level(finer, address, samples), address_on(finer, address),
                                last_step_to(level));
    }
    Image read_back(const ResidentImage& image) {
        Resampling whole;
        whole.spec = spec_of("nearest");
        whole.width = image.width();
        whole.height = image.height();
        Image result(whole.width, whole.height, image.channels(), SampleType::f32);
        const auto memory = backend_->allocate(result.size_bytes());
        backend_->resample(image, whole, {memory.get(), result.row_bytes(), RenderTarget::Format::floats});
        backend_->read_back(result.data(), memory.get(), result.size_bytes());
        return result;
    }
};

AxisWindow all_samples(int n) { return {0, n, true}; }

TEST_P(TiledPyramid, IsBitForBitThatOfAResidentImage) {
    Random random(5);
    for (int k = 0; k < 60; ++k) {
        const int width = random.integer(1, 500), height = random.integer(1, 400), channels = random.integer(1, 4);
        const SampleType type =
            random.pick(std::array{SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32});
        const Alpha alpha = channels % 2 == 0 && random.chance(0.5) ? Alpha::straight : Alpha::none;
        const auto image =
            std::make_shared<const Image>(noise(width, height, channels, type, uint64_t(100 + k), alpha));
        const AddressPair address = random.pick(all_address_pairs());
        const Level level{random.integer(0, 3), random.integer(0, 3)};
        const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 1 << random.integer(4, 9)),
                                                       size_t(1) << 20, 1);
        // From tiles of 16 samples, up to those that hold the level whole.
        TiledLevels levels(backend_, cache, Light::stored, size_t(1) << random.integer(10, 22),
                           size_t(1) << random.integer(10, 26));
        const Extent size = levels.extent(level);
        const Image got = levels.window(level, address, all_samples(size.width), all_samples(size.height));
        const Image expected = read_back(*resident_level(level, address, backend_->upload(*image)));
        ASSERT_EQ(got.width(), expected.width());
        ASSERT_EQ(got.height(), expected.height());
        if (level == Level{}) continue;
        ASSERT_EQ(got.size_bytes(), expected.size_bytes());
        for (int y = 0; y < size.height; ++y)
            for (int x = 0; x < size.width; ++x)
                for (int c = 0; c < channels; ++c) {
                    const float a = got.value(x, y, c), b = expected.value(x, y, c);
                    ASSERT_EQ(std::memcmp(&a, &b, sizeof(float)), 0)
                        << width << "×" << height << "×" << channels << " " << name_of(type) << " level " << level.x
                        << ", " << level.y << " " << to_string(address) << " tiles of " << levels.tile() << " at " << x
                        << ", " << y << ": " << a << " for " << b;
                }
    }
}

TEST_P(TiledPyramid, WindowsOfALevelAreExtendedLikeIt) {
    Random random(6);
    const auto image = std::make_shared<const Image>(noise(333, 251, 3, SampleType::u8, 7));
    const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 64), size_t(1) << 20, 1);
    for (const AddressPair& address : all_address_pairs()) {
        TiledLevels levels(backend_, cache, Light::linear, size_t(1) << 20, size_t(1) << 18);
        const Level level{1, 2};
        const Extent size = levels.extent(level);
        const Image whole = levels.window(level, address, all_samples(size.width), all_samples(size.height));
        const AddressPair on_level = address_on(level, address);
        const AxisWindow x{random.integer(-200, 200), random.integer(1, size.width - 1)},
            y{random.integer(-200, 200), random.integer(1, size.height - 1)};
        const Image part = levels.window(level, address, x, y);
        for (int j = 0; j < part.height(); ++j)
            for (int i = 0; i < part.width(); ++i) {
                const int column = addressed(on_level.x, int(x.first) + i, size.width),
                          row = addressed(on_level.y, int(y.first) + j, size.height);
                ASSERT_EQ(part.value(i, j, 1), column < 0 || row < 0 ? 0 : whole.value(column, row, 1));
            }
    }
}

TEST_P(TiledPyramid, EndsWhenItIsStopped) {
    const auto image = std::make_shared<const Image>(noise(100, 100, 1, SampleType::u8, 8));
    const auto cache = std::make_shared<TileCache>(std::make_shared<ImageTiles>(image, 64), size_t(1) << 20, 1);
    TiledLevels levels(backend_, cache, Light::stored, 1 << 20, 1 << 20);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(levels.window({1, 1}, {}, all_samples(50), all_samples(50), stop.get_token()), Cancelled);
}

ON_EVERY_BACKEND(TiledPyramid);

}  // namespace
}  // namespace texelscope::test
