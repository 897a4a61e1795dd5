// The numbers of the lesson "What a figure does not see", computed as its panes are.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope::test {
namespace {

struct Figures {
    Metrics metrics;
    MapFigures map;
};

class Pitfalls : public ::testing::Test {
protected:
    // The figures of a pane of a step, the picture being shown at this size.
    Figures figures(int step, int pane, int side, std::optional<Region> part = {}) {
        AppState state;
        state.scene.panes = {{parse_spec("nearest")}};
        begin_lesson(state, find_lesson("pitfalls"));
        EXPECT_TRUE(enter_step(state, step));
        for (Document& document : state.scene.documents) {
            auto& image = images_[document.source];
            if (!image) image = std::make_shared<const Image>(load_image(document.source));
            document.image = image;
        }
        state.scene.arrangement = Arrangement::single;
        state.scene.active = pane;
        if (part) state.scene.selection = part;
        state.places.picture = {0, 0, side, side};
        update_views(state);
        Rendition shown = pane_rendition(state, pane), reference = *reference_rendition(state, pane);
        WantedMap map{.settings = state.scene.difference};
        const bool has_map = is_map(map.settings.kind);
        const Metrics metrics = PaneRenderer(sources_).measure(shown, reference, measured_selection(state, pane), {},
                                                               has_map ? &map : nullptr);
        return {metrics, map.figures};
    }

    // The lesson says so, in the step's text.
    static void expect_said(int step, const std::string& words) {
        EXPECT_NE(plain_text(find_lesson("pitfalls")->steps[size_t(step)].text).find(words), std::string::npos)
            << words;
    }
    static std::string decibels(double psnr) {
        return std::to_string(int(std::lround(10 * psnr)) / 10) + "." +
               std::to_string(int(std::lround(10 * psnr)) % 10) + " dB";
    }

    SourceCache sources_{make_cpu_backend()};
    std::map<std::string, std::shared_ptr<const Image>> images_;
};

TEST_F(Pitfalls, EqualPsnrOfBlocksAndFog) {
    const Figures blocks = figures(0, 0, 512), fog = figures(0, 1, 512);
    EXPECT_NEAR(blocks.metrics.psnr, fog.metrics.psnr, 0.11);
    expect_said(0, decibels(blocks.metrics.psnr));
    expect_said(0, decibels(fog.metrics.psnr));
    const Figures seen_blocks = figures(1, 0, 512), seen_fog = figures(1, 1, 512);
    EXPECT_GT(std::abs(seen_blocks.map.mean / seen_fog.map.mean - 1), 0.1)
        << seen_blocks.map.mean << ", " << seen_fog.map.mean;
}

TEST_F(Pitfalls, AMovedPictureLosesAgainstABlurredOne) {
    const Figures moved = figures(2, 1, 512), blurred = figures(2, 2, 512);
    EXPECT_NEAR(moved.metrics.ssim, 0.78, 0.01);
    EXPECT_NEAR(blurred.metrics.ssim, 0.97, 0.01);
    EXPECT_NEAR(moved.metrics.psnr, 24.6, 0.1);
    EXPECT_NEAR(blurred.metrics.psnr, 34.9, 0.1);
    for (const char* words : {"0.78", "24.6 dB", "0.97", "34.9 dB"}) expect_said(2, words);
}

TEST_F(Pitfalls, ABorderDecides) {
    const Figures all[] = {figures(3, 0, 384), figures(3, 1, 384)}, inside[] = {figures(4, 0, 384), figures(4, 1, 384)};
    EXPECT_LT(all[0].metrics.psnr, all[1].metrics.psnr);
    EXPECT_GT(inside[0].metrics.psnr, inside[1].metrics.psnr + 10);
    for (const Figures& each : all) expect_said(3, decibels(each.metrics.psnr));
    for (const Figures& each : inside) expect_said(4, decibels(each.metrics.psnr));
}

TEST_F(Pitfalls, AFlatSkyPays) {
    const Figures all = figures(5, 1, 512);
    EXPECT_NEAR(all.metrics.psnr, 42.0, 0.1);
    expect_said(5, "42.0 dB");
    EXPECT_NEAR(figures(5, 1, 512, Region{58, 40, 70, 88}).metrics.psnr, 32.0, 0.1);
    expect_said(5, "32.0 dB");
    EXPECT_GT(all.map.weighted_median, 5 * all.map.mean) << "the edge, not the sky";
}

}  // namespace
}  // namespace texelscope::test
