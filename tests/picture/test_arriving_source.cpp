// A source image that is copied to its backend while its file is decoded.

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "app/picture/arriving_source.h"
#include "app/picture/source_cache.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

class ArrivingSourceTest : public testing::Test {
protected:
    std::shared_ptr<Backend> backend_ = make_backend(BackendChoice::cpu);
    std::shared_ptr<const Image> image_ =
        std::make_shared<const Image>(noise(900, 700, 4, SampleType::u8, 1, Alpha::straight));
    ArrivingSource arriving_{backend_->info()};
};

TEST_F(ArrivingSourceTest, WhatHasArrivedIsTheUploadedImage) {
    for (int rows = 0; rows < 600; rows += 48) arriving_.note(*image_, rows);
    EXPECT_EQ(arriving_.take(), nullptr) << "not complete";
    arriving_.complete(*image_, {});
    const auto source = arriving_.take();
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(arriving_.take(), nullptr) << "once";
    SourceCache cache(backend_);
    cache.put(image_, Light::stored, std::move(*source));
    ASSERT_TRUE(cache.has(image_, Light::stored));
    RenderRequest request;
    request.spec = default_spec(parse_method("bilinear"));
    request.width = 300;
    request.height = 200;
    request.view.scale = 1.7;
    const Image picture = cache.at(image_).render_to_image(request);
    const Image right = SourceImage(backend_, *image_).render_to_image(request);
    EXPECT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), picture.data()));
}

TEST_F(ArrivingSourceTest, AnotherImageThanTheNotedOneIsNotTaken) {
    const Image copy = *image_;
    arriving_.note(*image_, 700);
    arriving_.complete(copy, {});
    EXPECT_EQ(arriving_.take(), nullptr);
}

TEST_F(ArrivingSourceTest, WhatIsSmallIsNotCopied) {
    const Image small = noise(90, 70, 3, SampleType::u8, 2);
    ArrivingSource arriving(backend_->info());
    arriving.note(small, small.height());
    EXPECT_FALSE(arriving.rows_for_thread());
    arriving.complete(small, {});
    EXPECT_EQ(arriving.take(), nullptr);
}

TEST_F(ArrivingSourceTest, OnlyWhatIsReadInPlaceIsReadMeanwhile) {
    const Image grey = noise(1400, 900, 1, SampleType::u8, 3);
    ArrivingSource in_place(backend_->info());
    EXPECT_FALSE(in_place.rows_for_thread()) << "nothing is known of it";
    in_place.note(grey, 0);
    const auto rows = in_place.rows_for_thread();
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->image->data(), grey.data()) << "the same samples";
    EXPECT_FALSE(in_place.rows_for_thread()) << "once";
    in_place.complete(grey, {});
    const auto source = in_place.take();
    ASSERT_NE(source, nullptr);
    EXPECT_EQ(source->samples().size_bytes(), 0u) << "no copy";
    arriving_.note(*image_, 100);  // straight alpha is multiplied
    EXPECT_FALSE(arriving_.rows_for_thread());
}

TEST_F(ArrivingSourceTest, WhoeverReadsRowsKeepsTheirMemory) {
    auto grey = std::make_unique<Image>(noise(1400, 900, 1, SampleType::u8, 3));
    const Image copy = *grey;
    std::optional<ArrivingSource::Rows> rows;
    {
        ArrivingSource arriving(backend_->info());
        arriving.note(*grey, 900);
        rows = arriving.rows_for_thread();
        grey.reset();
    }
    ASSERT_TRUE(rows);
    EXPECT_TRUE(std::equal(copy.data(), copy.data() + copy.size_bytes(), rows->image->data()));
    EXPECT_NO_THROW(rows->sources->at(rows->image).value_at(parse_spec("bspline"), {700, 450})) << "all had arrived";
}

TEST_F(ArrivingSourceTest, GivenUpThereIsNothing) {
    arriving_.note(*image_, 300);
    arriving_.give_up();
    arriving_.note(*image_, 600);
    arriving_.complete(*image_, {});
    EXPECT_EQ(arriving_.take(), nullptr);
}

TEST_F(ArrivingSourceTest, GivenUpWhenItIsCompleteThereIsNothing) {
    arriving_.note(*image_, 700);
    arriving_.complete(*image_, {});
    arriving_.give_up();
    EXPECT_EQ(arriving_.take(), nullptr);
}

// The first picture is decoded before the window knows who computes.
TEST_F(ArrivingSourceTest, WhatHasArrivedBeforeTheBackendIsKnownIsCopiedThen) {
    for (const int noted_after : {0, 300}) {  // rows; 0: not any more
        ArrivingSource arriving;
        arriving.note(*image_, 200);
        if (noted_after > 0) {
            arriving.go_to(backend_->info());
            arriving.note(*image_, noted_after);
        }
        std::jthread reader([&] { arriving.complete(*image_, {}); });
        if (noted_after == 0) arriving.go_to(backend_->info());
        reader.join();
        const auto source = arriving.take();
        ASSERT_NE(source, nullptr);
        RenderRequest request;
        request.spec = default_spec(parse_method("nearest"));
        request.width = image_->width();
        request.height = image_->height();
        const Image picture = source->render_to_image(request);
        const Image right = SourceImage(backend_, *image_).render_to_image(request);
        EXPECT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), picture.data()));
    }
}

TEST_F(ArrivingSourceTest, ABackendThatNeverComesIsNotWaitedForOnceNobodyWantsIt) {
    for (const bool stops : {true, false}) {
        ArrivingSource arriving;
        arriving.note(*image_, 700);
        std::jthread reader([&](const std::stop_token& stop) { arriving.complete(*image_, stop); });
        if (stops) reader.request_stop();
        else arriving.give_up();
        reader.join();
        EXPECT_EQ(arriving.take(), nullptr);
    }
}

}  // namespace
}  // namespace texelscope::test
