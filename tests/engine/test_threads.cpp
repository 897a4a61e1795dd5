// Different backends in different threads at the same time, also on one device: each gives the same as on its own.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/planes.h"

namespace texelscope::test {
namespace {

class Threads : public OnBackend {
protected:
    std::shared_ptr<Backend> another() const {
        return make_backend(GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda);
    }

    // Requests that use every way through a backend: prefilters, pyramids, tables, textures, kernels of all kinds.
    static std::vector<RenderRequest> requests() {
        std::vector<RenderRequest> requests;
        for (const MethodInfo* method : all_methods())
            for (const FetchPath path : {FetchPath::automatic, FetchPath::hardware}) {
                MethodSpec spec = default_spec(*method);
                spec.path = path;
                spec.address = {AddressMode::mirror, AddressMode::clamp};
                RenderRequest request = request_of(spec, 120, 90);
                request.view.rotate = method->rank % 2 == 0 ? 17 : 0;
                request.view.scale = method->rank % 3 == 0 ? 9.5 : 0.7;
                request.antialias = request.view.scale > 1;
                requests.push_back(request);
            }
        return requests;
    }

    static std::vector<Image> pictures(const std::shared_ptr<Backend>& backend, const Image& image) {
        SourceImage source(backend, image);
        std::vector<Image> pictures;
        for (const RenderRequest& request : requests()) pictures.push_back(source.render_to_image(request));
        return pictures;
    }
};

TEST_P(Threads, TwoBackendsGiveWhatEachGivesAlone) {
    const Image images[2] = {noise(200, 150, 3, SampleType::u8, 1), noise(180, 170, 1, SampleType::f32, 2)};
    const std::vector<Image> expected[2] = {pictures(backend_, images[0]), pictures(backend_, images[1])};
    std::atomic<int> wrong = 0, right = 0, ready = 0;
    std::vector<std::thread> threads;
    for (int n : {0, 1})
        threads.emplace_back([&, n] {
            const auto mine = another();
            ++ready;
            while (ready < 2) std::this_thread::yield();
            for (int round = 0; round < 3; ++round) {
                const std::vector<Image> got = pictures(mine, images[n]);
                for (size_t k = 0; k < got.size(); ++k) ++(between(got[k], expected[n][k]).error == 0 ? right : wrong);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(right, int(6 * requests().size()));
}

// Errors are those of the thread that made them.
TEST_P(Threads, ARefusalInOneThreadIsNoneInTheOther) {
    const Image image = noise(100, 100, 1, SampleType::f32, 3);
    const RenderRequest request = beyond_borders(spec_of("bilinear"), 100, 100, 0);
    std::atomic<bool> done = false;
    int refused = 0;
    std::thread careless([&] {
        SourceImage source(another(), image);
        do {
            try {
                source.render(request, {nullptr, 400, RenderTarget::Format::floats});
            } catch (const Error&) {
                ++refused;
            }
        } while (!done);
    });
    SourceImage source(backend_, image);
    for (int k = 0; k < 100; ++k) EXPECT_EQ(between(source.render_to_image(request), image).error, 0);
    done = true;
    careless.join();
    EXPECT_GT(refused, 0);
}

// A backend may be made in one thread, used in another and freed in a third, one after another.
TEST_P(Threads, ABackendCanBeHandedOver) {
    const Image image = noise(60, 50, 2, SampleType::u16, 4);
    const RenderRequest request = request_of(spec_of("bspline"), 60, 50);
    const Image expected = SourceImage(backend_, image).render_to_image(request);
    std::unique_ptr<SourceImage> source;
    std::thread([&] { source = std::make_unique<SourceImage>(another(), image); }).join();
    Image got;
    std::thread([&] { got = source->render_to_image(request); }).join();
    EXPECT_EQ(between(got, expected).error, 0);
    std::thread([&] { source.reset(); }).join();
    EXPECT_EQ(between(SourceImage(backend_, image).render_to_image(request), expected).error, 0);
}

ON_EVERY_BACKEND(Threads);

}  // namespace
}  // namespace texelscope::test
