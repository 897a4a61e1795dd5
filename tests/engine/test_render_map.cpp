// Maps of coordinates, antialiased: each pixel is widened as far as a view that zooms out as far is.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Maps : public OnMethod {
protected:
    static constexpr int width = 23, height = 17;

    template <class Position> Image mapped(SourceImage& source, Position position, const MethodSpec& spec) const {
        std::vector<double> points;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const Point p = position(i, j);
                points.insert(points.end(), {p.x, p.y});
            }
        SampleRequest request;
        request.spec = spec;
        return source.render_map(request, PointsView::pairs(points.data(), points.size() / 2), width, height);
    }
};

// Both pictures are made on the same level, with the same stretch.
TEST_P(Maps, ThatAreViewsGiveTheirPictures) {
    SourceImage source(backend_, noise(520, 430, 2, SampleType::f32, 6));
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::mirror, AddressMode::reflect101})
        for (const Affine& a : {Affine{2.231, 0, 31.2, 0, 2.231, 42.7}, Affine{9.7, 0, 31.2, 0, 9.7, 42.7},
                                Affine{20, 0, 31.2, 0, 20, 42.7}, Affine{19, -5, 50.2, 6, 20, -12.7},
                                Affine{20, 0, 31.2, 0, 1.5, 200.7}, Affine{1, 0, 31.2, 0, 45, -13.7}}) {
            RenderRequest request = request_of(spec(), width, height);
            request.spec.address = {mode, mode};
            request.positions = a;
            request.antialias = true;
            const Image viewed = source.render_to_image(request),
                        by_map = mapped(
                            source, [&](int i, int j) { return apply(a, i, j); }, request.spec);
            EXPECT_LE(between(by_map, viewed).error, 2 * tolerance::widened)
                << name_of(mode) << ", steps " << a.xx << ", " << a.yy;
        }
}

// The left points are close together, the others far apart: each pixel is as in a map that is all like its part.
TEST_P(Maps, ReadForEachPixelTheLevelThatItNeeds) {
    SourceImage source(backend_, noise(520, 430, 1, SampleType::f32, 7));
    const int middle = 11;
    const auto near = [](int i, int j) { return Point{200 + 1.5 * (i - middle), 40 + 1.5 * j}; };
    const auto far = [](int i, int j) { return Point{200 + 24.0 * (i - middle), 40 + 1.5 * j}; };
    const auto both = [&](int i, int j) { return i < middle ? near(i, j) : far(i, j); };
    const Image mixed = mapped(source, both, spec()), close = mapped(source, near, spec()),
                apart = mapped(source, far, spec());
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            if (std::abs(i - middle) <= 1) continue;  // pixels between the two parts
            ASSERT_EQ(mixed.value(i, j, 0), (i < middle ? close : apart).value(i, j, 0)) << i << ", " << j;
        }
}

// Points that are far apart on one side only, where a map begins anew, are no reason to read the smallest level.
TEST_P(Maps, DoNotTakeASeamForAStretch) {
    SourceImage source(backend_, noise(520, 430, 1, SampleType::f32, 8));
    const auto cut = [](int i, int j) { return Point{i < 11 ? 20 + 1.5 * i : 480 - 1.5 * i, 40 + 1.5 * j}; };
    const auto deviation = [](const Image& picture, int column) {
        double sum = 0;
        for (int j = 0; j < height; ++j) sum += std::pow(picture.value(column, j, 0) - 0.5, 2);
        return std::sqrt(sum / height);
    };
    const Image picture = mapped(source, cut, spec());
    EXPECT_GT(deviation(picture, 11), 0.5 * deviation(picture, 16));  // the first one behind the seam
}

TEST_P(Maps, OfPointsThatAreNoNumbersAreHarmless) {
    SourceImage source(backend_, noise(52, 43, 1, SampleType::f32, 9));
    const double odd[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, 12};
    const Image picture = mapped(
        source,
        [&](int i, int j) {
            return Point{odd[i % 5], odd[j % 5]};
        },
        spec());
    EXPECT_TRUE(std::isnan(picture.value(0, 0, 0)));
    EXPECT_TRUE(std::isfinite(picture.value(4, 4, 0)));
}

ON_EVERY_BACKEND_AND_METHOD(Maps, auto_path());

}  // namespace
}  // namespace texelscope::test
