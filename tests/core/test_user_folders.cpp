// The user's folders, by the rules of the XDG Base Directory specification.

#include <gtest/gtest.h>

#include "gpu/core/machine.h"
#include "tests/support/environment.h"

namespace texelscope::test {
namespace {

TEST(UserFolders, AreThoseOfTheVariablesIfAbsoluteElseInTheHomeFolder) {
    const Variable home("HOME", "/home/nobody");
    for (const auto& [folder, standard] : {std::pair(config_home, "/home/nobody/.config/texelscope"),
                                           std::pair(data_home, "/home/nobody/.local/share/texelscope"),
                                           std::pair(cache_home, "/home/nobody/.cache/texelscope")}) {
        const Variable chosen(folder.variable, "/tmp/chosen");
        EXPECT_EQ(path_in(folder, "texelscope"), "/tmp/chosen/texelscope");
        for (const char* const ignored : {"", "not/absolute"}) {
            const Variable set(folder.variable, ignored);
            EXPECT_EQ(path_in(folder, "texelscope"), standard) << folder.variable << '=' << ignored;
            const Variable nowhere("HOME", ignored);
            EXPECT_EQ(path_in(folder, "texelscope"), "");
        }
    }
}

}  // namespace
}  // namespace texelscope::test
