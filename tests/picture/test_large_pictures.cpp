// Pictures of large images, and pictures that take long.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include "app/picture/frame/measurer.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/pane_picture.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "gpu/core/parallel.h"
#include "gpu/core/tile_source.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Pictures and figures of images that are not in memory: those of the same image in memory, once all has come.

std::shared_ptr<const Image> by_regions(const std::shared_ptr<const Image>& image) {
    return std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
}

class LargePictures : public testing::Test {
protected:
    void SetUp() override {
        prepared_.make_beside([] {});
        shown_.use(prepared_.references());
    }

    static PanePicture difference(const std::shared_ptr<const Image>& image, double scale) {
        PanePicture picture;
        picture.shown = {image, Light::stored, {}};
        RenderRequest& request = picture.shown.request;
        request.spec = parse_spec("bilinear");
        request.width = 150;
        request.height = 110;
        request.view.scale = scale;
        request.antialias = true;
        request.outside = Outside::background;
        picture.against = picture.shown;
        picture.against->request.spec = parse_spec("quintic");
        picture.against->float64 = true;
        return picture;
    }

    // What the window shows, once that is right.
    Image final_picture(const PanePicture& picture) {
        for (int ms = 0; ms < 60000; ++ms) {
            const RenderRequest& request = picture.shown.request;
            Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
            const auto pixels = backend_->allocate(image.size_bytes());
            if (shown_.render(picture, pixels.get(), image.row_bytes())) {
                backend_->read_back(image.data(), pixels.get(), image.size_bytes());
                return image;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            sources_.arrivals();
        }
        ADD_FAILURE() << "it never became right";
        return {};
    }

    std::shared_ptr<const Image> image_ = std::make_shared<const Image>(noise(700, 600, 3, SampleType::u8, 3));
    std::shared_ptr<const Image> large_ = by_regions(image_);
    std::shared_ptr<Backend> backend_ = make_cpu_backend();
    SourceCache sources_{backend_};
    PreparedSources prepared_{sources_};
    PaneRenderer shown_{sources_};
};

// Steps of 8-bit values, at most, that pictures of one difference are apart.
int steps_apart(const Image& a, const Image& b) {
    if (a.size_bytes() != b.size_bytes()) return 256;
    int most = 0;
    for (size_t k = 0; k < a.size_bytes(); ++k) most = std::max(most, std::abs(int(a.data()[k]) - int(b.data()[k])));
    return most;
}

TEST_F(LargePictures, DifferencesFromFloat64AreThoseOfTheImageInMemory) {
    SourceCache resident(make_cpu_backend());
    for (const double scale : {0.4, 1.5, 9.0}) {
        const Image expected = PaneRenderer(resident).render_to_rgba8(difference(image_, scale));
        EXPECT_LE(steps_apart(final_picture(difference(large_, scale)), expected), 1) << scale;
    }
}

TEST_F(LargePictures, TheReferenceItselfIsShown) {
    SourceCache resident(make_cpu_backend());
    PanePicture of_image = difference(image_, 0.7);
    of_image.shown = *of_image.against;
    of_image.against.reset();
    PanePicture of_large = of_image;
    of_large.shown.image = large_;
    EXPECT_LE(steps_apart(final_picture(of_large), PaneRenderer(resident).render_to_rgba8(of_image)), 1);
}

// As the window's figures are computed: by a cache of their own if the window's has regions.
TEST_F(LargePictures, FiguresAgainstFloat64AreThoseOfTheImageInMemory) {
    SourceCache resident(make_cpu_backend()), beside(make_cpu_backend());
    for (const double scale : {0.4, 1.5, 9.0}) {
        const PanePicture of_image = difference(image_, scale), of_large = difference(large_, scale);
        const Metrics expected = PaneRenderer(resident).measure(of_image.shown, *of_image.against, {}),
                      got = PaneRenderer(beside).measure(of_large.shown, *of_large.against, {});
        EXPECT_EQ(got.pixels, expected.pixels);
        EXPECT_NEAR(got.rmse, expected.rmse, tolerance::widened);
        EXPECT_NEAR(got.max_abs, expected.max_abs, tolerance::widened);
        EXPECT_NEAR(got.ssim, expected.ssim, 40 * tolerance::widened);
        EXPECT_GT(got.rmse, 100 * tolerance::widened) << "they differ";
    }
}

TEST_F(LargePictures, PanesHaveReferencesInFloat64) {
    AppState state;
    state.scene.panes = {{parse_spec("bilinear")}};
    for (const auto& [source, image] :
         {std::pair("/a.tif", large_),
          std::pair("/b.tif", by_regions(std::make_shared<const Image>(noise(1400, 1200, 3, SampleType::u8, 4))))}) {
        Document& document = state.scene.documents.emplace_back();
        document.source = source;
        document.image = image;
    }
    state.scene.current = 0;
    state.places.picture = {0, 0, 200, 150};
    for (const Reference& reference : {Reference{}, Reference{Reference::Kind::method, parse_spec("bspline"), {}},
                                       Reference{Reference::Kind::image, {}, "/b.tif"}}) {
        state.scene.reference = reference;
        EXPECT_EQ(why_no_reference(state, 0), "");
        const auto rendition = reference_rendition(state, 0);
        ASSERT_TRUE(rendition);
        EXPECT_TRUE(rendition->float64);
        EXPECT_EQ(rendition->image->width(), reference.kind == Reference::Kind::image ? 1400 : 700);
    }
}

// Floats: the peak of all samples, once those have been read; until then the figures that need none.
TEST_F(LargePictures, OfFloatsHaveThePeakOfAllSamples) {
    auto image = std::make_shared<Image>(noise(700, 600, 1, SampleType::f32, 6));
    image->row_as<float>(599)[699] = 7.5f;  // far from what is in view
    const auto floats = by_regions(image);
    EXPECT_FALSE(FloatPeaks::needed_by(*image)) << "it is in memory";
    EXPECT_FALSE(FloatPeaks::needed_by(*large_)) << "integers have the peak 1";
    ASSERT_TRUE(FloatPeaks::needed_by(*floats));
    EXPECT_EQ(peak_of(*floats), peak_of(*image));

    FloatPeaks peaks;
    FloatPeaks::Known known;
    for (int ms = 0; ms < 20000 && known.peak == 0; ++ms) {
        peaks.follow();
        known = peaks.at(floats);
        peaks.begin();
        EXPECT_EQ(known.peak == 0, !known.why_not.empty());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(known.peak, peak_of(*image));
    FloatPeaks small({}, 1000);
    EXPECT_EQ(small.at(floats).peak, 0);
    EXPECT_NE(small.at(floats).why_not, "");
    FloatPeaks now;
    now.find(floats);
    EXPECT_EQ(now.at(floats).peak, known.peak);

    SourceCache resident(make_cpu_backend()), beside(make_cpu_backend());
    const PanePicture of_image = difference(image, 0.4), of_floats = difference(floats, 0.4);
    const Metrics expected = PaneRenderer(resident).measure(of_image.shown, *of_image.against, {}),
                  got = PaneRenderer(beside).measure(of_floats.shown, *of_floats.against, {}, known.peak),
                  without = PaneRenderer(beside).measure(of_floats.shown, *of_floats.against, {}, 0.0);
    EXPECT_NEAR(got.psnr, expected.psnr, 1e-3);
    EXPECT_NEAR(got.ssim, expected.ssim, 40 * tolerance::widened);
    EXPECT_TRUE(std::isnan(without.psnr) && std::isnan(without.ssim));
    EXPECT_EQ(without.rmse, got.rmse);
    EXPECT_EQ(without.pixels, got.pixels);
}

// Pictures that are rendered in the background: which, and that they are the same.

class SlowPicturesBeside : public testing::Test {
protected:
    static constexpr int width = 900, height = 600;

    PanePicture picture(const char* spec, double scale, bool antialias = true) const {
        PanePicture made;
        made.shown.image = image_;
        RenderRequest& request = made.shown.request;
        request.spec = parse_spec(spec);
        request.width = int(width / scale);
        request.height = int(height / scale);
        request.view.scale = scale;
        request.antialias = antialias;
        return made;
    }
    // The end of a frame, and the turns of the loop until something has come.
    void wait() {
        slow_.begin(sources_, references_);
        for (int ms = 0; ms < 20000 && !slow_.has_news(); ++ms)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        slow_.follow();
    }
    void SetUp() override { sources_.at(image_); }

    std::shared_ptr<const Image> image_ = std::make_shared<const Image>(noise(width, height, 3, SampleType::u8, 7));
    SourceCache sources_{make_cpu_backend()};
    ReferenceValues references_;  // none
    SlowPictures slow_{[] {}};
};

TEST_F(SlowPicturesBeside, WithoutRotationEachSampleUnderTheViewCountsOnce) {
    const double samples = 3.0 * width * height;
    EXPECT_DOUBLE_EQ(slow_.cost(picture("bilinear", 4), sources_), samples);
    EXPECT_DOUBLE_EQ(slow_.cost(picture("lanczos4", 10), sources_), samples)
        << "the width of the filter hardly matters";
    PanePicture part = picture("bilinear", 4);
    part.shown.request.width /= 2;
    EXPECT_NEAR(slow_.cost(part, sources_), samples / 2, 0.01 * samples);
    EXPECT_EQ(slow_.cost(picture("bilinear", 4, false), sources_), 0) << "four taps a pixel";
    EXPECT_EQ(slow_.cost(picture("bilinear", 0.5), sources_), 0) << "enlarged";
    PanePicture reference = picture("bilinear", 4);
    reference.shown.float64 = true;
    EXPECT_EQ(slow_.cost(reference, sources_), 0) << "ReferenceValues computes it";
    PanePicture difference = picture("bilinear", 4);
    difference.against = picture("lanczos3", 4).shown;
    EXPECT_DOUBLE_EQ(slow_.cost(difference, sources_), 2 * samples);
    PanePicture rotated = picture("lanczos3", 4);
    rotated.shown.request.view.rotate = 30;
    EXPECT_GT(slow_.cost(rotated, sources_), samples) << "a rotated view reads each sample many times";
}

TEST_F(SlowPicturesBeside, APhotographOf24MegapixelsIsForTheWindow) {
    const double per_core = SlowPictures::usually_affordable() / thread_count();
    EXPECT_GT(2 * per_core, 24e6 * 3) << "on two cores";
    EXPECT_LT(2 * per_core, 108e6 * 3);
}

TEST_F(SlowPicturesBeside, ThePictureIsTheOneOfTheWindow) {
    PanePicture difference = picture("bspline", 3);
    difference.against = picture("nearest", 3).shown;
    for (const PanePicture& each : {picture("lanczos3", 3), difference}) {
        EXPECT_FALSE(slow_.ready(each));
        EXPECT_EQ(slow_.find(each), nullptr);
        wait();
        ASSERT_TRUE(slow_.ready(each));
        const SlowPictures::Rendered* there = slow_.find(each);
        ASSERT_NE(there, nullptr);
        EXPECT_EQ(slow_.cost(each, sources_), 0) << "nothing is left to do";
        const Image expected = PaneRenderer(sources_).render_to_rgba8(each);
        ASSERT_EQ(there->pixels->size_bytes(), expected.size_bytes());
        EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.size_bytes(), there->pixels->data()));
    }
}

// As a window does that opens a file: the picture is asked for while the rows arrive, and shown of the finished image.
class EarlyPictures : public SlowPicturesBeside {
protected:
    // The picture, of the image that arrives.
    bool render_early(PanePicture wanted) {
        arriving_->note(*file_, 0);
        const auto rows = arriving_->rows_for_thread();
        if (!rows) return false;
        wanted.shown.image = rows->image;
        slow_.render_early(wanted, rows->sources);
        return slow_.renders_early();
    }
    void decode() {
        for (int y = 0; y < height_; ++y) {
            std::copy_n(image_->row(y), image_->row_bytes(), file_->row(y));
            if (y % 64 == 0) arriving_->note(*file_, y);
        }
        arriving_->note(*file_, height_);
    }
    bool ends() {
        for (int ms = 0; ms < 20000 && slow_.renders_early(); ++ms)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return !slow_.renders_early();
    }
    void SetUp() override {
        image_ = std::make_shared<const Image>(noise(1600, height_, 3, SampleType::u8, 9));
        sources_.at(image_);
        begin_file();
    }
    void begin_file() {
        file_ = std::make_shared<Image>(1600, height_, 3, SampleType::u8);
        arriving_.emplace(sources_.backend()->info());
    }

    static constexpr int height_ = 1200;
    std::shared_ptr<Image> file_;
    std::optional<ArrivingSource> arriving_;
};

TEST_F(EarlyPictures, AreThereMomentsAfterTheLastRow) {
    for (const char* spec : {"bspline", "lanczos3"}) {
        begin_file();
        const PanePicture wanted = picture(spec, 4);
        ASSERT_TRUE(render_early(wanted)) << spec;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_TRUE(slow_.renders_early()) << "no row is there";
        decode();
        ASSERT_TRUE(ends());
        slow_.take_early(file_);
        PanePicture shown = wanted;
        shown.shown.image = file_;
        const SlowPictures::Rendered* there = slow_.find(shown);
        ASSERT_NE(there, nullptr) << spec;
        EXPECT_EQ(slow_.find(wanted), nullptr) << "another image";
        const Image expected = PaneRenderer(sources_).render_to_rgba8(wanted);
        EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.size_bytes(), there->pixels->data()));
    }
}

TEST_F(EarlyPictures, AreOnlyThoseThatReadNothingButTheRows) {
    EXPECT_FALSE(render_early(picture("bspline", 0.5))) << "coefficients";
    PanePicture difference = picture("lanczos3", 4);
    difference.against = picture("bspline", 4).shown;
    EXPECT_FALSE(render_early(difference));
    PanePicture reference = picture("lanczos3", 4);
    reference.shown.float64 = true;
    EXPECT_FALSE(render_early(reference));
}

TEST_F(EarlyPictures, EndWithTheFileThatDoesNotCome) {
    ASSERT_TRUE(render_early(picture("lanczos3", 4)));
    arriving_->give_up();
    ASSERT_TRUE(ends());
    slow_.take_early(nullptr);
    PanePicture shown = picture("lanczos3", 4);
    shown.shown.image = file_;
    EXPECT_EQ(slow_.find(shown), nullptr);
}

TEST_F(EarlyPictures, OfOtherSamplesAreNotShown) {
    ASSERT_TRUE(render_early(picture("lanczos3", 4)));
    decode();
    ASSERT_TRUE(ends());
    slow_.take_early(image_);
    EXPECT_EQ(slow_.find(picture("lanczos3", 4)), nullptr);
}

TEST_F(SlowPicturesBeside, WhatNobodyAsksForIsForgotten) {
    const PanePicture first = picture("lanczos3", 3);
    static_cast<void>(slow_.ready(first));
    wait();
    ASSERT_TRUE(slow_.ready(first));
    slow_.begin(sources_, references_);
    EXPECT_NE(slow_.find(first), nullptr) << "it was asked for";
    slow_.begin(sources_, references_);
    EXPECT_EQ(slow_.find(first), nullptr);
}

TEST_F(SlowPicturesBeside, WhatFailsIsLeftToTheWindowWhichSaysWhy) {
    PanePicture impossible = picture("bspline", 3);
    impossible.against = picture("bspline", 2).shown;  // of another size
    EXPECT_FALSE(slow_.ready(impossible));
    wait();
    EXPECT_TRUE(slow_.ready(impossible));
    EXPECT_EQ(slow_.find(impossible), nullptr);
}

}  // namespace
}  // namespace texelscope::test
