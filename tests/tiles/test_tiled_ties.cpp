// Nearest exactly halfway between two samples, through windows of an image: pixel k of N reads sample
// floor((2k + 1)·n / 2N) of n, whatever sample a window begins with.

#include <gtest/gtest.h>

#include <numeric>

#include "gpu/backend/source_image.h"
#include "gpu/tiles/image_tiles.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

class TiledTies : public OnBackend {};

TEST_P(TiledTies, AreDecidedAsInTheWholeImage) {
    struct Sizes {
        int n, m, width, height;
    };
    for (const auto& [n, m, width, height] : {Sizes{2560, 30, 1920, 40}, {3000, 1001, 4000, 715}, {70, 2000, 91, 1500}})
        for (const FetchPath path : auto_and_every_path()) {
            const auto image = std::make_shared<Image>(n, m, 1, SampleType::f32);
            std::iota(image->row_as<float>(0), image->row_as<float>(0) + size_t(n) * size_t(m), 0.0f);
            RenderRequest request;
            request.spec = spec_of("nearest");
            request.spec.path = path;
            request.width = width;
            request.height = height;
            request.positions = aligned_affine(Align::centers, n, m, width, height);
            TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 100), {least_tiled_memory, Light::stored});
            const Image picture = tiled.render_to_image(request);
            int wrong = 0;
            for (int j = 0; j < height; ++j)
                for (int i = 0; i < width; ++i) {
                    const long long column = (2LL * i + 1) * n / (2LL * width),
                                    row = (2LL * j + 1) * m / (2LL * height);
                    wrong += picture.row_as<float>(j)[i] != float(row * n + column);
                }
            EXPECT_EQ(wrong, 0) << n << "×" << m << " to " << width << "×" << height << ", " << name_of(path);
        }
}

ON_EVERY_BACKEND(TiledTies);

}  // namespace
}  // namespace texelscope::test
