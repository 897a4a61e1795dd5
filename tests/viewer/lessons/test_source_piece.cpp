// Pieces of source by name: regions between marks, and definitions as a reader would cut them out.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/files/bytes/embedded_files.h"
#include "app/viewer/lessons/source_piece.h"

namespace texelscope::test {
namespace {

const char* const source = R"(#include <a>

int twice(int);  // a declaration

int user(int x) { return twice(x) + twice(2 * x); }

// What it does.
// In two lines.
template <int n>
int twice(int x) {
    const char brace = '{';  // } not this one
    const char* text = "} nor {";
    if (x > 1'000'000) { return n; }
    return x;
}

struct Box {
    int side;
    // [lesson: area]
    int area() const noexcept { return side * side; }
    // [lesson end]
    Box(int s) : side{s} { (void)s; }
};
int after = 0;
)";

std::string joined(const std::optional<SourcePiece>& piece) {
    std::string text;
    if (piece)
        for (const std::string& line : piece->lines) text += line + "\n";
    return text;
}

TEST(SourcePiece, AFunctionWithItsCommentAndItsTemplateLine) {
    const auto piece = piece_of(source, "twice");
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->first_line, 7);
    ASSERT_EQ(piece->lines.size(), 9u);
    EXPECT_EQ(piece->lines.front(), "// What it does.");
    EXPECT_EQ(piece->lines.back(), "}");
}

TEST(SourcePiece, AFunctionOnOneLineATypeAndAMarkedRegion) {
    EXPECT_EQ(joined(piece_of(source, "user")), "int user(int x) { return twice(x) + twice(2 * x); }\n");
    const auto box = piece_of(source, "Box");
    ASSERT_TRUE(box);
    EXPECT_EQ(box->lines.front(), "struct Box {");
    EXPECT_EQ(box->lines.back(), "};");
    const auto region = piece_of(source, "area");
    EXPECT_EQ(joined(region), "int area() const noexcept { return side * side; }\n");
    EXPECT_EQ(region->first_line, 20);
}

TEST(SourcePiece, NothingForWhatIsNotDefined) {
    for (const char* name : {"wice", "x", "after", "brace", "", "lesson"}) EXPECT_FALSE(piece_of(source, name)) << name;
}

TEST(SourcePiece, IsWhatTheFileHas) {
    const SourcePiece piece = find_source_piece("gpu/methods/bilinear.cpp: weights");
    EXPECT_EQ(piece.file, "gpu/methods/bilinear.cpp");
    std::ifstream file(TEXELSCOPE_SOURCE_DIR "/gpu/methods/bilinear.cpp");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    for (size_t i = 0; i < piece.lines.size(); ++i) {
        const std::string& line = lines.at(size_t(piece.first_line) - 1 + i);
        EXPECT_EQ(line.substr(std::min(line.size(), line.size() - piece.lines[i].size())), piece.lines[i]);
    }
    EXPECT_NE(joined(piece).find("w[1] = t"), std::string::npos);
}

TEST(SourcePiece, EmbeddedSourcesAreTheFilesOfTheProject) {
    EXPECT_GT(embedded_sources().size(), 100u);
    for (const EmbeddedFile& embedded : embedded_sources()) {
        std::ifstream file(std::string(TEXELSCOPE_SOURCE_DIR "/") + std::string(embedded.name));
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_EQ(text, embedded.text) << embedded.name;
    }
}

}  // namespace
}  // namespace texelscope::test
