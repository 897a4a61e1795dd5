// Pictures that are rendered beside the window: which, and that they are the same.

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "app/picture/arriving_source.h"
#include "app/picture/slow_pictures.h"
#include "gpu/core/parallel.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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
        slow_.begin(sources_);
        for (int ms = 0; ms < 20000 && !slow_.has_news(); ++ms)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        slow_.follow();
    }
    void SetUp() override { sources_.at(image_); }

    std::shared_ptr<const Image> image_ = std::make_shared<const Image>(noise(width, height, 3, SampleType::u8, 7));
    SourceCache sources_{make_cpu_backend()};
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
    const double per_core = SlowPictures::affordable() / thread_count();
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
    slow_.begin(sources_);
    EXPECT_NE(slow_.find(first), nullptr) << "it was asked for";
    slow_.begin(sources_);
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
