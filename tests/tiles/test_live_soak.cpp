// Hours' worth of moving about in an image that is not in memory: nothing grows.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/core/quantile.h"
#include "gpu/core/stop_watch.h"
#include "gpu/tiles/live_windows.h"
#include "tests/support/backends.h"
#include "tests/support/formula_tiles.h"
#include "tests/support/images.h"
#include "tests/support/process_memory.h"
#include "tests/tiles/counting_allocator.h"

namespace texelscope::test {
namespace {

constexpr int image_side = 100000, view_width = 320, view_height = 200;

class LiveSoakSlow : public OnBackend {};

// Cheap, so that there are many of them in a minute.
float texture(int64_t x, int64_t y) { return float(((x * 7 + y * 13) ^ (x >> 5)) & 255) / 255; }

TEST_P(LiveSoakSlow, HoursOfPansAndZoomsTakeNoMoreMemory) {
    constexpr int hour = 3600, steps = 3 * hour;  // one for each second
    constexpr size_t memory = size_t(128) << 20, growth = size_t(4) << 20;
    constexpr double patience_ms = 20000;
    LiveWindows windows(backend_, std::make_shared<FormulaTiles>(image_side, image_side, texture), {memory});
    const auto pixels = backend_->allocate(size_t(view_width) * view_height * 4);
    const RenderTarget target{pixels.get(), size_t(view_width) * 4, RenderTarget::Format::rgba8, no_timer};
    constexpr std::array methods = {"bspline", "bilinear", "lanczos3", "nearest"};
    Random random(77);
    View view;
    std::array<std::vector<double>, 3> in_use;  // in each hour: it goes up and down with the windows, so medians count
    size_t most_resident = 0;
    int right = 0, waited = 0;
    for (int k = 0; k < steps; ++k) {
        const double half = image_side / 2.0;
        if (random.chance(0.02)) {  // somewhere else
            view.translate_x = random.between(-half, half);
            view.translate_y = random.between(-half, half);
        }
        if (random.chance(0.1)) view.scale = std::exp2(random.between(-4, 3));
        if (random.chance(0.05)) view.rotate = random.chance(0.5) ? 0 : random.between(0, 360);
        view.translate_x = std::clamp(view.translate_x + random.between(-60, 60) * view.scale, -half, half);
        view.translate_y = std::clamp(view.translate_y + random.between(-60, 60) * view.scale, -half, half);
        RenderRequest request = request_of(spec_of(methods[size_t(k / 200) % methods.size()]), view_width, view_height);
        request.antialias = true;
        request.outside = Outside::background;
        request.positions = sampling_affine(view, image_side, image_side, view_width, view_height);
        const PlannedRequest plan = planned(request, {image_side, image_side, false}, windows.light());
        const bool waits = k % 20 == 0;  // the user looks
        waited += waits;
        const StopWatch watch;
        bool is_right = false;
        do {
            windows.next_turn();
            is_right = windows.render_at_hand(plan, target);
            backend_->synchronize();
        } while (waits && !is_right && watch.ms() < patience_ms);
        right += waits && is_right;
        if (waits && !is_right)
            ADD_FAILURE() << "view " << k << " by " << methods[size_t(k / 200) % methods.size()] << " at "
                          << view.translate_x << ", " << view.translate_y << ", scale " << view.scale << ", turned by "
                          << view.rotate << ", did not become right; " << windows.coming() << " parts to come";
        ASSERT_FALSE(windows.take_problem());
        ASSERT_LE(windows.bytes(), memory);
        if (k % 20 == 10) {
            in_use[size_t(k / hour)].push_back(double(allocated()));
            most_resident = std::max(most_resident, status_bytes("RssAnon"));
        }
    }
    EXPECT_EQ(right, waited);
    EXPECT_LE(windows.most_bytes(), memory);
    // The system counts blocks that were freed, too: malloc() keeps them, more or fewer by the order in which threads allocate.
    if (GetParam() == BackendKind::cpu) {
        EXPECT_LE(most_resident, 2 * memory);
    }
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer has an allocator of its own";
    for (std::vector<double>& each : in_use) std::sort(each.begin(), each.end());
    EXPECT_LT(quantile(in_use[2], 0.5), quantile(in_use[0], 0.5) + growth);
}

ON_EVERY_BACKEND(LiveSoakSlow);

}  // namespace
}  // namespace texelscope::test
