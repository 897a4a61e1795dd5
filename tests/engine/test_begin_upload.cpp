// An image that is copied while its rows are still being written.

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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

// Of what it reads in place, the CPU renders each row as soon as the rows are there that it needs, and none before: the
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
