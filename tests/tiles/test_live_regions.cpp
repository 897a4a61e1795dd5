// Live views of images that are not in memory: what the whole image, resident, gives, once everything has come.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>

#include <gmock/gmock.h>

#include "gpu/core/timing.h"
#include "tests/support/backends.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"
#include "tests/tiles/live_views.h"

namespace texelscope::test {
namespace {

Image image_for(const SourceImage& source, const RenderRequest& request, RenderTarget::Format format) {
    if (format == RenderTarget::Format::rgba8)
        return Image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    return Image(request.width, request.height, source.samples().channels(), SampleType::f32, source.samples().alpha());
}

// What is there now; `right`: whether it is said to be the right picture.
Image picture_now(SourceImage& source, const RenderRequest& request, RenderTarget::Format format, bool& right) {
    Image image = image_for(source, request, format);
    const auto memory = source.backend().allocate(image.size_bytes());
    right = source.render(request, {memory.get(), image.row_bytes(), format, no_timer}, ToCome::stand_in);
    source.backend().read_back(image.data(), memory.get(), image.size_bytes());
    return image;
}

Image final_picture(SourceImage& source, const RenderRequest& request,
                    RenderTarget::Format format = RenderTarget::Format::floats) {
    const StopWatch watch;
    for (;;) {
        bool right = false;
        Image image = picture_now(source, request, format, right);
        if (right) return image;
        if (watch.ms() > patience_ms) {
            ADD_FAILURE() << "the picture never became the right one";
            return image;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

double largest_difference(const Image& a, const Image& b) {
    double largest = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c) {
                const double u = a.value(x, y, c), v = b.value(x, y, c);
                if (std::isnan(u) && std::isnan(v)) continue;
                const double d = std::abs(u - v);
                largest = std::max(largest, std::isnan(d) ? INFINITY : d);
            }
    return largest;
}

TEST_P(LiveViews, BecomeThoseOfTheResidentImage) {
    Random random(91);
    constexpr std::array specs = {"nearest",  "bilinear", "bspline",    "catmull-rom",
                                  "lanczos3", "quintic",  "ewa-lanczos"};
    for (int k = 0; k < 40; ++k) {
        const int width = random.integer(300, 1500), height = random.integer(300, 1300),
                  channels = random.integer(1, 4);
        const Alpha alpha = channels % 2 == 0 && random.chance(0.4) ? Alpha::straight : Alpha::none;
        const SampleType type =
            random.pick(std::array{SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32});
        const auto image =
            std::make_shared<const Image>(noise(width, height, channels, type, 500 + uint64_t(k), alpha));
        const Light light = random.chance(0.2) ? Light::linear : Light::stored;
        const int tile = random.pick(std::array{16, 37, 64, 100, 256, 512});
        SourceImage resident(backend_, image, light);
        SourceImage source = live(std::make_shared<ImageTiles>(image, tile), {least_live_memory, light});
        RenderRequest request = request_of(spec_of(random.pick(specs)), random.integer(1, 130), random.integer(1, 90));
        request.spec.address = random.pick(all_address_pairs());
        if (request.spec.address.has_border() && random.chance(0.5))
            request.spec.address.border = {{0.7f, 0.2f, 0.4f}, 3};
        request.spec.prefilter = random.pick(all_prefilters(*request.spec.method));
        request.view = random_view(random, width, height);
        request.outside = random.pick(std::array{Outside::extend, Outside::background, Outside::nan});
        request.antialias = random.chance(0.6);
        if (random.chance(0.15)) request.warp = {Warp::Kind::swirl, 200};
        double allowed = std::max(exact_tolerance(request.spec), tolerance::widened);
        if (request.spec.effective_prefilter().half_float)
            allowed = std::max(allowed, 3 * tolerance::half_binary_noise);
        if (light == Light::linear) allowed *= 12.92;
        for (int step = 0; step < 3; ++step) {  // a pan, so that regions are used again
            const double error = largest_difference(final_picture(source, request), resident.render_to_image(request));
            ASSERT_LE(error, allowed) << describe_request(*image, request) << " tiles of " << tile << " step " << step;
            request.view.translate_x += 3.3 * request.view.scale;
            regions_->next_turn();
        }
    }
}

// At the image's corners and across seams, seen closely.
TEST_P(LiveViews, AreRightAtBordersInAllPairsOfAddressModes) {
    const auto image = picture(701, 603, 1);
    SourceImage resident(backend_, image), source = live(std::make_shared<ImageTiles>(image, 64));
    for (const AddressPair& address : all_address_pairs())
        for (const auto& [x, y] : {std::pair(-0.5, -0.5), std::pair(700.5, 602.5)}) {
            RenderRequest request = request_of(spec_of("bspline"), 61, 47);
            request.spec.address = address;
            request.positions = Affine{0.37, 0.11, x - 12.3, -0.09, 0.41, y - 10.1};
            const double error = largest_difference(final_picture(source, request), resident.render_to_image(request));
            ASSERT_LE(error, exact_tolerance(request.spec)) << describe_request(*image, request);
            regions_->next_turn();
        }
}

TEST_P(LiveViews, OnTheScreenDifferByALevelInHardlyAnyValue) {
    const auto image = std::make_shared<const Image>(noise(900, 800, 4, SampleType::u8, 14, Alpha::straight));
    SourceImage resident(backend_, image), source = live(std::make_shared<ImageTiles>(image, 64));
    for (const double scale : {0.4, 1.0, 3.0, 9.0}) {
        RenderRequest request = request_of(spec_of("bspline"), 500, 300);
        request.view.scale = scale;
        request.antialias = true;
        request.outside = Outside::background;
        const Image a = final_picture(source, request, RenderTarget::Format::rgba8),
                    b = resident.render_to_rgba8(request);
        size_t different = 0;
        for (size_t k = 0; k < a.size_bytes(); ++k) {
            const int d = std::abs(int(a.data()[k]) - int(b.data()[k]));
            ASSERT_LE(d, 1) << scale;
            different += d != 0;
        }
        EXPECT_LE(double(different), tolerance::cuda_against_cpu_8bit_share * double(a.size_bytes())) << scale;
        regions_->next_turn();
    }
}

// A view whose region is larger than all that regions may take.
TEST_P(LiveViews, OfMuchMoreThanTheMemoryAreRenderedInTheBackground) {
    const auto image = picture(4000, 3600);
    SourceImage resident(backend_, image), source = live(std::make_shared<ImageTiles>(image, 256));
    RenderRequest request = request_of(spec_of("lanczos3"), 520, 480);
    request.view.scale = 7.5;
    request.antialias = true;
    const double error = largest_difference(final_picture(source, request), resident.render_to_image(request));
    EXPECT_LE(error, tolerance::widened);
    EXPECT_LE(regions_->most_bytes(), least_live_memory / 2);
}

TEST_P(LiveViews, KeepToTheirMemory) {
    Random random(5);
    const auto image = picture(3000, 2600);
    SourceImage source = live(std::make_shared<ImageTiles>(image, 128));
    for (int k = 0; k < 24; ++k) {
        RenderRequest request = request_of(spec_of(random.chance(0.5) ? "bspline" : "bilinear"), 640, 360);
        request.view = {random.between(-1400, 1400), random.between(-1200, 1200), random.between(0.2, 5), 0};
        request.antialias = true;
        final_picture(source, request);
        regions_->next_turn();
        // What is held has six sixteenths of the host's memory, nine of a GPU's own.
        const bool on_gpu = backend_->info().kind == BackendKind::cuda;
        ASSERT_LE(regions_->bytes(), least_live_memory / 16 * (on_gpu ? 9 : 6));
    }
}

// From within the margin: the frame after a small pan is right at once.
TEST_P(LiveViews, NeedNoNewRegionForASmallPan) {
    const auto image = picture(2000, 1800);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    SourceImage source = live(tiles), resident(backend_, image);
    RenderRequest request = request_of(spec_of("bspline"), 300, 200);
    final_picture(source, request);
    while (regions_->coming() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    tiles->open(false);
    request.view.translate_x = 20.25;
    request.view.translate_y = -14.5;
    bool right = false;
    const Image now = picture_now(source, request, RenderTarget::Format::floats, right);
    EXPECT_TRUE(right);
    EXPECT_LE(largest_difference(now, resident.render_to_image(request)), exact_tolerance(request.spec));
    tiles->open(true);
}

// Nothing waits for samples, and what is there is shown.
TEST_P(LiveViews, ShowWhatIsThereAndNeverWait) {
    const auto image = picture(2400, 2000);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    tiles->open(false);
    SourceImage source = live(tiles);
    RenderRequest request = request_of(spec_of("bilinear"), 200, 100);
    bool right = true;
    picture_now(source, request, RenderTarget::Format::floats, right);  // would hang
    EXPECT_FALSE(right);
    EXPECT_FALSE(regions_->shows_anything());
    EXPECT_FALSE(source.image_at_hand(request));
    EXPECT_THROW(source.render_to_image(request), Error);
    EXPECT_GT(regions_->coming(), 0u);
    tiles->open(true);
    final_picture(source, request);
    // Far away, where nothing exact is: the sketch, whose values are means of the image's.
    while (regions_->coming() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    tiles->open(false);
    request.view.translate_x = 900;
    const Image sketch = picture_now(source, request, RenderTarget::Format::floats, right);
    EXPECT_FALSE(right);
    double mean = 0;
    for (int y = 0; y < sketch.height(); ++y)
        for (int x = 0; x < sketch.width(); ++x) mean += sketch.value(x, y, 0) / (sketch.width() * sketch.height());
    EXPECT_NEAR(mean, 0.5, 0.05) << "uniform noise";
    tiles->open(true);
}

TEST_P(LiveViews, SayWhenSmallerImagesOfTheFileStandIn) {
    auto grey = std::make_shared<Image>(1200, 1000, 3, SampleType::u8);
    for (int y = 0; y < grey->height(); ++y)
        std::memset(grey->row(y), 51, grey->row_bytes());  // not what is made of it
    const auto tiles = std::make_shared<GatedTiles>(picture(2400, 2000), 64, grey);
    tiles->open(false);
    SourceImage source = live(tiles);
    RenderRequest request = request_of(spec_of("bilinear"), 200, 100);
    request.view.translate_x = 900;
    bool right = true;
    while (!regions_->shows_anything()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const Image shown = picture_now(source, request, RenderTarget::Format::floats, right);
    EXPECT_FALSE(right);
    EXPECT_TRUE(regions_->shows_levels_of_file());
    EXPECT_NEAR(shown.value(100, 50, 1), 0.2f, 1e-6);
    tiles->open(true);
    final_picture(source, request);
    regions_->next_turn();
    picture_now(source, request, RenderTarget::Format::floats, right);
    EXPECT_TRUE(right);
    EXPECT_FALSE(regions_->shows_levels_of_file());
}

TEST_P(LiveViews, EndAlthoughAReadDoesNot) {
    const auto tiles = std::make_shared<GatedTiles>(picture(2400, 2000), 64);
    tiles->open(false);
    std::optional<SourceImage> source(live(tiles));
    bool right = true;
    picture_now(*source, request_of(spec_of("bilinear"), 200, 100), RenderTarget::Format::floats, right);
    const StopWatch watch;
    source.reset();
    regions_.reset();  // would hang
    EXPECT_LT(watch.ms(), 5000);
    tiles->open(true);
}

TEST_P(LiveViews, GiveUpWhatIsNotInViewAnyMore) {
    const auto image = picture(6000, 5000);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    SourceImage source = live(tiles);
    let_all_come();
    tiles->open(false);
    const int before = tiles->reads();
    RenderRequest request = request_of(spec_of("nearest"), 64, 48);
    bool right = false;
    for (int k = 0; k < 40; ++k) {
        request.view.translate_x = -2900 + 140 * k;
        request.view.translate_y = k % 2 == 0 ? -2300 : 2300;
        picture_now(source, request, RenderTarget::Format::floats, right);
        regions_->next_turn();
    }
    tiles->open(true);
    final_picture(source, request);
    // Each of the forty views reads at least 9 tiles: two were wanted when the gate opened, and one was begun before.
    EXPECT_LE(tiles->reads() - before, 6 * 36);
}

// A large image, of which nothing can be read.
class NoTiles final : public TileSource {
public:
    const ImageInfo& info() const override { return info_; }
    int tile() const override { return 256; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }
    void read(int, const SampleRegion&, std::byte*, size_t) const override { throw FileError("scan.tif", "no strips"); }

private:
    ImageInfo info_{20480, 10240, 1, SampleType::f32, Alpha::none, nullptr};
};

// Averages of narrow stripes alone would be a plain grey.
TEST(HatchedTiles, AreSeenInAShrunkImage) {
    const HatchedTiles tiles(std::make_shared<NoTiles>());
    const auto mean = [&](int64_t x) {  // of a square as large as two stripes
        std::vector<float> samples(32 * 32);
        tiles.read(0, {x, 0, 32, 32}, reinterpret_cast<std::byte*>(samples.data()), 32 * sizeof(float));
        return std::accumulate(samples.begin(), samples.end(), 0.0) / double(samples.size());
    };
    EXPECT_NEAR(mean(64), 0.5, 1e-6);
    EXPECT_NEAR(mean(64 + 320), 0.25, 1e-6);
    EXPECT_NEAR(mean(64 + 640), 0.5, 1e-6);
}

TEST_P(LiveViews, HatchWhatCannotBeReadAndSayItOnce) {
    const auto image = picture(1200, 1000);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    tiles->damage_from(640);
    SourceImage source = live(tiles), resident(backend_, image);
    RenderRequest request = request_of(spec_of("nearest"), 100, 80);
    request.positions = Affine{1, 0, 700, 0, 1, 300};
    const Image hatched = final_picture(source, request);
    for (int y = 0; y < hatched.height(); ++y)
        for (int x = 0; x < hatched.width(); ++x) {
            const double light = (700 + x + 300 + y) / 16 % 2 == 0 ? 0.75 : 0.0;
            ASSERT_NEAR(hatched.value(x, y, 1), light, 0.5 / 255 + 1e-6) << x << ", " << y;
        }
    const auto problem = regions_->take_problem();
    ASSERT_TRUE(problem);
    EXPECT_THAT(*problem, testing::HasSubstr("scan.tif"));
    request.positions = Affine{1, 0, 300, 0, 1, 300};
    EXPECT_EQ(largest_difference(final_picture(source, request), resident.render_to_image(request)), 0);
    EXPECT_FALSE(regions_->take_problem());
}

TEST_P(LiveViews, GiveTheTexelsOfTheResidentImage) {
    const auto image = picture(1500, 1300);
    SourceImage source = live(std::make_shared<ImageTiles>(image, 100)), resident(backend_, image);
    for (const char* spec : {"bilinear", "bspline", "bspline:address=wrap"})
        for (const double scale : {0.5, 20.0}) {
            RenderRequest request = request_of(spec_of(spec), 64, 64);
            request.view.scale = scale;
            request.antialias = true;
            std::vector<float> got;
            for (const StopWatch watch; got.empty() && watch.ms() < patience_ms;) {
                got = source.texels(request, -2, 3, 7, 5);
                if (got.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            const std::vector<float> expected = resident.texels(request, -2, 3, 7, 5);
            ASSERT_EQ(got.size(), expected.size());
            for (size_t k = 0; k < got.size(); ++k) ASSERT_NEAR(got[k], expected[k], 4e-6) << spec << " " << scale;
        }
}

TEST_P(LiveViews, RefuseWhatNeedsTheWholeImage) {
    const auto image = picture(700, 600);
    SourceImage source = live(std::make_shared<ImageTiles>(image, 64));
    EXPECT_EQ(source.samples().width(), 700);
    std::vector<double> values(100 * 3);
    RenderRequest request = request_of(spec_of("bilinear"), 10, 10);
    EXPECT_FALSE(source.render_reference(request, values.data())) << "it has still to be computed";
    EXPECT_THROW(source.prepared_for(spec_of("bspline")), Error);
    EXPECT_THROW(SourceImage(backend_, std::make_shared<const Image>(std::make_shared<ImageTiles>(image))), Error);
    EXPECT_THROW(live(std::make_shared<ImageTiles>(image, 64), {least_live_memory - 1}), Error);
    EXPECT_THROW(live(nullptr), Error);
}

ON_EVERY_BACKEND(LiveViews);

TEST(ImageByRegions, HasEverythingButSamples) {
    const auto tiles = std::make_shared<ImageTiles>(
        std::make_shared<const Image>(noise(70, 60, 4, SampleType::u16, 3, Alpha::straight)));
    const Image image(tiles), copy = image, same = image.over_same_samples();
    for (const Image* each : {&image, &copy, &same}) {
        EXPECT_EQ(each->width(), 70);
        EXPECT_EQ(each->height(), 60);
        EXPECT_EQ(each->channels(), 4);
        EXPECT_EQ(each->type(), SampleType::u16);
        EXPECT_EQ(each->alpha(), Alpha::straight);
        EXPECT_FALSE(each->in_memory());
        EXPECT_EQ(each->tiles(), tiles);
        EXPECT_EQ(each->size_bytes(), 0u);
    }
    EXPECT_THROW(Image(std::shared_ptr<const TileSource>()), Error);
    const Image resident = noise(7, 6, 1, SampleType::u8, 1);
    EXPECT_TRUE(resident.in_memory());
    EXPECT_EQ(resident.tiles(), nullptr);
}

}  // namespace
}  // namespace texelscope::test
