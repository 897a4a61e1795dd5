// Nearest where positions are exactly halfway between two samples: pixel k of N reads sample floor((2k + 1)·n / 2N) of
// n, in whole numbers, along both axes, on every path and by every kernel.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// The value of each sample is its place, which is exact in float up to 2²⁴.
Image numbered(int width, int height) {
    Image image(width, height, 1, SampleType::f32);
    std::iota(image.row_as<float>(0), image.row_as<float>(0) + size_t(width) * size_t(height), 0.0f);
    return image;
}

long long floor_of(long long numerator, long long denominator) {
    return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
}

class Ties : public OnBackend {
protected:
    struct Path {
        FetchPath path;
        bool simple;
    };
    static constexpr Path paths[] = {{FetchPath::automatic, false},
                                     {FetchPath::automatic, true},
                                     {FetchPath::global, false},
                                     {FetchPath::lookup, false},
                                     {FetchPath::hardware, false}};

    static MethodSpec nearest(FetchPath path, AddressMode mode = AddressMode::clamp) {
        MethodSpec spec = spec_of("nearest");
        spec.path = path;
        spec.address = {mode, mode};
        return spec;
    }

    // The number of pixels that read another sample than column(i), row(j) of an image that is `width` samples wide.
    template <class Column, class Row>
    static int wrong_pixels(const Image& picture, int width, Column column, Row row) {
        int wrong = 0;
        for (int j = 0; j < picture.height(); ++j)
            for (int i = 0; i < picture.width(); ++i)
                wrong += picture.row_as<float>(j)[i] != float(row(j) * width + column(i));
        return wrong;
    }

    void expect_exact(SourceImage& source, int width, int height, const Path& path) {
        const int n = source.samples().width(), m = source.samples().height();
        RenderRequest request =
            resize_request(source.samples(), nearest(path.path), width, height, Align::centers, false);
        request.simple = path.simple;
        const int wrong = wrong_pixels(
            source.render_to_image(request), n, [&](int i) { return (2LL * i + 1) * n / (2LL * width); },
            [&](int j) { return (2LL * j + 1) * m / (2LL * height); });
        ASSERT_EQ(wrong, 0) << n << "×" << m << " to " << width << "×" << height << ", " << name_of(path.path)
                            << (path.simple ? ", each pixel separately" : "");
    }
};

// The other axis has other sizes, so that each axis is computed by itself.
TEST_P(Ties, OfAllPairsOfSizesUpTo64) {
    for (int n = 1; n <= 64; ++n) {
        SourceImage source(backend_, numbered(n, 65 - n));
        for (int size = 1; size <= 64; ++size) {
            // Every pair takes the default path, and one of the others.
            for (const Path& path : {paths[0], paths[1 + (n + size) % 4]}) expect_exact(source, size, 65 - size, path);
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Ties, OfLargeSizes) {
    Random random(1918);
    for (int k = 0; k < 12; ++k) {
        const int n = random.integer(65, 100000);
        // Fractions of few parts have many ties; any other size has few.
        const int size = k % 2 == 0 ? random.integer(65, 100000) : std::max(1, n / 4 * random.integer(1, 9) / 3);
        for (const bool along_x : {true, false}) {
            if (!along_x && std::max(n, size) > 60000) continue;  // textures are no higher
            SourceImage source(backend_, along_x ? numbered(n, 2) : numbered(2, n));
            for (const Path& path : paths) {
                expect_exact(source, along_x ? size : 2, along_x ? 2 : size, path);
                if (HasFatalFailure()) return;
            }
        }
    }
}

// Textures take coordinates in [0, 1) for modes that repeat.
TEST_P(Ties, InEveryAddressMode) {
    const int n = 640, width = 480;
    SourceImage source(backend_, numbered(n, 3));
    for (const AddressMode mode : all_address_modes)
        for (const Path& path : paths) {
            RenderRequest request = resize_request(source.samples(), nearest(path.path, mode), width, 3);
            request.antialias = false;
            request.simple = path.simple;
            const int wrong = wrong_pixels(
                source.render_to_image(request), n, [](int i) { return (2 * i + 1) * 2 / 3; }, [](int j) { return j; });
            ASSERT_EQ(wrong, 0) << name_of(mode) << ", " << name_of(path.path);
        }
}

// p = (w − 1)/2 + T + (a/b)·(k − (W − 1)/2), over the denominator 16·b; T in eighths. Half a turn goes backwards, and
// still takes the right or lower one of two samples.
TEST_P(Ties, OfViewsWhoseScaleIsAFraction) {
    Random random(1919);
    for (int k = 0; k < 80; ++k) {
        const int w = random.integer(1, 300), h = random.integer(1, 40);
        const int width = random.integer(1, 300), height = random.integer(1, 40);
        const long long a = random.integer(1, 40), b = random.integer(1, 40);
        const int tx = random.integer(-40, 40), ty = random.integer(-40, 40);
        const bool half_turn = random.chance(0.3);
        SourceImage source(backend_, numbered(w, h));
        const auto sample = [&](int samples, int pixels, int eighths, int pixel) {
            const long long from_centre = (half_turn ? -1 : 1) * (2LL * pixel - (pixels - 1));
            const long long p = 8 * b * (samples - 1) + 2 * b * eighths + 8 * a * from_centre;
            return std::clamp(floor_of(p + 8 * b, 16 * b), 0LL, samples - 1LL);
        };
        for (const Path& path : paths) {
            RenderRequest request = request_of(nearest(path.path), width, height);
            request.view = {tx / 8.0, ty / 8.0, double(a) / double(b), half_turn ? 180.0 : 0.0};
            request.simple = path.simple;
            const int wrong = wrong_pixels(
                source.render_to_image(request), w, [&](int i) { return sample(w, width, tx, i); },
                [&](int j) { return sample(h, height, ty, j); });
            ASSERT_EQ(wrong, 0) << w << "×" << h << " at " << width << "×" << height << ", scale " << a << "/" << b
                                << ", translated by " << tx << "/8, " << ty << "/8, " << name_of(path.path)
                                << (half_turn ? ", half a turn" : "");
        }
    }
}

ON_EVERY_BACKEND(Ties);

}  // namespace
}  // namespace texelscope::test
