// Files of sessions: their names, and those included with the program.

#include <gtest/gtest.h>

#include <filesystem>

#include "app/state/session/session.h"

namespace texelscope::test {
namespace {

TEST(SessionFiles, NamesOfSessionsEndInJson) {
    EXPECT_TRUE(is_session_name("a.json"));
    EXPECT_TRUE(is_session_name("/x/b.json"));
    EXPECT_FALSE(is_session_name("@a.json"));
    EXPECT_FALSE(is_session_name("a.png"));
    EXPECT_FALSE(is_session_name("json"));
}

// The sessions included with the program.
TEST(SessionFiles, TheExamplesCanBeOpened) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/assets/sessions")) {
        const Session session = read_session(entry.path());
        EXPECT_GE(session.scene.panes.size(), 2u) << entry.path();
        for (const Document& document : session.scene.documents)
            EXPECT_FALSE(document.is_file()) << entry.path() << " needs " << document.source;
        ++count;
    }
    EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace texelscope::test
