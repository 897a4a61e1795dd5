// Sheets: every pane's pixels are present, texts stay within their cells, and figures are worded correctly.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "app/drawing/canvas.h"
#include "app/drawing/sheet.h"
#include "app/picture/kept_pictures.h"
#include "app/state/report.h"
#include "app/text/text.h"

namespace texelscope::test {
namespace {

constexpr std::array<uint8_t, 3> background = {0x20, 0x20, 0x20};

Image noise(int width, int height, unsigned seed) {
    Image image(width, height, 3, SampleType::u8);
    std::mt19937 random(seed);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * 3; ++i) image.row_as<uint8_t>(y)[i] = uint8_t(random());
    return image;
}

std::vector<SheetPane> panes_of(int count, int width, int height) {
    std::vector<SheetPane> panes;
    for (int i = 0; i < count; ++i) {
        SheetPane pane;
        pane.picture = noise(width, height, unsigned(i));
        pane.index = i;
        pane.badge = std::string(1, char('A' + i));
        pane.label = "A label that is far too long for any pane of whatever size, so that it has to be cut somewhere";
        pane.metrics = Metrics{.rmse = 0.0123, .max_abs = 0.5, .psnr = 38.2, .ssim = 0.98, .pixels = 100};
        pane.milliseconds = 0.071;
        pane.fetches = 4;
        panes.push_back(std::move(pane));
    }
    return panes;
}

bool is_background(const Image& sheet, int x, int y) {
    return std::equal(background.begin(), background.end(), sheet.row_as<uint8_t>(y) + size_t(x) * 3);
}

// The position of the picture, magnified by a whole number; −1, −1 if it is absent.
struct Place {
    int x = -1, y = -1;
};
Place find(const Image& sheet, const Image& picture, int times) {
    const int w = picture.width() * times, h = picture.height() * times;
    const auto pixel = [](const Image& image, int x, int y) { return image.row_as<uint8_t>(y) + size_t(x) * 3; };
    for (int y = 0; y + h <= sheet.height(); ++y)
        for (int x = 0; x + w <= sheet.width(); ++x) {
            bool same = true;
            for (int j = 0; same && j < h; ++j)
                for (int i = 0; same && i < w; ++i)
                    same = std::equal(pixel(picture, i / times, j / times), pixel(picture, i / times, j / times) + 3,
                                      pixel(sheet, x + i, y + j));
            if (same) return {x, y};
        }
    return {};
}

TEST(Sheet, HoldsEachPaneExactlyAndNothingOverlaps) {
    for (const int count : {1, 2, 4, 16}) {
        const auto panes = panes_of(count, 500, 90);
        const Image sheet = make_sheet(panes, {"title", "reference", "device"});
        std::vector<Place> places;
        for (const SheetPane& pane : panes) {
            places.push_back(find(sheet, pane.picture, 1));
            ASSERT_GE(places.back().x, 0) << count << " " << pane.badge;
        }
        // Between a picture and the right neighbour, and the text below them, nothing is drawn.
        for (const Place& a : places)
            for (const Place& b : places)
                for (int y = a.y; a.y == b.y && b.x > a.x && y < a.y + 90 + 60; ++y)
                    ASSERT_TRUE(is_background(sheet, b.x - 2, y)) << count << " " << y;
        // Nor at the sheet's edges, where long titles would run out.
        for (int y = 0; y < sheet.height(); ++y) {
            EXPECT_TRUE(is_background(sheet, 2, y));
            EXPECT_TRUE(is_background(sheet, sheet.width() - 3, y));
        }
    }
}

TEST(Sheet, LongTitlesAreCut) {
    const std::string words(500, 'W');
    const Image sheet = make_sheet(panes_of(1, 500, 90), {words, words, words});
    for (int y = 0; y < sheet.height(); ++y) EXPECT_TRUE(is_background(sheet, sheet.width() - 3, y)) << y;
}

TEST(Sheet, SmallPicturesAreMagnifiedPixelByPixel) {
    const auto panes = panes_of(2, 7, 5);
    const Image sheet = make_sheet(panes, {"t", "r", "d"});
    int times = 1;
    while (times < 200 && find(sheet, panes[1].picture, times).x < 0) ++times;
    EXPECT_GE(7 * times, 240);
    EXPECT_LT(7 * times, 500);
}

TEST(Sheet, IsAboutAsWideAsASlideUnlessColumnsAreChosen) {
    for (const int count : {2, 4, 6, 9, 12, 16}) {
        const Image sheet = make_sheet(panes_of(count, 640, 360), {});
        const double aspect = double(sheet.width()) / sheet.height();
        EXPECT_GT(aspect, 16.0 / 9 / 2) << count;
        EXPECT_LT(aspect, 16.0 / 9 * 2) << count;
    }
    const auto panes = panes_of(6, 300, 50);
    const Image column = make_sheet(panes, {}, 1), row = make_sheet(panes, {}, 6), more = make_sheet(panes, {}, 16);
    EXPECT_EQ(find(column, panes[0].picture, 1).x, find(column, panes[5].picture, 1).x);
    EXPECT_EQ(find(row, panes[0].picture, 1).y, find(row, panes[5].picture, 1).y);
    EXPECT_EQ(more.width(), row.width());
}

// The legend's bar: the colours of the map from its first to its last.
TEST(Sheet, DifferencesHaveALegendInTheirColours) {
    auto panes = panes_of(2, 320, 60);
    const int plain = make_sheet(panes, {}).height();
    panes[1].difference = DifferenceSettings{DifferenceKind::signed_, 16, ColourMap::balance};
    const Image sheet = make_sheet(panes, {});
    EXPECT_GT(sheet.height(), plain);
    const auto& colours = colour_table(ColourMap::balance);
    const auto is = [&](int x, int y, uint32_t c) {
        const uint8_t* p = sheet.row_as<uint8_t>(y) + size_t(x) * 3;
        return p[0] == uint8_t(c) && p[1] == uint8_t(c >> 8) && p[2] == uint8_t(c >> 16);
    };
    int first = 0, last = 0;
    for (int y = plain - 30; y < sheet.height(); ++y)
        for (int x = 0; x < sheet.width(); ++x) {
            first += is(x, y, colours[1]) || is(x, y, colours[0]);
            last += is(x, y, colours[254]) || is(x, y, colours[255]);
        }
    EXPECT_GT(first, 5);
    EXPECT_GT(last, 5);
}

// Below a map: 9 pixels of the smallest errors and 1 of the largest, a quarter in pane A and half in B. Bars are as high as the
// square roots, in the map's colours, and A's end in the middle of the axis, B's at its right end.
TEST(Sheet, MapsHaveAHistogramToOneScale) {
    auto panes = panes_of(2, 320, 60);
    const int plain = make_sheet(panes, {}, 2).height();
    for (SheetPane& pane : panes) {
        pane.difference = DifferenceSettings{DifferenceKind::flip, 1, ColourMap::ember};
        MapFigures map;
        map.largest = &pane == &panes[0] ? 0.25 : 0.5;
        map.pixels = 10;
        map.histogram.front() = 9;
        map.histogram.back() = 1;
        pane.map = map;
    }
    const Image sheet = make_sheet(panes, {}, 2);
    EXPECT_GT(sheet.height(), plain);
    const auto& colours = colour_table(ColourMap::ember);
    const auto height_of = [&](int x, int top, double share) {
        const uint32_t c = colours[size_t(std::lround(255 * share))];
        int rows = 0;
        for (int y = top; y < top + 240 && y < sheet.height(); ++y) {
            const uint8_t* p = sheet.row_as<uint8_t>(y) + size_t(x) * 3;
            rows += p[0] == uint8_t(c) && p[1] == uint8_t(c >> 8) && p[2] == uint8_t(c >> 16);
        }
        return rows;
    };
    const Place a = find(sheet, panes[0].picture, 1), b = find(sheet, panes[1].picture, 1);
    ASSERT_GE(a.x, 0);
    ASSERT_GE(b.x, 0);
    const int below = a.y + 60, width = 320;
    const double half_column = 0.5 / MapFigures::columns;
    const int many = height_of(a.x + 1, below, 0.25 * half_column),
              few = height_of(a.x + width / 2 - 2, below, 0.25 * (1 - half_column));
    EXPECT_GT(many, 30);
    EXPECT_NEAR(many, 3 * few, 3);  // whole pixels
    EXPECT_EQ(height_of(b.x + width - 2, below, 0.5 * (1 - half_column)), few);
    EXPECT_EQ(height_of(a.x + width - 2, below, 0.5 * (1 - half_column)), 0);
}

TEST(Sheet, WhatCannotBeDrawnIsRefused) {
    EXPECT_THROW(make_sheet({}, {}), Error);
    auto panes = panes_of(2, 32, 32);
    panes[1].picture = noise(32, 31, 1);
    EXPECT_THROW(make_sheet(panes, {}), Error);
    panes[1].picture = Image(32, 32, 1, SampleType::u8);
    EXPECT_THROW(make_sheet(panes, {}), Error);
}

std::string joined(const SheetPane& pane) {
    std::string text;
    for (const Figure& f : figures_of(pane)) text += f.name + " " + f.value + " " + f.unit + "|";
    return text;
}

TEST(Figures, CountsOfFetchesNameWhatTheyCount) {
    EXPECT_EQ(count_words({.fetches = 1}), "1 fetch");
    EXPECT_EQ(count_words({.fetches = 9}), "9 fetches");
    EXPECT_EQ(count_words({.fetches = 1, .taps = true}), "1 tap");
    EXPECT_EQ(count_words({.fetches = 16, .taps = true}), "16 taps");
    EXPECT_EQ(count_words({.fetches = 35.6, .taps = true, .widened = true}), "~36 taps");
    EXPECT_EQ(count_words({.fetches = 0, .taps = true, .widened = true}), "taps vary");
}

TEST(Figures, AreWordedWithTheirUnits) {
    SheetPane pane;
    pane.metrics = Metrics{.rmse = 0.00123456, .max_abs = 0.0316, .psnr = 58.17, .ssim = 0.99123, .pixels = 10};
    pane.milliseconds = 0.0712;
    pane.fetches = 4;
    EXPECT_EQ(joined(pane), "RMSE 0.00123 |PSNR 58.2 dB|max 0.0316 |SSIM 0.9912 | 71.2 µs| 4 fetches|");
    pane.metrics = Metrics{.psnr = std::numeric_limits<double>::infinity(), .ssim = std::nan(""), .pixels = 10};
    pane.milliseconds = 12.34;
    pane.fetches = 1;
    EXPECT_EQ(joined(pane), "RMSE 0 |PSNR ∞ dB|max 0 | 12.3 ms| 1 fetch|");
    pane.taps = true;
    EXPECT_EQ(joined(pane), "RMSE 0 |PSNR ∞ dB|max 0 | 12.3 ms| 1 tap|");
    pane.fetches = 16;
    EXPECT_EQ(joined(pane), "RMSE 0 |PSNR ∞ dB|max 0 | 12.3 ms| 16 taps|");
    pane.metrics = Metrics{};
    pane.milliseconds = pane.fetches = 0;
    EXPECT_EQ(joined(pane), "no pixel to compare  |");
    EXPECT_EQ(ssim_text(1), "1.0000");
    EXPECT_EQ(ssim_text(0.999987), "1.0000");
    EXPECT_EQ(ssim_text(0.99950), "0.9995");
    EXPECT_EQ(ssim_text(-0.25), "-0.2500");
    EXPECT_EQ(ssim_text(1 - 1e-12), "1.0000");  // not exactly
}

TEST(Figures, NameWhatTheyAreAgainst) {
    SheetPane pane;
    pane.metrics = Metrics{.rmse = 2.04e-8, .max_abs = 3e-7, .psnr = 31.06, .ssim = 0.99123, .pixels = 10};
    pane.against.name = "cubic B-spline";
    EXPECT_EQ(joined(pane), "against cubic B-spline 31.1 dB|RMSE 2.04e-08 |max 3.00e-07 |SSIM 0.9912 |");
    pane.against.tells = Against::Tells::arithmetic;
    EXPECT_EQ(joined(pane), "arithmetic error 2e-8 |max 3e-7 |");
    pane.against.tells = Against::Tells::nothing;
    EXPECT_EQ(joined(pane), "is the reference  |");
    EXPECT_EQ(arithmetic_text(0), "0");
    EXPECT_EQ(arithmetic_text(0.00123), "0.0012");
    EXPECT_EQ(arithmetic_text(1.26e-12), "1.3e-12");
}

TEST(Figures, LegendsTellTheEnds) {
    const LegendText signed_text = legend_text({DifferenceKind::signed_, 8, ColourMap::balance});
    EXPECT_EQ(signed_text.low + "," + signed_text.middle + "," + signed_text.high, "≤ −0.125,0,≥ 0.125");
    const LegendText squared = legend_text({DifferenceKind::squared, 100, ColourMap::ember});
    EXPECT_EQ(squared.low + "," + squared.middle + "," + squared.high, "0,,≥ 0.01");
    const ValueScale levels(ValueUnit::levels, SampleType::u8);
    EXPECT_EQ(legend_text({DifferenceKind::absolute, 8, ColourMap::ember}, levels).high, "≥ 31.9");
    EXPECT_EQ(legend_text({DifferenceKind::squared, 100, ColourMap::ember}, levels).high, "≥ 650");
    EXPECT_EQ(legend_text({DifferenceKind::relative, 8, ColourMap::ember}, levels).high, "≥ 0.125") << "a ratio";
}

TEST(TextRaster, ElidedTextsFitAndKeepWholeCharacters) {
    const TextRaster raster;
    const std::string text = "Größe – ÄÖÜ äöü ß × µ";
    for (double width = 0; width < 200; width += 3) {
        const std::string shown = raster.elided(TextRaster::Face::text, 15, text, width);
        EXPECT_LE(raster.width(TextRaster::Face::text, 15, shown), width);
        if (shown == text || shown.empty()) continue;
        ASSERT_TRUE(shown.ends_with("…"));
        const std::string head = shown.substr(0, shown.size() - 3);
        EXPECT_TRUE(text.starts_with(head));
        EXPECT_NE(text[head.size()] & 0xC0, 0x80) << shown;
    }
}

TEST(TextRaster, WithoutFontsTheBitmapFontStandsIn) {
    const TextRaster raster(TextRaster::Bitmap{});
    Image image(200, 40, 3, SampleType::u8);
    const double end = raster.draw(image, TextRaster::Face::text, 22, 4, 30, {255, 255, 255}, "Ab–1");
    EXPECT_NEAR(end - 4, raster.width(TextRaster::Face::text, 22, "Ab–1"), 1e-9);
    int lit = 0, beyond = 0;
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 200; ++x) (x < end ? lit : beyond) += image.row_as<uint8_t>(y)[x * 3] == 255;
    EXPECT_GT(lit, 100);
    EXPECT_EQ(beyond, 0);
}

TEST(TextRaster, IsClippedToThePicture) {
    const TextRaster raster;
    Image image(10, 10, 3, SampleType::u8);
    raster.draw(image, TextRaster::Face::heading, 40, -30, 5, {255, 255, 255}, "Wide \xff\xc3 text");
    raster.draw(image, TextRaster::Face::mono, 40, 8, 80, {255, 255, 255}, "WM");
}

// A view at another size shows the same field: the left and right edges of the first and last pixel read the same
// position.
TEST(SaveSize, TheWidthShowsWhatThePanesWidthShows) {
    RenderRequest request;
    request.spec = parse_spec("bspline");
    request.view = {3.5, -2, 0.37, 20};
    request.width = 300;
    request.height = 200;
    RenderRequest by_positions = request;
    by_positions.positions = sampling_affine(request.view, 640, 480, 300, 200);
    for (const Extent size : {Extent{1200, 800}, Extent{75, 50}, Extent{301, 77}}) {
        const RenderRequest resized = resized_request(request, size);
        ASSERT_EQ(resized.width, size.width);
        ASSERT_EQ(resized.height, size.height);
        const Affine before = *by_positions.positions;
        const Affine after = sampling_affine(resized.view, 640, 480, size.width, size.height);
        const Affine moved = *resized_request(by_positions, size).positions;
        for (const double end : {-0.5, 0.5}) {
            const Point expected = apply(before, end < 0 ? -0.5 : 299.5, 99.5);
            const double i = end < 0 ? -0.5 : size.width - 0.5, j = (size.height - 1) / 2.0;
            for (const Affine& affine : {after, moved}) {
                EXPECT_NEAR(apply(affine, i, j).x, expected.x, 1e-9);
                EXPECT_NEAR(apply(affine, i, j).y, expected.y, 1e-9);
            }
        }
    }
    EXPECT_EQ(resized_request(request, {}), request);
    EXPECT_EQ(resized_request(by_positions, {300, 200}), by_positions);
}

}  // namespace
}  // namespace texelscope::test
