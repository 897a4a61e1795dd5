// Source images that arrive or are made ready in the background.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/picture/prepared_sources.h"
#include "app/picture/source_cache.h"
#include "gpu/backend/memory_budget.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// A source image that is copied to its backend while its file is decoded.

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

// What is made in the background, and what it shows until then: the same pictures in the end, and nothing for long meanwhile.

constexpr int large = 1100, small = 100;  // samples along each axis

class Preparing : public testing::Test {
protected:
    static Rendition rendition(const std::shared_ptr<const Image>& image, const char* spec, double scale = 0.5) {
        Rendition r{image, Light::stored, {}};
        r.request.spec = parse_spec(spec);
        r.request.width = 60;
        r.request.height = 40;
        r.request.view.scale = scale;
        r.request.antialias = true;
        return r;
    }
    static std::shared_ptr<const Image> picture(int side) {
        return std::make_shared<const Image>(noise(side, side, 1, SampleType::u8, 5));
    }
    void SetUp() override {
        sources_.at(image_);
        prepared_.make_beside([] {});
    }
    // The end of a frame, and the turns of the loop until something has come.
    void wait() {
        prepared_.begin();
        for (int ms = 0; ms < 20000 && !prepared_.follow(); ++ms)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    std::shared_ptr<const Image> image_ = picture(large);
    std::shared_ptr<Backend> backend_ = make_cpu_backend();
    SourceCache sources_{backend_};
    PreparedSources prepared_{sources_};
};

TEST_F(Preparing, CoefficientsOfALargeImageAreMadeInTheBackground) {
    const Rendition bspline = rendition(image_, "bspline");
    EXPECT_TRUE(prepared_.ready(rendition(image_, "catmull-rom"))) << "it has none";
    EXPECT_FALSE(prepared_.ready(bspline));
    wait();
    ASSERT_TRUE(prepared_.ready(bspline));
    SourceImage& source = sources_.at(image_);
    EXPECT_FALSE(source.prepare(bspline.request)) << "nothing is left to compute";
    SourceImage other(make_cpu_backend(), *image_);
    const Image a = source.render_to_image(bspline.request), b = other.render_to_image(bspline.request);
    EXPECT_TRUE(std::equal(a.data(), a.data() + a.size_bytes(), b.data()));
}

TEST_F(Preparing, ASmallImageDoesNotWait) { EXPECT_TRUE(prepared_.ready(rendition(picture(small), "bspline"))); }

TEST_F(Preparing, SmallerImagesAndImagesThatAreNew) {
    const Rendition reduced = rendition(image_, "bspline", 20), fresh = rendition(picture(large), "lanczos3");
    EXPECT_FALSE(prepared_.ready(reduced));
    wait();
    EXPECT_TRUE(prepared_.ready(reduced));
    EXPECT_FALSE(prepared_.ready(fresh));
    wait();
    EXPECT_TRUE(sources_.has(fresh.image, Light::stored));
    EXPECT_TRUE(prepared_.ready(fresh));
}

TEST_F(Preparing, AReferenceInFloat64NeedsItsLevelOnly) {
    Rendition reference = rendition(image_, "bspline");
    reference.float64 = true;
    EXPECT_TRUE(prepared_.ready(reference));
    reference.request.view.scale = 20;
    EXPECT_FALSE(prepared_.ready(reference));
}

TEST_F(Preparing, WhatIsNotAskedForAnyMoreIsNotWaitedFor) {
    EXPECT_FALSE(prepared_.ready(rendition(image_, "bspline")));
    prepared_.begin();
    EXPECT_FALSE(prepared_.ready(rendition(image_, "quintic")));
    wait();
    EXPECT_TRUE(prepared_.ready(rendition(image_, "quintic"))) << "the newest comes first";
}

// Two panes whose coefficients displace each other: they are not made over and over again.
TEST_F(Preparing, WhatCannotBeKeptIsReadySoThatItIsMadeWhereItIsRead) {
    const Rendition panes[] = {rendition(image_, "bspline"), rendition(image_, "quintic")};
    backend_->memory().set_limit(1);
    for (const Rendition& pane : panes) EXPECT_FALSE(prepared_.ready(pane));
    wait();
    for (int frame = 0; frame < 3; ++frame) {
        for (const Rendition& pane : panes) EXPECT_TRUE(prepared_.ready(pane));
        prepared_.begin();
    }
    const SourceImage& source = sources_.at(image_);
    EXPECT_TRUE(std::any_of(std::begin(panes), std::end(panes), [&](const Rendition& pane) {
        return source.unprepared(source.plan(pane.request)) > 0;
    })) << "there was no room for both";
}

// The window does not wait for the values of a reference in float64.
TEST_F(Preparing, ValuesOfAReferenceAreComputedInTheBackground) {
    ReferenceValues& references = *prepared_.references();
    Rendition reference = rendition(image_, "quintic");
    EXPECT_EQ(references.cost(reference), 0) << "not in float64";
    EXPECT_TRUE(references.ready(reference));
    reference.float64 = true;
    EXPECT_GT(references.cost(reference), double(large) * large) << "its coefficients, of all samples";
    EXPECT_FALSE(references.ready(reference));
    EXPECT_FALSE(references.find(reference));
    wait();
    ASSERT_TRUE(references.ready(reference));
    EXPECT_EQ(references.cost(reference), 0);
    const auto values = references.find(reference);
    ASSERT_TRUE(values);
    std::vector<double> expected(size_t(reference.request.width) * size_t(reference.request.height));
    SourceImage(make_cpu_backend(), *image_).render_reference(reference.request, expected.data());
    EXPECT_EQ(*values, expected);
    EXPECT_EQ(references.at(reference, sources_.at(image_)), values) << "not computed again";

    prepared_.begin();
    EXPECT_TRUE(references.find(reference)) << "the frame has asked for it";
    prepared_.begin();
    EXPECT_FALSE(references.find(reference)) << "nobody has";
    EXPECT_EQ(*references.at(reference, sources_.at(image_)), expected) << "computed here";
    EXPECT_TRUE(references.find(reference));
}

TEST_F(Preparing, AReferenceThatIsTooLargeForTheMachineIsSaidInASentence) {
    Rendition reference = rendition(image_, "catmull-rom");
    reference.float64 = true;
    reference.request.width = reference.request.height = 1 << 24;
    try {
        prepared_.references()->at(reference, sources_.at(image_));
        FAIL() << "2 PiB";
    } catch (const OutOfMemory& error) {
        EXPECT_NE(std::string(error.what()).find("no memory for the reference"), std::string::npos) << error.what();
    }
}

TEST_F(Preparing, AReferenceOfASmallImageThatIsNotInMemoryIsComputedAsWell) {
    Rendition reference = rendition(picture(small), "quintic");
    reference.float64 = true;
    reference.light = Light::linear;
    EXPECT_FALSE(prepared_.references()->ready(reference));
    wait();
    EXPECT_TRUE(prepared_.references()->ready(reference));
    EXPECT_TRUE(prepared_.references()->find(reference));
}

TEST_F(Preparing, AWidenedReferenceCostsMoreUpToTheLevelThatItReads) {
    const ReferenceValues references;
    const auto cost = [&](double scale) {
        Rendition reference = rendition(image_, "catmull-rom", scale);
        reference.float64 = true;
        return references.cost(reference);
    };
    EXPECT_EQ(cost(1), cost(0.1)) << "no coefficients, sixteen taps";
    EXPECT_EQ(cost(3), 9 * cost(1));
    EXPECT_EQ(cost(40), cost(400));
}

TEST_F(Preparing, WithoutAWindowEverythingIsMadeWhereItIsRead) {
    PreparedSources at_once(sources_);
    EXPECT_TRUE(at_once.ready(rendition(image_, "bspline")));
}

}  // namespace
}  // namespace texelscope::test
