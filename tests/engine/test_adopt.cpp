// Images in the caller's memory: read in place, with the caller's row spacing.

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
        try {
            SourceImage source(backend_, view);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
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

}  // namespace
}  // namespace texelscope::test
