// The program includes its fonts, with the characters that it writes.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <gtest/gtest.h>

#include "app/drawing/embedded_fonts.h"
#include "app/files/bytes/embedded_files.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
