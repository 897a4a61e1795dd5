// An image of 200 000 × 200 000 samples, 160 GB, that is never stored: against float64 of the samples around each view.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/formula_tiles.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

constexpr int side = 200000;

class HugeImage : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!backend_) return;
        source_ =
            std::make_shared<FormulaTiles>(side, side, [](int64_t x, int64_t y) { return zone_plate(side, x, y); });
        tiled_ = std::make_unique<TiledImage>(backend_, source_, TiledOptions{.memory = size_t(64) << 20});
    }

    // The samples around (x, y), extended by independent code, as an image of their own.
    static Image around(const AddressPair& address, int64_t x, int64_t y, int size) {
        Image crop(size, size, 1, SampleType::f32);
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) {
                const long long sx = reference::extended(address.x, x + i, side),
                                sy = reference::extended(address.y, y + j, side);
                crop.row_as<float>(j)[i] = sx < 0 || sy < 0 ? 0 : zone_plate(side, sx, sy);
            }
        return crop;
    }

    std::shared_ptr<FormulaTiles> source_;
    std::unique_ptr<TiledImage> tiled_;
};

// At the far corner a float32 coordinate would be off by 1/128 sample.
TEST_P(HugeImage, ViewsAreThoseOfFloat64) {
    struct Place {
        double x, y;
    };
    constexpr Place places[] = {
        {99999.5, 99999.5}, {123456.7, 34567.8}, {199999.2, 199999.4}, {-0.5, 150000.25}, {200010.3, -15.6}};
    // A coefficient at a window's end lacks what lies beyond the prefilter's reach, |z|^reach < 1e-8 of up to 56 times the samples.
    constexpr double allowed = tolerance::exact_path + 56e-8;
    Random random(30);
    for (const char* text : {"bspline", "catmull-rom", "quintic", "lanczos3", "omoms", "bilinear"}) {
        if (!find_method(text)) continue;
        for (const Place& place : places) {
            RenderRequest request = request_of(spec_of(text), 40, 30);
            request.spec.address = random.pick(all_address_pairs());
            request.view.translate_x = place.x - (side - 1) / 2.0;
            request.view.translate_y = place.y - (side - 1) / 2.0;
            request.view.scale = random.between(0.05, 1.0);
            request.view.rotate = random.chance(0.3) ? 0 : random.between(0, 360);
            const int64_t x = int64_t(std::floor(place.x)) - 80, y = int64_t(std::floor(place.y)) - 80;
            MethodSpec inside = request.spec;  // the crop is larger than anything that is read
            inside.address = {};
            const reference::Interpolant model(around(request.spec.address, x, y, 160), inside);
            const Image got = tiled_->render_to_image(request);
            for (int j = 0; j < 30; ++j)
                for (int i = 0; i < 40; ++i) {
                    const reference::Position p =
                        reference::position(request.view, side, side, request.width, request.height, i, j);
                    const double expected = model.at({p.x - x, p.y - y})[0];
                    ASSERT_NEAR(got.value(i, j, 0), expected, allowed)
                        << text << " " << to_string(request.spec.address) << " at " << place.x << ", " << place.y
                        << " pixel " << i << ", " << j << " scale " << request.view.scale;
                }
        }
    }
    EXPECT_LT(source_->samples_read, size_t(200) << 20);  // not the 40 gigapixels
}

// A level of the pyramid is made where the view is, and nowhere else. Near the centre the plate's waves are long: shrunk
// eightfold it is the same function of the place.
TEST_P(HugeImage, AShrunkViewReadsWhatIsInViewOnly) {
    RenderRequest request = request_of(spec_of("lanczos3"), 300, 200);
    request.view.scale = 12;
    request.antialias = true;
    const Image got = tiled_->render_to_image(request);
    for (int j = 0; j < 200; ++j)
        for (int i = 0; i < 300; ++i) {
            const double x = 12 * (i - 149.5), y = 12 * (j - 99.5);
            const double expected = 0.5 + 0.5 * std::cos(std::numbers::pi * (x * x + y * y) / side);
            ASSERT_NEAR(got.value(i, j, 0), expected, 2e-3) << i << ", " << j;
        }
    EXPECT_LT(source_->samples_read, size_t(80) << 20);
}

ON_EVERY_BACKEND(HugeImage);

}  // namespace
}  // namespace texelscope::test
