// Files whose names were copied: lists of URIs, as file managers make them, and paths as text.

#include <gmock/gmock.h>

#include <cstdlib>

#include "app/files/bytes/naming.h"
#include "app/files/desktop/copied_files.h"

namespace texelscope::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CopiedFiles, AUriIsAPathOfThisMachine) {
    EXPECT_EQ(path_of_uri("file:///d/photo.png"), "/d/photo.png");
    EXPECT_EQ(path_of_uri("FILE:///d/a%20b%23%25.png"), "/d/a b#%.png");
    EXPECT_EQ(path_of_uri("file://localhost/d/x"), "/d/x");
    for (const char* other : {"https://example.org/x.png", "file://elsewhere/x", "file://", "file:///d/%zz",
                              "file:///d/%2", "file:///d/%00", "/d/x", ""})
        EXPECT_EQ(path_of_uri(other), "") << other;
    const std::string odd = "/d/größe 1 %41 #2 (3)'\".png";
    EXPECT_EQ(path_of_uri("file://" + encoded_path(odd)), odd);
}

TEST(CopiedFiles, EveryLineOfAListNamesOne) {
    EXPECT_THAT(files_in_text("# copied\r\nfile:///d/a.png\r\nfile:///d/b%201.png\r\n"),
                ElementsAre("/d/a.png", "/d/b 1.png"));
    EXPECT_THAT(files_in_text(" /d/a b.png \n\n/d/c.png"), ElementsAre("/d/a b.png", "/d/c.png"));
    const char* const home = std::getenv("HOME");
    if (home && *home) {
        EXPECT_THAT(files_in_text("~/x.png"), ElementsAre(home + std::string("/x.png")));
    }
    EXPECT_THAT(files_in_text("/d/a.png\nand more words"), IsEmpty()) << "a text that only begins with one";
    EXPECT_THAT(files_in_text("12.5, 3"), IsEmpty());
    EXPECT_THAT(files_in_text(""), IsEmpty());
}

}  // namespace
}  // namespace texelscope::test
