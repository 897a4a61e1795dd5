// Where methods differ most, found from the samples alone, against renderings.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/files/reading/image_files.h"
#include "app/picture/comparison.h"
#include "gpu/backend/source_image.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr int patch = 48;

// Grey, with a patch of noise.
Image with_patch(int x0, int y0, int channels = 1, SampleType type = SampleType::u8) {
    Image image(512, 384, channels, type);
    const Image noisy = noise(patch, patch, channels, SampleType::f32, 3);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                const bool in = x >= x0 && x < x0 + patch && y >= y0 && y < y0 + patch;
                set_value(image, x, y, c, in ? double(noisy.value(x - x0, y - y0, c)) : 0.5);
            }
    return image;
}

SampleRegion all_of(const Image& image) { return {0, 0, image.width(), image.height()}; }

TEST(PlaceOfDifference, IsWhereTheDetailIs) {
    for (const auto& [x, y] : {std::pair{20, 30}, {300, 100}, {440, 320}})
        for (const auto& [channels, type] :
             {std::pair{1, SampleType::u8}, {3, SampleType::u16}, {1, SampleType::f32}}) {
            const Image image = with_patch(x, y, channels, type);
            const auto place = place_of_difference(image, all_of(image));
            ASSERT_TRUE(place);
            EXPECT_NEAR(place->x, x + patch / 2.0, 32);
            EXPECT_NEAR(place->y, y + patch / 2.0, 32);
        }
}

TEST(PlaceOfDifference, IsInThePartThatIsLookedAt) {
    const Image image = with_patch(300, 100);
    EXPECT_FALSE(place_of_difference(image, {0, 0, 200, 384})) << "all of it is grey";
    const auto place = place_of_difference(image, {310, 110, 30, 30});
    ASSERT_TRUE(place);
    EXPECT_GE(place->x, 310);
    EXPECT_LT(place->x, 340);
    EXPECT_GE(place->y, 110);
    EXPECT_LT(place->y, 140);
    EXPECT_FALSE(place_of_difference(Image(64, 64, 1, SampleType::u8), {0, 0, 64, 64}));
}

// A view that shows nothing beyond the edges has its middle further inside.
TEST(PlaceOfDifference, CanBeKeptFromTheEdges) {
    const Region places{119.5, 79.5, 391.5, 303.5};
    for (const auto& [x, y] : {std::pair{0, 0}, {464, 336}, {300, 150}}) {
        const Image image = with_patch(x, y);
        const auto place = place_of_difference(image, all_of(image), places);
        const bool inside = x == 300;
        if (!inside) {
            EXPECT_FALSE(place) << "there is no detail where it may lie";
            continue;
        }
        ASSERT_TRUE(place);
        EXPECT_NEAR(place->x, x + patch / 2.0, 32);
        EXPECT_NEAR(place->y, y + patch / 2.0, 32);
    }
    const Image near = with_patch(60, 100);  // reaches to 108: the places begin just beyond it
    const auto place = place_of_difference(near, all_of(near), places);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->x, places.x0);
    EXPECT_NEAR(place->y, 124, 48);
}

TEST(PlaceOfDifference, PassesOverWhatIsNotFinite) {
    Image image = with_patch(300, 100, 1, SampleType::f32);
    for (int y = 200; y < 300; ++y)
        for (int x = 10; x < 110; ++x)
            image.row_as<float>(y)[x] =
                x % 2 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    const auto place = place_of_difference(image, all_of(image));
    ASSERT_TRUE(place);
    EXPECT_NEAR(place->x, 324, 32);
    EXPECT_NEAR(place->y, 124, 32);
}

// The root of the mean squared difference of two methods at 400 %, over what a small pane shows.
double difference_at(SourceImage& source, const Image& image, double x, double y) {
    const auto rendered = [&](const char* spec) {
        RenderRequest request = request_of(parse_spec(spec), 256, 256);
        request.view = {x - (image.width() - 1) / 2.0, y - (image.height() - 1) / 2.0, 0.25, 0};
        return source.render_to_image(request);
    };
    const Image a = rendered("bilinear"), b = rendered("bspline");
    double sum = 0;
    for (int j = 0; j < a.height(); ++j)
        for (int i = 0; i < a.width(); ++i)
            for (int c = 0; c < a.channels(); ++c) {
                const double d = double(a.value(i, j, c)) - double(b.value(i, j, c));
                sum += d * d;
            }
    return std::sqrt(sum / (double(a.width()) * a.height() * a.channels()));
}

TEST(PlaceOfDifference, IsOneWhereMethodsDiffer) {
    for (const char* name : {"@natural:384", "@dead-leaves:384", "@basilica:384"}) {
        const Image image = load_image(name);
        SourceImage source(make_cpu_backend(), image);
        const auto place = place_of_difference(image, all_of(image));
        ASSERT_TRUE(place) << name;
        std::vector<double> others;
        for (double y = 48; y < 384; y += 48)
            for (double x = 48; x < 384; x += 48) others.push_back(difference_at(source, image, x, y));
        std::sort(others.begin(), others.end());
        EXPECT_GT(difference_at(source, image, place->x, place->y), others[others.size() / 2])
            << name << ": more than at most other places";
    }
}

}  // namespace
}  // namespace texelscope::test
