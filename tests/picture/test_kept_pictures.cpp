// Pictures that are saved.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/rendered_rows.h"
#include "app/state/panes.h"
#include "app/viewer/editing/file_edits.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"

namespace texelscope::test {
namespace {

// What the viewer saves: views at any size and the sheet of all panes, against the library's own rendering.

// Panes over a test image in a picture area of 320×200.
AppState state_with(Arrangement arrangement, std::initializer_list<const char*> specs) {
    AppState state;
    Document document;
    document.source = "@dead-leaves:96x64";
    document.image = std::make_shared<const Image>(load_image(document.source));
    document.view = {3, -2, 0.25, 10};
    state.scene.documents = {document};
    state.scene.current = 0;
    for (const char* spec : specs) state.scene.panes.push_back(Pane{parse_spec(spec)});
    state.scene.arrangement = arrangement;
    state.places.picture = {0, 0, 320, 200};
    state.report.findings.panes.resize(specs.size());
    return state;
}

RenderRequest zoomed_request(const AppState& state, const char* spec, int width, int height, double scale) {
    RenderRequest request;
    request.spec = parse_spec(spec);
    request.view = state.scene.document()->view;
    request.view.scale = scale;
    request.outside = state.scene.outside;
    request.antialias = true;
    request.width = width;
    request.height = height;
    return request;
}

void expect_equal(const Image& a, const Image& b) {
    ASSERT_EQ(a.width(), b.width());
    ASSERT_EQ(a.height(), b.height());
    ASSERT_EQ(a.size_bytes(), b.size_bytes());
    EXPECT_TRUE(std::equal(a.data(), a.data() + a.size_bytes(), b.data()));
}

std::shared_ptr<const Image> made_beside(const PictureBeside& picture, const Parts& parts = {}) {
    std::shared_ptr<const Image> image;
    std::thread([&] { image = picture.make(make_backend_like(picture.device), parts); }).join();
    return image;
}

// Also for a pane that is not in view, while a draft is on the screen.
TEST(SavedView, IsWhatThePaneShowsAtAnySize) {
    SourceCache sources(make_cpu_backend());
    for (const Arrangement arrangement : {Arrangement::single, Arrangement::wipe}) {
        AppState state = state_with(arrangement, {"bspline", "nearest", "catmull-rom:path=hardware"});
        state.draft.active = true;
        SourceImage source(make_cpu_backend(), *state.scene.document()->image);
        expect_equal(saved_view(state, 2, {}, sources),
                     source.render_to_image(zoomed_request(state, "catmull-rom:path=hardware", 320, 200, 0.25)));
        expect_equal(saved_view(state, 0, {640, 400}, sources),
                     source.render_to_image(zoomed_request(state, "bspline", 640, 400, 0.125)));
        expect_equal(saved_view(state, 1, {80, 77}, sources),
                     source.render_to_image(zoomed_request(state, "nearest", 80, 77, 1)));
    }
}

TEST(SavedView, DifferencesAreSavedAsTheScreenShowsThem) {
    SourceCache sources(make_cpu_backend());
    AppState state = state_with(Arrangement::columns, {"bspline", "nearest"});
    state.scene.panes[1].difference = true;
    state.scene.panes[1].against = 0;
    state.scene.difference = {DifferenceKind::absolute, 4, ColourMap::channels};
    const Image shown = saved_view(state, 1, {60, 50}, sources);
    ASSERT_EQ(shown.type(), SampleType::u8);
    ASSERT_EQ(shown.channels(), 3);
    const int pane_width = output_extent(state, 1).width;
    const double scale = 0.25 * pane_width / 60;
    SourceImage source(make_cpu_backend(), *state.scene.document()->image);
    const Image a = source.render_to_image(zoomed_request(state, "nearest", 60, 50, scale)),
                b = source.render_to_image(zoomed_request(state, "bspline", 60, 50, scale));
    for (int y = 0; y < 50; ++y)
        for (int x = 0; x < 60; ++x)
            for (int c = 0; c < 3; ++c) {
                const double expected = std::min(1.0, 4 * std::abs(double(a.value(x, y, c)) - b.value(x, y, c)));
                ASSERT_NEAR(shown.value(x, y, c) * 255, expected * 255, 0.51) << x << " " << y;
            }
}

TEST(SavedView, IsTheSameMadeInTheBackground) {
    SourceCache sources(make_cpu_backend());
    AppState state = state_with(Arrangement::columns, {"bspline", "nearest"});
    state.scene.panes[1].difference = true;
    state.scene.panes[1].against = 0;
    const auto image = state.scene.document()->image;
    state.scene.documents[0].image = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
    for (const int pane : {0, 1}) {
        const auto beside = made_beside(saved_view_beside(state, pane, {640, 400}, sources));
        expect_equal(*beside, saved_view(state, pane, {640, 400}, sources));
    }
    state.scene.documents[0].image = image;
    for (const bool is_there : {false, true})  // whether the window has uploaded it
        for (const int pane : {0, 1}) {
            if (is_there) saved_view(state, pane, {}, sources);
            const auto beside = made_beside(saved_view_beside(state, pane, {640, 400}, sources));
            expect_equal(*beside, saved_view(state, pane, {640, 400}, sources));
        }
}

bool contains(const Image& sheet, const Image& picture) {
    const auto row = [](const Image& image, int x, int y) { return image.row(y) + size_t(x) * 3; };
    for (int y = 0; y + picture.height() <= sheet.height(); ++y)
        for (int x = 0; x + picture.width() <= sheet.width(); ++x) {
            bool same = true;
            for (int j = 0; same && j < picture.height(); ++j)
                same = std::equal(row(picture, 0, j), row(picture, 0, j) + picture.row_bytes(), row(sheet, x, y + j));
            if (same) return true;
        }
    return false;
}

Image made_in_steps(const AppState& state, SourceCache& sources) {
    SheetMaker maker(state);
    while (maker.done() < maker.total()) maker.step(sources);
    return maker.sheet();
}

TEST(SheetOfPanes, HoldsEveryPaneWhateverIsInView) {
    SourceCache sources(make_cpu_backend());
    const AppState state = state_with(Arrangement::single, {"bspline", "nearest", "catmull-rom"});
    const Image sheet = made_in_steps(state, sources);
    SourceImage source(make_cpu_backend(), *state.scene.document()->image);
    for (const char* spec : {"bspline", "nearest", "catmull-rom"}) {
        const Image rgba = source.render_to_rgba8(zoomed_request(state, spec, 320, 200, 0.25));
        Image rgb(320, 200, 3, SampleType::u8);
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 320; ++x) std::copy_n(rgba.row(y) + size_t(x) * 4, 3, rgb.row(y) + size_t(x) * 3);
        EXPECT_TRUE(contains(sheet, rgb)) << spec;
    }
}

// The sheet shows the state as it was, with the same figures and the same differences as that of the image in memory.
TEST(SheetOfPanes, IsTheSameMadeInTheBackgroundOfAnImageThatIsReadByRegions) {
    SourceCache sources(make_cpu_backend());
    AppState state = state_with(Arrangement::columns, {"bspline", "nearest", "catmull-rom"});
    state.scene.panes[1].difference = true;
    for (PaneReport& pane : state.report.findings.panes) pane.render_ms = 2;  // known: no time is measured
    const Image whole = made_in_steps(state, sources);

    const auto image = state.scene.document()->image;
    state.scene.documents[0].image = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
    expect_equal(made_in_steps(state, sources), whole);
    SheetMaker maker(state);
    EXPECT_TRUE(maker.by_regions());
    const PictureBeside beside = sheet_beside(std::move(maker), sources.backend()->info());
    state.scene.panes.pop_back();
    state.scene.documents[0].view = {};
    std::vector<int> parts;
    expect_equal(*made_beside(beside, [&](int done, int total) { parts.insert(parts.end(), {done, total}); }), whole);
    EXPECT_EQ(parts, (std::vector<int>{0, 3, 1, 3, 2, 3}));
}

// A pane that is out of view has not been timed in the window, and is not where that would be the time of reading.
TEST(SheetOfPanes, WhatIsReadByRegionsIsNotTimed) {
    SourceCache sources(make_cpu_backend());
    AppState state = state_with(Arrangement::single, {"bspline", "nearest"});
    const auto image = state.scene.document()->image;
    state.scene.documents[0].image = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
    const Image first = made_in_steps(state, sources);
    expect_equal(made_in_steps(state, sources), first);
}

TEST(SheetOfPanes, WithoutAnImageThereIsNone) {
    SourceCache sources(make_cpu_backend());
    AppState state = state_with(Arrangement::single, {"bspline"});
    state.scene.documents[0].image.reset();
    EXPECT_THROW(SheetMaker{state}, Error);
    EXPECT_THROW(saved_view(state, 0, {}, sources), Error);
}

TEST(SaveWindow, ProposesAPathBesideTheImageAndAsksForWhatItIsAbout) {
    using Saving = UiState::Saving;
    AppState state = state_with(Arrangement::single, {"bspline"});
    state.scene.documents[0].source = "/photos/photo.tif";
    toggle_save_window(state.scene, state.ui, Saving::view);
    EXPECT_TRUE(state.ui.dialogs.has(Dialog::save));
    EXPECT_EQ(state.ui.save_path, "/photos/photo-view.png");
    state.ui.save_path = "/slides/other.png";
    save_something_else(state.scene, state.ui, Saving::sheet);
    EXPECT_EQ(state.ui.save_path, "/slides/photo-sheet.png");
    toggle_save_window(state.scene, state.ui, Saving::sheet);
    EXPECT_FALSE(state.ui.dialogs.has(Dialog::save));
    toggle_save_window(state.scene, state.ui, Saving::session);
    state.ui.save_path = "/slides/lesson";
    request_saving(state);
    EXPECT_FALSE(state.ui.dialogs.has(Dialog::save));
    ASSERT_EQ(state.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::SaveSession>(state.tasks[0]).path, "/slides/lesson.json");
    toggle_save_window(state.scene, state.ui, Saving::view);
    state.ui.save_size = {640, 480};
    request_saving(state);
    EXPECT_EQ(std::get<task::SaveView>(state.tasks[1]).size, (Extent{640, 480}));
    state.scene.documents[0].source = "@zone-plate:512";
    EXPECT_EQ(default_save_path(state.scene, Saving::profile), "zone-plate-512-profile.csv");
    EXPECT_FALSE(can_save(state, Saving::profile));
}

// The whole image at another size: sizes are rounded, and the outer edges of both pictures agree.

TEST(WholePictures, SizesAreRoundedAndNeverEmpty) {
    const Image image(50, 41, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.factor = {2.5, 0.5};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{125, 21}));
    picture.factor = {0.001, 0.001};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{1, 1}));
    picture.size = {7, 9};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{7, 9}));
    picture.size = {};
    picture.factor = {1e6, 1};
    EXPECT_THROW(extent_of(picture, shape_of(image)), UsageError);
}

TEST(WholePictures, OuterEdgesAgree) {
    const Image image(50, 40, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.size = {100, 10};
    const RenderRequest request = request_for(picture, shape_of(image));
    // A pixel's outer edge is half a pixel from its centre, a sample's half a sample.
    const Affine& a = *request.positions;
    EXPECT_DOUBLE_EQ(a.x0 - a.xx / 2, -0.5);
    EXPECT_DOUBLE_EQ(a.x0 + a.xx * 99.5, 49.5);
    EXPECT_DOUBLE_EQ(a.y0 - a.yy / 2, -0.5);
    EXPECT_DOUBLE_EQ(a.y0 + a.yy * 9.5, 39.5);
}

TEST(WholePictures, ASignalKeepsItsOnlyRow) {
    Image image(50, 1, 1, SampleType::f32);
    image.set_one_dimensional(true);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.factor = {3, 3};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{150, 1}));
}

// Bands of rows are the picture that is rendered at once, and the work ends before the band whose progress throws.
TEST(WholePictures, BandsMakeTheSamePicture) {
    const Image image = load_image("@dead-leaves:300x260");
    SourceImage source(make_cpu_backend(), image);
    for (const char* method : {"bspline", "catmull-rom:path=hardware", "nearest"})
        for (const double factor : {4.7, 1.5, 0.3}) {
            const WholePicture picture{.spec = parse_spec(method), .factor = {factor, factor}, .antialias = false};
            const RenderRequest request = request_for(picture, shape_of(image));
            int bands = 0;
            const Image banded = render_in_bands(source, request, [&](int, int) { ++bands; });
            const Image whole = source.render_to_image(request);
            EXPECT_GT(bands, factor > 2 && std::string_view(method) == "bspline" ? 1 : 0);
            ASSERT_EQ(banded.size_bytes(), whole.size_bytes());
            float most = 0;
            for (size_t k = 0; k < whole.size_bytes() / sizeof(float); ++k)
                most = std::max(most, std::abs(reinterpret_cast<const float*>(banded.data())[k] -
                                               reinterpret_cast<const float*>(whole.data())[k]));
            EXPECT_LE(most, 1e-6f) << method << " ×" << factor;
        }
    const RenderRequest request =
        request_for({.spec = parse_spec("bspline"), .size = Extent{3000, 3000}}, ImageShape{9, 9});
    SourceImage small(make_cpu_backend(), Image(9, 9, 1, SampleType::u8));
    int rows = 0;
    const auto stop = [&](int row, int) {
        rows = row;
        if (row > 1000) throw Error("cancelled");
    };
    EXPECT_THROW(render_in_bands(small, request, stop), Error);
    EXPECT_LT(rows, 2000);
}

}  // namespace
}  // namespace texelscope::test
