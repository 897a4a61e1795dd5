// Images in the caller's memory: read in place, apart rows, and rows that are still being written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Images in the caller's memory: read in place, with the caller's row spacing.

class Adopt : public OnBackend {
protected:
    // The image's samples in memory of the backend, `row_bytes` apart; what is between the rows is not zero.
    std::shared_ptr<void> placed(const Image& image, size_t row_bytes) {
        std::vector<unsigned char> bytes(row_bytes * size_t(image.height()), 0xa5);
        for (int y = 0; y < image.height(); ++y)
            std::memcpy(bytes.data() + size_t(y) * row_bytes, image.row(y), image.row_bytes());
        auto memory = backend_->allocate(bytes.size());
        backend_->write(memory.get(), bytes.data(), bytes.size());
        return memory;
    }

    std::string refusal(const ImageView& view) {
        return test::refusal([&] { SourceImage source(backend_, view); });
    }
};

TEST_P(Adopt, GivesThePictureOfTheUploadedImageForEveryTypeAndRowDistance) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4})
            for (const int padding : {0, 13}) {
                const Image image = noise(17, 11, channels, type, 3);
                ImageView view = view_of(image);
                view.row_bytes = image.row_bytes() + size_t(padding) * view.texel_bytes();
                const auto memory = placed(image, view.row_bytes);
                view.samples = memory.get();
                SourceImage adopted(backend_, view), uploaded(backend_, image);
                EXPECT_EQ(adopted.samples().width(), 17);
                EXPECT_EQ(adopted.samples().channels(), channels);
                for (const char* spec : {"bilinear", "bspline:address=mirror/border", "catmull-rom:path=lookup",
                                         "bilinear:path=hardware"}) {
                    RenderRequest request = beyond_borders(spec_of(spec), 17, 11, 4);
                    request.view = {0.3, 0.2, 0.8, 12};
                    EXPECT_EQ(between(adopted.render_to_image(request), uploaded.render_to_image(request)).error, 0)
                        << spec << " " << describe(image) << " " << padding;
                    request.view.scale = 11;
                    request.antialias = true;
                    request.width = request.height = 5;
                    EXPECT_EQ(between(adopted.render_to_image(request), uploaded.render_to_image(request)).error, 0)
                        << spec;
                }
            }
}

// In place: a change by the caller shows in the next picture, if nothing was made from the samples before.
TEST_P(Adopt, ReadsTheMemoryItself) {
    Image image = noise(8, 8, 1, SampleType::f32, 4);
    const auto memory = placed(image, image.row_bytes());
    ImageView view = view_of(image);
    view.samples = memory.get();
    SourceImage source(backend_, view);
    RenderRequest request = beyond_borders(spec_of("bilinear"), 8, 8, 0);
    EXPECT_EQ(between(source.render_to_image(request), image).error, 0);
    image.row_as<float>(5)[3] = 42;
    backend_->write(memory.get(), image.data(), image.size_bytes());
    EXPECT_EQ(source.render_to_image(request).value(3, 5, 0), 42);
}

TEST_P(Adopt, TakesSignalsAndPremultipliedAlpha) {
    Image image = noise(30, 1, 2, SampleType::f32, 5, Alpha::premultiplied);
    const auto memory = placed(image, image.row_bytes());
    ImageView view = view_of(image);
    view.samples = memory.get();
    view.one_dimensional = true;
    SourceImage source(backend_, view);
    EXPECT_TRUE(source.samples().one_dimensional());
    EXPECT_EQ(source.samples().alpha(), Alpha::premultiplied);
    RenderRequest request = request_of(spec_of("bspline:address=border"), 30, 1);
    EXPECT_LE(between(source.render_to_image(request), image).error, tolerance::knot);
}

// One sentence each that says what is wrong.
TEST_P(Adopt, RefusesWhatCannotBeReadInPlace) {
    const Image image = noise(16, 4, 4, SampleType::f32, 6);
    const auto memory = placed(image, image.row_bytes());
    ImageView good = view_of(image);
    good.samples = memory.get();
    EXPECT_EQ(refusal(good), "");
    const auto refused = [&](auto change, const char* word) {
        ImageView view = good;
        change(view);
        const std::string sentence = refusal(view);
        EXPECT_NE(sentence.find(word), std::string::npos) << "'" << sentence << "' should speak of " << word;
        EXPECT_EQ(sentence.find('\n'), std::string::npos);
    };
    refused([](ImageView& v) { v.channels = 3; }, "3 channels");
    refused([](ImageView& v) { v.channels = 0; }, "0 channels");
    refused([](ImageView& v) { v.channels = 5; }, "5 channels");
    refused([](ImageView& v) { v.alpha = Alpha::straight; }, "straight alpha");
    refused([](ImageView& v) { v.row_bytes = 16 * 16 + 4; }, "16 bytes");
    refused([](ImageView& v) { v.row_bytes = 15 * 16; }, "16 bytes");
    refused([](ImageView& v) { v.samples = static_cast<const char*>(v.samples) + 4; }, "16 bytes");
    refused([](ImageView& v) { v.one_dimensional = true; }, "height 1");
    refused([](ImageView& v) { v.samples = nullptr; }, "samples");
    refused([](ImageView& v) { v.width = 0; }, "sides");
    refused([](ImageView& v) { v.height = -1; }, "sides");
}

// On the GPU it is copied: the same call works on either backend.
TEST_P(Adopt, TakesHostMemoryOnEveryBackend) {
    const Image image = noise(9, 7, 2, SampleType::f32, 7);
    SourceImage source(backend_, view_of(image));
    const RenderRequest request = beyond_borders(spec_of("bilinear"), 9, 7, 0);
    EXPECT_EQ(between(source.render_to_image(request), image).error, 0);
}

ON_EVERY_BACKEND(Adopt);

// Library images with rows apart and sub-views of larger ones: only their own samples are read, whatever is beside
// them, and however odd their width.

size_t rounded_up(size_t n, size_t step) { return (n + step - 1) / step * step; }

class Pitched : public OnMethod {
protected:
    void compare(const Image& image, const RenderRequest& request, size_t row_bytes, size_t before) {
        const Placed here = placed(*backend_, image, row_bytes, before);
        const Image adopted = SourceImage(backend_, here.view).render_to_image(request);
        const Image expected = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(request);
        ASSERT_LE(between(adopted, expected).error, devices_tolerance(image, request.spec))
            << between(adopted, expected) << describe_request(image, request) << ", rows " << row_bytes
            << " bytes apart, " << before << " before the first";
    }

    RenderRequest request_for(Random& random, const Image& image, double scale) {
        RenderRequest request = request_of(spec(), 150, 110);
        request.spec.address = random.pick(all_address_pairs());
        const double reach_x = image.width() * 0.55, reach_y = image.height() * 0.55;
        request.view = {random.between(-reach_x, reach_x) + 0.123, random.between(-reach_y, reach_y) + 0.456, scale,
                        random.between(-180, 180)};
        request.outside = random.chance(0.2) ? Outside::background : Outside::extend;
        return request;
    }
};

TEST_P(Pitched, EqualsThePackedImageOnTheCpuForEveryFormatAndWidth) {
    int residue = 0;
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4}) {
            Random random(700 + 10 * int(type) + channels);
            residue = (residue + 1) % 4;
            const Image image =
                noise(200 + 4 * random.integer(0, 200) + residue, random.integer(40, 90), channels, type, 5);
            const size_t texel = size_t(channels) * size_t(bytes_per_sample(type));
            // Rows of whole vectors, as libraries make them; every other image begins and continues anywhere.
            const bool whole = random.chance(0.5);
            const size_t row = whole ? rounded_up(image.row_bytes() + size_t(random.integer(0, 90)) * texel, 16)
                                     : image.row_bytes() + size_t(random.integer(0, 90)) * texel;
            const size_t before = size_t(random.integer(0, 9)) * (whole ? 16 : texel);
            compare(image, request_for(random, image, random.between(0.2, 3)), row, before);
        }
}

// The image whose padding was once read: 1000 × 1000 with 1096 samples from row to row, rotated by 45°.
TEST_P(Pitched, ReadsNoPaddingOfAThousandByThousandImage) {
    if (method().taps > 4 || method().id == "nearest") GTEST_SKIP() << "two and four taps show it";
    const Image image = noise(1000, 1000, 1, SampleType::f32, 9);
    RenderRequest request = request_of(spec(), 500, 500);
    for (const double translate : {0.0, 250.0}) {
        request.view = {translate, translate, 1, 45};
        compare(image, request, 1096 * sizeof(float), 0);
    }
}

// Owned images have padding as well: a stored width of 1 mod 4.
TEST_P(Pitched, ReadsNoPaddingOfItsOwn) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "exact paths";
    const Image image = noise(1001, 1001, 1, SampleType::f32, 11);
    RenderRequest request = request_of(spec(), 640, 480);
    request.view = {0, 0, 1.7139, -24.97};
    const Image here = SourceImage(backend_, image).render_to_image(request);
    RenderRequest simple = request;
    simple.simple = true;
    const Image expected = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(simple);
    ASSERT_LE(between(here, expected).error, exact_tolerance(spec())) << between(here, expected);
}

ON_EVERY_BACKEND_AND_KIND(Pitched, auto_and_every_path());

// An image that is copied while its rows are still being written.

class BeginUpload : public OnBackend {
protected:
    // The picture of an image whose rows arrive in pieces of these sizes, the last one repeatedly.
    Image arrived(const Image& image, std::initializer_list<int> pieces) {
        Image arriving(image.width(), image.height(), image.channels(), image.type(), image.alpha());
        std::memset(arriving.data(), 0xff, arriving.size_bytes());
        const Upload upload = backend_->begin_upload(arriving);
        if (!upload.image) return {};
        auto piece = pieces.begin();
        for (int y = 0; y < image.height(); piece += piece + 1 != pieces.end()) {
            const int end = std::min(y + *piece, image.height());
            for (; y < end; ++y) std::memcpy(arriving.row(y), image.row(y), image.row_bytes());
            upload.copy_until(end);
        }
        SourceImage source(backend_, upload.image);
        return source.render_to_image(request(image));
    }
    bool reads_in_place(Alpha alpha) const {
        return backend_->info().kind == BackendKind::cpu && alpha != Alpha::straight;
    }
    static RenderRequest request(const Image& image) {
        RenderRequest request;
        request.spec = default_spec(parse_method("catmull-rom"));
        request.view.scale = 1.25;
        request.view.rotate = 20;
        request.width = image.width();
        request.height = image.height();
        return request;
    }
};

TEST_P(BeginUpload, RowsThatArriveInPiecesAreTheImage) {
    struct Case {
        int channels;
        SampleType type;
        Alpha alpha;
    };
    for (const auto& [channels, type, alpha] : {Case{3, SampleType::u8, Alpha::none},
                                                {3, SampleType::f32, Alpha::none},
                                                {4, SampleType::u8, Alpha::straight},
                                                {3, SampleType::u16, Alpha::none}}) {
        const Image image = noise(220, 130, channels, type, 3, alpha);
        const Image right = SourceImage(backend_, image).render_to_image(request(image));
        for (const auto& pieces : {std::initializer_list<int>{130}, {1, 16, 0, 40, 7}, {0, 64}}) {
            const Image picture = arrived(image, pieces);
            ASSERT_FALSE(picture.empty()) << channels;
            EXPECT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), picture.data())) << channels;
        }
    }
}

TEST_P(BeginUpload, ALargeImageIsCopiedWhole) {
    // Several strips of a GPU's copy; the CPU copies what it must multiply.
    const Alpha alpha = reads_in_place(Alpha::none) ? Alpha::straight : Alpha::none;
    const Image image = noise(3000, 1200, alpha == Alpha::none ? 3 : 4, SampleType::u8, 4, alpha);
    RenderRequest all = request(image);
    const Image right = SourceImage(backend_, image).render_to_image(all);
    const Image picture = arrived(image, {37});
    EXPECT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), picture.data()));
}

TEST_P(BeginUpload, TheCpuCopiesNothingThatItReadsInPlace) {
    for (int channels = 1; channels <= 4; ++channels) {
        const Image image = noise(8, 8, channels, SampleType::u8, 5);
        const Upload upload = backend_->begin_upload(image);
        upload.copy_until(8);
        EXPECT_EQ(upload.image->size_bytes() == 0, reads_in_place(Alpha::none)) << channels;
    }
}

// The CPU renders each row of what it reads in place as soon as the rows are there that it needs, and none before: the
// same picture, whoever comes first.
TEST_P(BeginUpload, APictureOfRowsThatArriveWhileItIsRenderedIsTheImages) {
    const Image image = noise(500, 700, 3, SampleType::u8, 7);
    for (const char* spec : {"bspline", "lanczos3", "bilinear", "bspline:address=wrap", "catmull-rom:address=mirror",
                             "lanczos4:address=border"})
        for (const double scale : {0.8, 2.5, 9.0})
            for (const double rotate : {0.0, 30.0}) {
                if (rotate != 0 && scale != 2.5) continue;
                RenderRequest request;
                request.spec = parse_spec(spec);
                request.view.scale = scale;
                request.view.rotate = rotate;
                request.width = 100;
                request.height = 140;
                const Image right = SourceImage(backend_, image).render_to_rgba8(request);
                Image arriving(image.width(), image.height(), image.channels(), image.type());
                std::memset(arriving.data(), 0xff, arriving.size_bytes());
                const Upload upload = backend_->begin_upload(arriving);
                SourceImage source(backend_, upload.image);
                std::jthread decoder([&] {
                    for (int y = 0; y < image.height(); ++y) {
                        std::memcpy(arriving.row(y), image.row(y), image.row_bytes());
                        if (y % 50 == 0) std::this_thread::yield();
                        if (reads_in_place(Alpha::none) || y + 1 == image.height()) upload.copy_until(y + 1);
                    }
                });
                if (!reads_in_place(Alpha::none)) decoder.join();  // a GPU copies first
                const Image picture = source.render_to_rgba8(request);
                EXPECT_TRUE(std::equal(right.data(), right.data() + right.size_bytes(), picture.data()))
                    << spec << " " << scale << " " << rotate;
            }
}

TEST_P(BeginUpload, WhatDoesNotArriveIsCancelled) {
    if (!reads_in_place(Alpha::none)) GTEST_SKIP() << "a GPU reads its copy";
    const Image image = noise(300, 200, 3, SampleType::u8, 8);
    for (const char* spec : {"bspline", "lanczos3", "nearest"}) {
        RenderRequest all = request(image);
        all.spec = parse_spec(spec);
        Upload upload = backend_->begin_upload(image);
        upload.copy_until(120);
        SourceImage source(backend_, upload.image);
        upload.copy_until = nullptr;
        EXPECT_THROW(source.render_to_rgba8(all), Cancelled) << spec;
        RenderRequest upper = all;  // every second sample of its upper half
        upper.view = {.translate_y = -75, .scale = 2};
        upper.width = 150;
        upper.height = 25;
        upper.antialias = true;
        if (std::string_view(spec) == "nearest") continue;  // it waits for the whole image
        EXPECT_NO_THROW(source.render_to_rgba8(upper)) << spec;
    }
}

TEST_P(BeginUpload, OfAPictureThatTheCpuReadsInPlaceNothingIsKept) {
    for (int channels = 1; channels <= 4; ++channels) {
        const auto image = std::make_shared<const Image>(noise(64, 48, channels, SampleType::u8, 6));
        const auto resident = backend_->upload(image);
        EXPECT_EQ(resident->channels(), channels);
        EXPECT_EQ(resident->size_bytes() == 0, reads_in_place(Alpha::none)) << channels;
    }
}

TEST_P(BeginUpload, AnEmptyImageIsRefused) { EXPECT_THROW(backend_->begin_upload(Image()), Error); }

ON_EVERY_BACKEND(BeginUpload);

}  // namespace
}  // namespace texelscope::test
