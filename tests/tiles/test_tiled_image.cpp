// Rendering through regions: what the whole image, resident, gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <gmock/gmock.h>

#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/method/polar_method.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The largest difference; NaN must be in the same places.
double difference(const Image& a, const Image& b, int& x, int& y) {
    double largest = 0;
    for (int j = 0; j < a.height(); ++j)
        for (int i = 0; i < a.width(); ++i)
            for (int c = 0; c < a.channels(); ++c) {
                const double u = a.value(i, j, c), v = b.value(i, j, c);
                const double d = std::isnan(u) && std::isnan(v) ? 0 : std::abs(u - v);
                if (d <= largest) continue;  // NaN: not
                largest = std::isnan(d) ? INFINITY : d;
                x = i, y = j;
            }
    return largest;
}

double tolerance_of(const RenderRequest& request, const Image& image, Light light) {
    if (request.derivative != Derivative::none) return tolerance::derivative * exact_tolerance(request.spec) / 2e-6;
    if (request.spec.effective_path() == FetchPath::hardware)  // two coordinates in float32
        return std::max(2 * hardware_bound(image, request.spec) * (light == Light::linear ? 12.92 : 1),
                        tolerance::widened);
    const double exact = exact_tolerance(request.spec);
    double most = request.antialias ? std::max(exact, tolerance::widened) : exact;
    if (request.spec.effective_prefilter().half_float) most = std::max(most, 3 * tolerance::half_binary_noise);
    return light == Light::linear ? 12.92 * most : most;
}

class Regions : public OnMethod {
protected:
    void expect_same(const std::shared_ptr<const Image>& image, const RenderRequest& request, int tile, size_t memory,
                     Light light = Light::stored) {
        SourceImage resident(backend_, image, light);
        TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, tile), {memory, light});
        const Image expected = resident.render_to_image(request), got = tiled.render_to_image(request);
        ASSERT_EQ(got.channels(), expected.channels());
        ASSERT_EQ(got.alpha(), expected.alpha());
        int x = 0, y = 0;
        const double error = difference(got, expected, x, y);
        ASSERT_LE(error, tolerance_of(request, *image, light))
            << describe_request(*image, request) << " tiles of " << tile << " at " << x << ", " << y << ": "
            << got.value(x, y, 0) << " for " << expected.value(x, y, 0);
    }

    MethodSpec random_spec(Random& random) const {
        MethodSpec spec = this->spec();
        spec.address = random.pick(all_address_pairs());
        if (spec.address.has_border() && random.chance(0.5)) spec.address.border = {{0.7f, 0.2f, 0.4f}, 3};
        spec.prefilter = random.pick(all_prefilters(method()));
        return spec;
    }
};

constexpr std::array tile_sides = {16, 37, 64, 100, 256, 512};

// Affine views of any kind, near and far, at borders and across seams.
TEST_P(Regions, AnyViewIsThatOfTheResidentImage) {
    Random random(20 + uint64_t(method().rank));
    for (int k = 0; k < (path() == FetchPath::hardware ? 3 : 24); ++k) {  // its bound takes long
        const int width = random.integer(2, 420), height = random.integer(2, 340), channels = random.integer(1, 4);
        const Alpha alpha = channels % 2 == 0 && random.chance(0.4) ? Alpha::straight : Alpha::none;
        const SampleType type =
            random.pick(std::array{SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32});
        const auto image =
            std::make_shared<const Image>(noise(width, height, channels, type, 300 + uint64_t(k), alpha));
        RenderRequest request = request_of(random_spec(random), random.integer(1, 130), random.integer(1, 90));
        request.view = random_view(random, width, height);
        request.outside = random.pick(std::array{Outside::extend, Outside::extend, Outside::background, Outside::nan});
        request.antialias = random.chance(0.5);
        request.simple = random.chance(0.1);
        expect_same(image, request, random.pick(tile_sides), least_tiled_memory,
                    random.chance(0.2) ? Light::linear : Light::stored);
        if (HasFatalFailure()) return;
    }
}

// The picture's corners, seen so closely that regions are small, in all pairs of address modes.
TEST_P(Regions, CornersAreThoseOfTheResidentImageInAllPairsOfAddressModes) {
    const auto image = std::make_shared<const Image>(noise(211, 173, 1, SampleType::u8, 9));
    int k = 0;
    for (const AddressPair& address : all_address_pairs())
        for (const auto& [x, y] : {std::pair(-0.5, -0.5), std::pair(210.5, 172.5)}) {
            if (path() == FetchPath::hardware && k++ % 9 != 0) continue;
            RenderRequest request = request_of(spec(), 61, 47);
            request.spec.address = address;
            request.positions = Affine{0.37, 0.11 * (k % 3), x - 12.3, -0.09 * (k % 3), 0.41, y - 10.1};
            expect_same(image, request, tile_sides[size_t(k++ % 6)], least_tiled_memory);
            if (HasFatalFailure()) return;
        }
}

// Seams far away from the origin, where a region's own samples are counted from somewhere else.
TEST_P(Regions, SeamsFarAwayAreThoseOfTheResidentImage) {
    const auto image = std::make_shared<const Image>(noise(190, 150, 2, SampleType::u8, 10));
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
        for (const double away : {190.0 * 150 * 378, -190.0 * 150 * 378 * 64}) {
            RenderRequest request = request_of(spec(), 40, 30);
            request.spec.address = {mode, mode};
            request.positions = Affine{0.5, 0, away - 9.75, 0, 0.5, away - 8.25};
            if (method().smoothness < 0) request.positions->x0 += 0.1, request.positions->y0 += 0.1;
            SourceImage resident(backend_, image);
            TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 64), {least_tiled_memory});
            int x = 0, y = 0;
            // The hardware path's float32 coordinates are exact in a region, but not so far away.
            if (spec().effective_path() == FetchPath::hardware) {
                request.positions->x0 -= away, request.positions->y0 -= away;
                const double near = difference(tiled.render_to_image(request), resident.render_to_image(request), x, y);
                ASSERT_LE(near, tolerance_of(request, *image, Light::stored));
                continue;
            }
            const double error = difference(tiled.render_to_image(request), resident.render_to_image(request), x, y);
            ASSERT_LE(error, exact_tolerance(request.spec)) << name_of(mode) << " " << x << ", " << y;
        }
}

TEST_P(Regions, WarpsAreThoseOfTheResidentImage) {
    Random random(60 + uint64_t(method().rank));
    for (const Warp& warp : {Warp{Warp::Kind::swirl, 200}, Warp{Warp::Kind::barrel, 0.4}, Warp{Warp::Kind::ripple, 5}})
        for (const bool antialias : {false, true}) {
            const auto image = std::make_shared<const Image>(noise(317, 289, 1, SampleType::u8, 11));
            RenderRequest request = request_of(random_spec(random), 90, 70);
            request.view.scale = antialias ? random.between(2, 20) : random.between(0.1, 2);
            request.view.rotate = random.between(0, 360);
            request.view.translate_x = random.between(-150, 150);
            request.warp = warp;
            request.antialias = antialias;
            request.outside = random.pick(std::array{Outside::extend, Outside::background, Outside::nan});
            expect_same(image, request, random.pick(tile_sides), least_tiled_memory);
            if (HasFatalFailure()) return;
        }
}

TEST_P(Regions, DerivativesAreThoseOfTheResidentImage) {
    if (!method().slope || is_polar(method())) GTEST_SKIP() << "no derivative";
    Random random(80 + uint64_t(method().rank));
    const auto image = std::make_shared<const Image>(noise(300, 280, 3, SampleType::u16, 12));
    for (const Derivative derivative : {Derivative::x, Derivative::y}) {
        RenderRequest request = request_of(random_spec(random), 80, 60);
        request.spec.prefilter = {};
        request.positions = Affine{0.8, 0.2, 100.3, -0.3, 0.9, -20.7};
        request.derivative = derivative;
        expect_same(image, request, 64, least_tiled_memory);
    }
}

ON_EVERY_BACKEND_AND_KIND(Regions, auto_and_every_path());

class TiledImages : public OnBackend {
protected:
    static std::shared_ptr<const Image> picture(int width, int height) {
        return std::make_shared<const Image>(noise(width, height, 3, SampleType::u8, 13));
    }
};

// Outputs of several blocks, whose borders must not be seen, and regions that are cut smaller than blocks.
TEST_P(TiledImages, BlocksAndSmallRegionsLeaveNoSeams) {
    const auto image = picture(1500, 1300);
    SourceImage resident(backend_, image);
    TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 100), {least_tiled_memory});
    const auto check = [&](const char* spec, double scale, double rotate) {
        RenderRequest request = request_of(spec_of(spec), 1100, 600);
        request.view = {3.25, -7.5, scale, rotate};
        request.antialias = scale > 2;
        int x = 0, y = 0;
        const double error = difference(tiled.render_to_image(request), resident.render_to_image(request), x, y);
        ASSERT_LE(error, tolerance::widened) << spec << " " << scale << " " << rotate << " " << x << ", " << y;
    };
    for_share(2, 0, check,
              std::vector{"bspline", "catmull-rom:address=wrap", "lanczos3:address=mirror/border", "ewa-lanczos"},
              std::vector{1.3, 2.3}, std::vector{0.0, 33.0});
}

TEST_P(TiledImages, APictureForTheScreenIsThatOfTheResidentImage) {
    const auto image = std::make_shared<const Image>(noise(600, 500, 4, SampleType::u8, 14, Alpha::straight));
    SourceImage resident(backend_, image);
    TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 64), {least_tiled_memory});
    RenderRequest request = request_of(spec_of("bspline"), 700, 300);
    request.view.scale = 0.9;
    request.outside = Outside::background;
    const Image a = tiled.render_to_rgba8(request), b = resident.render_to_rgba8(request);
    size_t different = 0;
    for (size_t k = 0; k < a.size_bytes(); ++k) {
        const int d = std::abs(int(a.data()[k]) - int(b.data()[k]));
        ASSERT_LE(d, 1);
        different += d != 0;
    }
    EXPECT_LE(double(different), tolerance::cuda_against_cpu_8bit_share * double(a.size_bytes()));
}

// The levels of the pyramid, down to those of a single sample, which a filter wider than any table reads.
TEST_P(TiledImages, ZoomedFarOutIsTheResidentImage) {
    const auto image = picture(700, 500);
    SourceImage resident(backend_, image);
    TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 64), {least_tiled_memory});
    for (const char* spec : {"bspline", "lanczos3:address=wrap", "bilinear:address=border",
                             "catmull-rom:address=reflect101", "quintic:address=mirror/clamp"})
        for (const double scale : {7.9, 8.1, 40.0, 700.0, 20000.0})
            for (const double rotate : {0.0, 20.0}) {
                RenderRequest request = request_of(spec_of(spec), 60, 40);
                request.view = {0.3, -0.2, scale, rotate};
                request.antialias = true;
                int x = 0, y = 0;
                const double error =
                    difference(tiled.render_to_image(request), resident.render_to_image(request), x, y);
                ASSERT_LE(error, tolerance::widened) << spec << " " << scale << " " << rotate << " " << x << ", " << y;
            }
}

// A value beyond a border, at all levels and for the screen.
TEST_P(TiledImages, TheValueBeyondABorderIsThatOfTheResidentImage) {
    const auto image = std::make_shared<const Image>(noise(500, 400, 4, SampleType::u8, 15, Alpha::straight));
    for (const char* spec :
         {"bspline:address=border,border=0.8:0.1:0.4:0.9", "lanczos3:address=mirror/border,border=0.3"})
        for (const double scale : {0.4, 3.0, 20.0, 30000.0}) {
            for (const Light light : {Light::stored, Light::linear}) {
                RenderRequest request = request_of(spec_of(spec), 70, 50);
                request.view = {-230, -190, scale, 0};
                request.antialias = true;
                SourceImage resident(backend_, image, light);
                TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 64), {least_tiled_memory, light});
                int x = 0, y = 0;
                const double error =
                    difference(tiled.render_to_image(request), resident.render_to_image(request), x, y);
                ASSERT_LE(error, light == Light::linear ? 12.92 * tolerance::widened : tolerance::widened)
                    << spec << " " << scale << " at " << x << ", " << y;
                const Image a = tiled.render_to_rgba8(request), b = resident.render_to_rgba8(request);
                for (size_t k = 0; k < a.size_bytes(); ++k)
                    ASSERT_LE(std::abs(int(a.data()[k]) - int(b.data()[k])), 1) << spec << " " << scale;
            }
        }
}

TEST_P(TiledImages, RowsComeFromTheTopAndProgressRises) {
    TiledImage tiled(backend_, std::make_shared<ImageTiles>(picture(400, 300), 64));
    int next = 0;
    double last = 0;
    const RenderRequest request = resize_request(tiled.info(), spec_of("bilinear"), 900, 1200);
    tiled.render(request, RenderTarget::Format::floats,
                 [&](const Image& rows, int first) {
                     EXPECT_EQ(first, next);
                     EXPECT_EQ(rows.width(), 900);
                     next = first + rows.height();
                 },
                 {.progress =
                      [&](double fraction) {
                          EXPECT_GT(fraction, last);
                          last = fraction;
                      },
                  .stop = {}});
    EXPECT_EQ(next, 1200);
    EXPECT_EQ(last, 1);
}

TEST_P(TiledImages, EndWhenTheyAreStoppedAndGoOnAfterwards) {
    TiledImage tiled(backend_, std::make_shared<ImageTiles>(picture(400, 300), 64));
    const RenderRequest request = resize_request(tiled.info(), spec_of("bilinear"), 900, 1200);
    std::stop_source stop;
    int calls = 0;
    const auto count_and_stop = [&](const Image&, int) {
        ++calls;
        stop.request_stop();
    };
    EXPECT_THROW(tiled.render(request, RenderTarget::Format::floats, count_and_stop, {{}, stop.get_token()}),
                 Cancelled);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(tiled.render_to_image(request).height(), 1200);
}

class BrokenTiles final : public TileSource {
public:
    explicit BrokenTiles(std::shared_ptr<const Image> image) : whole_(std::move(image), 64) {}
    const ImageInfo& info() const override { return whole_.info(); }
    int tile() const override { return 64; }
    Extent level_extent(int level) const override { return whole_.level_extent(level); }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        if (region.x == 256 && region.y == 128) throw FileError("scan.tif", "a strip ends early");
        whole_.read(level, region, to, row_bytes);
    }

private:
    ImageTiles whole_;
};

TEST_P(TiledImages, NameATileThatCannotBeRead) {
    TiledImage tiled(backend_, std::make_shared<BrokenTiles>(picture(600, 500)));
    RenderRequest request = request_of(spec_of("bspline"), 100, 80);
    request.positions = Affine{1, 0, 240, 0, 1, 120};
    try {
        tiled.render_to_image(request);
        FAIL() << "a damaged tile was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("(256, 128)"));
        EXPECT_THAT(error.what(), testing::HasSubstr("scan.tif"));
    }
    request.positions = Affine{1, 0, 40, 0, 1, 20};  // not there
    EXPECT_EQ(tiled.render_to_image(request).width(), 100);
}

TEST_P(TiledImages, RefuseWhatCannotBeRendered) {
    const auto source = std::make_shared<ImageTiles>(picture(60, 50), 64);
    EXPECT_THROW(TiledImage(nullptr, source), Error);
    EXPECT_THROW(TiledImage(backend_, nullptr), Error);
    EXPECT_THROW(TiledImage(backend_, source, {.memory = 1000}), Error);
    TiledImage tiled(backend_, source);
    EXPECT_THROW(tiled.plan({}), Error);
    EXPECT_THROW(tiled.render_to_image(request_of(spec_of("bilinear"), 0, 5)), Error);
    RenderRequest request = request_of(spec_of("bilinear"), 5, 5);
    request.view.scale = -1;
    EXPECT_THROW(tiled.render_to_image(request), Error);
}

ON_EVERY_BACKEND(TiledImages);

}  // namespace
}  // namespace texelscope::test
