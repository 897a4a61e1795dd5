// References in float64 of live views, computed beside them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "gpu/core/stop_watch.h"
#include "gpu/tiles/tiled_windows.h"
#include "tests/support/compare.h"
#include "tests/support/planes.h"
#include "tests/tiles/live_views.h"

namespace texelscope::test {
namespace {

// What has come of it now; empty: nothing.
std::vector<double> reference_now(SourceImage& source, const RenderRequest& request) {
    std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(source.samples().channels()));
    Backend& backend = source.backend();
    const auto memory = backend.allocate(values.size() * sizeof(double));
    if (!source.render_reference_at_hand(request, static_cast<double*>(memory.get()))) return {};
    backend.read_back(values.data(), memory.get(), values.size() * sizeof(double));
    return values;
}

std::vector<double> final_reference(SourceImage& source, const RenderRequest& request) {
    const StopWatch watch;
    while (watch.ms() < patience_ms) {
        std::vector<double> values = reference_now(source, request);
        if (!values.empty()) return values;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "the reference never came";
    return {};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double largest = 0;
    for (size_t k = 0; k < a.size(); ++k)
        if (!std::isnan(a[k]) || !std::isnan(b[k])) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
}

class LiveReferences : public LiveViews {};

// As through windows that wait: both to what tests/tiles/test_tiled_reference.cpp allows.
TEST_P(LiveReferences, AreThoseOfTheResidentImage) {
    constexpr double without_level = 1e-12, of_level = 4 * 0x1p-22;
    const auto image = picture(900, 800);
    const auto tiles = std::make_shared<ImageTiles>(image, 64);
    SourceImage resident(backend_, image), source = live(tiles),
                                           waiting(backend_, std::make_shared<TiledWindows>(backend_, tiles));
    for (const char* spec : {"bilinear", "bspline", "quintic", "lanczos3:address=mirror"})
        for (const double scale : {0.4, 1.7, 20.0})
            for (const Outside outside : {Outside::background, Outside::nan}) {
                RenderRequest request = request_of(spec_of(spec), 90, 1030);
                request.view.scale = scale;
                request.antialias = true;
                request.outside = outside;
                const bool level = resident.plan(request).resampling.reading.level != Level{};
                const double allowed = level ? of_level : without_level;
                const auto expected = reference_values(resident, request);
                ASSERT_LE(largest_difference(final_reference(source, request), expected), allowed) << spec << scale;
                ASSERT_LE(largest_difference(reference_values(source, request), expected), allowed) << spec << scale;
                ASSERT_LE(largest_difference(reference_values(waiting, request), expected), allowed) << spec << scale;
                windows_->next_turn();
            }
}

TEST_P(LiveReferences, ThatNobodyLooksAtAreNotComputed) {
    const auto image = picture(900, 800);
    const auto tiles = std::make_shared<GatedTiles>(image, 64);
    SourceImage source = live(tiles);
    let_all_come();
    tiles->open(false);
    RenderRequest request = request_of(spec_of("bspline"), 50, 40);
    for (int k = 0; k < 30; ++k) {
        request.view.translate_x = 3.0 * k;
        EXPECT_TRUE(reference_now(source, request).empty());
        windows_->next_turn();
        EXPECT_LE(windows_->coming(), 2u) << "this one, and the one that ends";
    }
    EXPECT_EQ(windows_->find_reference(source.plan(request)), nullptr);
    EXPECT_THROW(reference_values(source, request), SamplesToCome);
    tiles->open(true);
    const auto values = final_reference(source, request);
    ASSERT_TRUE(windows_->find_reference(source.plan(request)));
    EXPECT_EQ(*windows_->find_reference(source.plan(request)), values);
}

ON_EVERY_BACKEND(LiveReferences);

}  // namespace
}  // namespace texelscope::test
