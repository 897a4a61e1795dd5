// Fonts, and the colours of panes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "app/drawing/canvas.h"
#include "app/drawing/plot.h"
#include "app/files/bytes/embedded_files.h"
#include "app/state/scene.h"
#include "gpu/compare/compared_pixel.h"

#include <ft2build.h>
#include FT_FREETYPE_H

namespace texelscope::test {
namespace {

// The program includes its fonts, with the characters that it writes.

class Fonts : public testing::Test {
protected:
    void SetUp() override {
        if (embedded_fonts().empty()) GTEST_SKIP() << "built without fonts: install fonts-inter, fonts-jetbrains-mono";
    }
};

class Library {
public:
    Library() { EXPECT_EQ(FT_Init_FreeType(&library_), 0); }
    ~Library() { FT_Done_FreeType(library_); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    bool has(std::string_view font, char32_t sign) const {
        FT_Face face = nullptr;
        const auto* bytes = reinterpret_cast<const FT_Byte*>(font.data());
        if (FT_New_Memory_Face(library_, bytes, FT_Long(font.size()), 0, &face) != 0) return false;
        const bool found = FT_Get_Char_Index(face, sign) != 0;
        FT_Done_Face(face);
        return found;
    }

private:
    FT_Library library_ = nullptr;
};

TEST_F(Fonts, EachHasTheSignsOfTheInterface) {
    ASSERT_EQ(embedded_fonts().size(), 4u);
    const Library library;
    for (const EmbeddedFile& font : embedded_fonts())
        for (const char32_t sign : std::u32string_view(U"Aß0·…→×β−–±≤≥∞µ√"))
            EXPECT_TRUE(library.has(font.text, sign)) << font.name << " lacks U+" << std::hex << uint32_t(sign);
}

// The first font is drawn with; the second, from the program as well, is searched before this machine's.
TEST_F(Fonts, AreDrawnWithFromTheProgram) {
    const auto embedded = [](std::string_view bytes) {
        for (const EmbeddedFile& font : embedded_fonts())
            if (font.text.data() == bytes.data()) return std::string(font.name);
        return std::string();
    };
    for (const auto& [face, name] : {std::pair{FontFace::text, "Inter-Regular.otf"},
                                     {FontFace::heading, "Inter-SemiBold.otf"},
                                     {FontFace::italic, "Inter-Italic.otf"},
                                     {FontFace::mono, "JetBrainsMono-Regular.ttf"}}) {
        const auto& files = font_files(face);
        ASSERT_GE(files.size(), 2u);
        EXPECT_EQ(embedded(files[0]), name);
        EXPECT_FALSE(embedded(files[1]).empty());
    }
}

TEST_F(Fonts, AreNotLookedForWhereTheProgramRuns) {
    std::ifstream file(TEXELSCOPE_PROGRAM, std::ios::binary);
    const std::string program(std::istreambuf_iterator<char>(file), {});
    ASSERT_GT(program.size(), 1u << 20);
    for (const char* folder : {"/opentype/inter", "/truetype/jetbrains-mono"})
        EXPECT_EQ(program.find(folder), program.npos) << folder;
}

using Rgb = std::array<double, 3>;
using Matrix = std::array<Rgb, 3>;

// The colours of panes can be told apart, on the dark of the window, by everybody.

// Machado, Oliveira & Fernandes 2009, A physiologically-based model for simulation of color vision deficiency, severity
// 1.0; of linear light.
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix all_cones = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Rgb colour(uint32_t rgb) {
    return {double(rgb >> 16 & 255) / 255, double(rgb >> 8 & 255) / 255, double(rgb & 255) / 255};
}

double encoded(double linear) {
    const double v = std::clamp(linear, 0.0, 1.0);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

Lab seen(uint32_t rgb, const Matrix& eyes) {
    const Rgb c = colour(rgb);
    Rgb result;
    for (size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (size_t k = 0; k < 3; ++k) sum += eyes[i][k] * srgb_decoded(c[k]);
        result[i] = encoded(sum);
    }
    return lab_of_srgb(result[0], result[1], result[2]);
}

double nearest_pair(const Matrix& eyes) {
    double least = 1000;
    for (int a = 0; a < max_panes; ++a)
        for (int b = 0; b < a; ++b)
            least = std::min(least, delta_e_2000(seen(pane_rgb(a), eyes), seen(pane_rgb(b), eyes)));
    return least;
}

TEST(PaneColours, DifferByTwentyEach) {
    static_assert(pane_colour_count >= max_panes);
    EXPECT_GE(nearest_pair(all_cones), 20);
}

// Eight times what is just noticeable.
TEST(PaneColours, DifferForPeopleWithoutRedOrGreenCones) {
    EXPECT_GE(nearest_pair(deuteranopia), 8);
    EXPECT_GE(nearest_pair(protanopia), 8);
}

TEST(PaneColours, StandOutFromTheWindowAndCarryDarkLetters) {
    const auto luminance = [](uint32_t rgb) {
        const Rgb c = colour(rgb);
        return 0.2126 * srgb_decoded(c[0]) + 0.7152 * srgb_decoded(c[1]) + 0.0722 * srgb_decoded(c[2]);
    };
    for (int pane = 0; pane < max_panes; ++pane) {
        for (const uint32_t dark : {0x25272bu, 0x202020u, 0x1c1e21u})  // panel, behind the picture, plots
            EXPECT_GE(delta_e_2000(seen(pane_rgb(pane), all_cones), seen(dark, all_cones)), 25) << pane;
        EXPECT_GE((luminance(pane_rgb(pane)) + 0.05) / (luminance(0x16181a) + 0.05), 3.5) << pane;  // WCAG: 3
    }
}

TEST(PaneColours, OfCurvesAreTheSame) {
    for (int pane = 0; pane < max_panes; ++pane) EXPECT_EQ(int(pane_ink(pane)), pane);
    EXPECT_EQ(int(Ink::grey), max_panes);
}

}  // namespace
}  // namespace texelscope::test
