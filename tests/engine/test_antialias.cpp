// Zooming out: the weight function widens with the scale along each axis of sample space, to remove what the output
// cannot hold. Below scale 8, where it is applied directly, against float64; test_pyramid covers the rest.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"
#include "tests/support/widened_reference.h"

namespace texelscope::test {
namespace {

class Antialias : public OnMethod {
protected:
    // Renders and compares some pixels.
    void check(const Image& image, const RenderRequest& request) {
        const Affine a = positions_of(request, image.width(), image.height());
        const reference::Stretch s = reference::stretch_of(a);
        const reference::Widened widened(image, request.spec);
        const Image out = SourceImage(backend_, image).render_to_image(request);
        for (int n = 0; n < 12; ++n) {
            const int i = n * 7 % request.width, j = n * 5 % request.height;
            const Point p = apply(a, i, j);
            const reference::Value expected = widened.at({p.x, p.y}, s.x, s.y);
            for (int c = 0; c < image.channels(); ++c)
                ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                    << describe_request(image, request) << " stretched by " << s.x << ", " << s.y << " at " << p.x
                    << ", " << p.y;
        }
    }
};

TEST_P(Antialias, IsTheWidenedWeightFunctionInEveryAddressPair) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar.cpp";
    Random random(3);
    for (const AddressPair& address : all_address_pairs())
        for (const bool rotated : {false, true}) {
            const Image image =
                noise(random.integer(1, 40), random.integer(1, 40), random.integer(1, 4), SampleType::f32, 4);
            RenderRequest request = beyond_borders(spec(), 11, 9, 0);
            request.antialias = true;
            request.spec.address = address;
            request.view = {random.between(-9, 9), random.between(-9, 9), random.between(1.01, 7.99),
                            rotated ? random.between(0, 360) : 0.0};
            check(image, request);
        }
}

TEST_P(Antialias, WidensEachAxisByItsOwnStretch) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar.cpp";
    Random random(5);
    const Image image = noise(33, 29, 1, SampleType::u8, 6);
    for (const Affine& positions :
         {Affine{3.137, 0, 1.31, 0, 0.713, 2.17}, Affine{0.513, 0, 1.31, 0, 5.291, 2.17},
          Affine{1.213, 3.771, 0.17, 0.391, -0.613, 9.33}, Affine{-4.117, 0, 30.71, 0, 6.131, -3.37}}) {
        RenderRequest request = request_of(spec(), 9, 8);
        request.antialias = true;
        request.positions = positions;
        check(image, request);
    }
}

TEST_P(Antialias, OfPrefilteredMethodsWidensOverTheCoefficientsOfAnyPrefilter) {
    const Image image = noise(25, 31, 1, SampleType::f32, 7);
    for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::none}, fir(7), fir(15)}) {
        if (!method().has_prefilter()) GTEST_SKIP() << method().id << " has no prefilter";
        RenderRequest request = beyond_borders(spec(), 11, 9, 0);
        request.antialias = true;
        request.spec.prefilter = prefilter;
        request.view = {1.3, -2.2, 2.71, 33};
        check(image, request);
    }
}

// Axis-aligned views use other code than all others: the same picture.
TEST_P(Antialias, IsTheSamePictureWhicheverWayItIsComputed) {
    const Image image = noise(60, 50, 3, SampleType::u8, 8);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec(), 13, 12);
    request.antialias = true;
    request.positions = Affine{4.217, 0, 1.173, 0, 3.391, 2.617};
    const Image straight = source.render_to_image(request);
    request.positions->xy = 1e-13;  // no longer axis-aligned, but unchanged otherwise
    EXPECT_LE(between(straight, source.render_to_image(request)).error, tolerance::exact_path);
}

TEST_P(Antialias, HasNoEffectWhereNothingIsZoomedOut) {
    const Image image = noise(31, 22, 2, SampleType::u8, 9);
    SourceImage source(backend_, image);
    for (const double scale : {1.0, 0.999, 0.5, 0.013})
        for (int degrees = 0; degrees < 360; degrees += 7) {
            RenderRequest request = beyond_borders(spec(), 17, 14, 0);
            request.view = {0.31, 0.27, scale, double(degrees)};
            const Image plain = source.render_to_image(request);
            request.antialias = true;
            ASSERT_EQ(between(plain, source.render_to_image(request)).error, 0) << describe_request(image, request);
        }
}

ON_EVERY_BACKEND_AND_METHOD(Antialias, auto_path());

class AntialiasPaths : public OnMethod {};

// The widened weights come from a table, whatever the fetch path: there is one picture.
TEST_P(AntialiasPaths, ShowOnePictureZoomedOutAndTheirOwnElsewhere) {
    const Image image = noise(31, 22, 1, SampleType::u8, 10);
    SourceImage source(backend_, image);
    RenderRequest request = beyond_borders(spec(), 17, 14, 0);
    request.antialias = true;
    request.view = {0.31, 0.27, 2.3, 20};
    RenderRequest automatic = request;
    automatic.spec.path = FetchPath::automatic;
    EXPECT_EQ(between(source.render_to_image(request), source.render_to_image(automatic)).error, 0);
    request.view = {0.31, 0.27, 1, 20};
    RenderRequest plain = request;
    plain.antialias = false;
    EXPECT_EQ(between(source.render_to_image(request), source.render_to_image(plain)).error, 0);
}

ON_EVERY_BACKEND_AND_METHOD(AntialiasPaths, every_path());

}  // namespace
}  // namespace texelscope::test
