// A device whose memory is full: every method shows something or says why, and works again once there is memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/images.h"
#include "tests/support/memory_test.h"

namespace texelscope::test {
namespace {

// Everything is requested of a backend whose memory is full: a picture, or one sentence; and all works once there is
// memory.
class FullDevice : public MemoryTest {
protected:
    struct Outcome {
        int rendered = 0, refused = 0;
    };
    static std::vector<RenderRequest> requests() {
        std::vector<RenderRequest> all;
        for (const MethodInfo* method : all_methods())
            for (const FetchPath path : all_fetch_paths) {
                MethodSpec spec = default_spec(*method);
                spec.path = path;
                RenderRequest request = request_of(spec, 90, 70);
                request.view = {1.25, -3.5, 0.75, 15};
                all.push_back(request);
                request.antialias = true;
                request.view.scale = 9;
                all.push_back(request);
            }
        return all;
    }
    Outcome render_all(SourceImage& source, const std::vector<Image>& expected) {
        Outcome outcome;
        const std::vector<RenderRequest> all = requests();
        for (size_t k = 0; k < all.size(); ++k) try {
                EXPECT_TRUE(same_bits(source.render_to_image(all[k]), expected[k])) << to_string(all[k].spec);
                ++outcome.rendered;
            } catch (const OutOfMemory& error) {
                const std::string text = error.what();
                EXPECT_NE(text.find("memory"), std::string::npos) << text;
                EXPECT_EQ(text.find('\n'), std::string::npos) << text;
                ++outcome.refused;
            }
        return outcome;
    }
    std::vector<Image> rendered(const Image& image) {
        SourceImage source(shared_backend(GetParam()), image);
        std::vector<Image> images;
        for (const RenderRequest& request : requests()) images.push_back(source.render_to_image(request));
        return images;
    }
};

TEST_P(FullDevice, ShowsSomethingOrSaysWhyAndWorksAgainWithMemory) {
    const Image image = noise(512, 512, 1, SampleType::f32, 8);
    const std::vector<Image> expected = rendered(image);
    SourceImage source(backend_, image);
    source.render_to_image(request_of(spec_of("lanczos3:path=lookup"), 8, 8));  // code and tables
    memory().free_memory();
    leave(mebibyte / 2);  // half a picture, no coefficients
    const Outcome full = render_all(source, expected);
    EXPECT_GT(full.rendered, 0);
    EXPECT_GT(full.refused, 0);
    leave(3 * mebibyte / 2);  // one set of coefficients, or one texture
    const Outcome nearly = render_all(source, expected);
    EXPECT_GT(nearly.rendered, full.rendered);
    leave_all();
    const Outcome all = render_all(source, expected);
    EXPECT_EQ(all.refused, 0);
}

// The memory of the GPU itself, all but 200 MB of it.
TEST_P(FullDevice, RunsInTheLast200MegabytesOfAGpu) {
    if (GetParam() != BackendKind::cuda) GTEST_SKIP() << "the host's memory is not filled in a test";
    const Image image = noise(1024, 1024, 4, SampleType::f32, 9);
    const std::vector<Image> expected = rendered(image);
    SourceImage source(backend_, image);
    std::vector<std::shared_ptr<void>> held;
    constexpr size_t left = 200'000'000, smallest = 4 * mebibyte, largest = 4096 * mebibyte;
    for (size_t free = memory().available(); free > left + smallest; free = memory().available())
        held.push_back(backend_->allocate(std::min(free - left, largest)));
    const Outcome full = render_all(source, expected);
    EXPECT_EQ(full.rendered + full.refused, int(requests().size()));
    EXPECT_GT(full.rendered, full.refused);  // a set of coefficients and its texture are 33 MB
    EXPECT_THROW(backend_->allocate(left * 2), OutOfMemory);
    held.clear();
    EXPECT_EQ(render_all(source, expected).refused, 0);
}

ON_EVERY_BACKEND(FullDevice);

}  // namespace
}  // namespace texelscope::test
