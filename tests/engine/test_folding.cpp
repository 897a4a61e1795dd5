// Shrunk views of integer samples are read from the samples themselves on the CPU, with level or prefilter folded into the
// weights: the picture is that of the coefficients, or of the level, and these are not made.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"
#include "tests/support/widened_reference.h"

namespace texelscope::test {
namespace {

class Folding : public OnBackend {
protected:
    static RenderRequest request(const char* method, double scale, const AddressPair& address) {
        RenderRequest request;
        request.spec = default_spec(parse_method(method));
        request.spec.address = address;
        request.antialias = true;
        request.width = 53;
        request.height = 41;
        request.view = {3.3, -2.7, scale, 0};
        return request;
    }
};

// Floats are not folded, since a NaN would spread: the same picture of the same values is rendered from a level, or from
// coefficients.
TEST_P(Folding, ThePictureIsThatOfLevelsAndCoefficients) {
    for (const auto& [channels, type] : {std::pair(1, SampleType::u8), std::pair(2, SampleType::u16),
                                         std::pair(3, SampleType::u8), std::pair(4, SampleType::u16)}) {
        const Image image = noise(403, 377, channels, type, 61);
        SourceImage integers(backend_, image), floats(backend_, converted(image, SampleType::f32));
        for (const char* method : {"bspline", "quintic", "omoms", "catmull-rom", "lanczos3"})
            for (const double scale : {2.1, 4.7, 7.9, 8.5, 13.3, 15.9})
                for (const AddressMode mode : all_address_modes) {
                    const RenderRequest view = request(method, scale, {mode, AddressMode::clamp});
                    const Difference difference = between(integers.render_to_image(view), floats.render_to_image(view));
                    EXPECT_LE(difference.error, tolerance::widened) << describe_request(image, view) << difference;
                }
    }
}

TEST_P(Folding, IsFloat64MathematicsOfTheCoefficients) {
    const Image image = noise(300, 260, 3, SampleType::u8, 67);
    SourceImage source(backend_, image);
    for (const char* method : {"bspline", "quintic", "omoms"})
        for (const double scale : {2.5, 6.3})
            for (const AddressPair& address : all_address_pairs()) {
                const RenderRequest view = request(method, scale, address);
                const Image out = source.render_to_image(view);
                const Affine a = sampling_affine(view.view, 300, 260, view.width, view.height);
                const reference::Widened widened(image, view.spec);
                for (int n = 0; n < 12; ++n) {
                    const int i = n * 17 % view.width, j = n * 13 % view.height;
                    const Point p = apply(a, i, j);
                    const reference::Value expected = widened.at({p.x, p.y}, scale, scale);
                    for (int c = 0; c < 3; ++c)
                        ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                            << describe_request(image, view);
                }
            }
}

TEST_P(Folding, NothingIsMadeOfAPictureThatIsFitted) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "a GPU makes levels and coefficients";
    const auto image = std::make_shared<const Image>(noise(1500, 1200, 3, SampleType::u8, 71));
    for (const double scale : {2.5, 6.3, 12.9}) {
        const auto backend = make_cpu_backend();
        SourceImage source(backend, image);
        const RenderRequest view = request("bspline", scale, {});
        EXPECT_EQ(source.unprepared(source.plan(view)), 0) << scale;
        EXPECT_FALSE(source.prepare(source.plan(view))) << scale;
        source.render_to_image(view);
        constexpr size_t output = 53 * 41 * 3 * sizeof(float), tables = 64 << 10;
        EXPECT_LE(backend->memory().most_taken(), output + tables) << scale;
    }
}

// In float64 as well, a few rows of the level at a time.
TEST_P(Folding, AReferenceIsThatOfTheLevel) {
    const Image image = noise(1100, 903, 3, SampleType::u8, 73);
    SourceImage integers(backend_, image), floats(backend_, converted(image, SampleType::f32));
    for (const char* method : {"bspline", "quintic", "lanczos3", "bilinear"})
        for (const double scale : {8.5, 13.3})
            for (const AddressMode mode : {AddressMode::clamp, AddressMode::border, AddressMode::mirror})
                for (const Outside outside : {Outside::extend, Outside::nan}) {
                    RenderRequest view = request(method, scale, {mode, mode});
                    view.view.translate_y = 150;  // beyond the lower edge
                    view.height = 90;
                    view.outside = outside;
                    const auto values = [&](SourceImage& source) {
                        const size_t count = size_t(view.width) * size_t(view.height) * 3;
                        const auto memory = backend_->allocate(count * sizeof(double));
                        source.render_reference(view, static_cast<double*>(memory.get()));
                        std::vector<double> read(count);
                        backend_->read_back(read.data(), memory.get(), count * sizeof(double));
                        return read;
                    };
                    const auto folded = values(integers), of_level = values(floats);
                    // The levels are float32, of integers and of floats summed in another order.
                    constexpr double rounding = 2e-7;
                    double worst = 0;
                    for (size_t i = 0; i < folded.size(); ++i) {
                        ASSERT_EQ(std::isnan(folded[i]), std::isnan(of_level[i])) << describe_request(image, view) << i;
                        if (!std::isnan(folded[i])) worst = std::max(worst, std::abs(folded[i] - of_level[i]));
                    }
                    EXPECT_LE(worst, rounding) << describe_request(image, view);
                }
}

TEST_P(Folding, OfALevelThatAReferenceReadsOnlyAStripIsMade) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "a GPU makes levels";
    const auto image = std::make_shared<const Image>(noise(1500, 3000, 3, SampleType::u8, 79));
    const auto backend = make_cpu_backend();
    SourceImage source(backend, image);
    RenderRequest view = request("quintic", 12.9, {});
    view.height = 230;
    EXPECT_EQ(source.unprepared(source.plan(view), true), 0);
    std::vector<double> values(size_t(view.width) * size_t(view.height) * 3);
    source.render_reference(view, values.data());
    constexpr size_t level = 750 * 1500 * 4 * sizeof(float);
    EXPECT_LE(backend->memory().most_taken(), level / 6);
}

ON_EVERY_BACKEND(Folding);

}  // namespace
}  // namespace texelscope::test
