// docs/files.md says of each format what its codec says.

#include "app/studies/methods_page/formats_table.h"

#include <gtest/gtest.h>

#include "tests/docs/markdown.h"

namespace texelscope::test {
namespace {

TEST(FormatsTable, IsWhatTheCodecsSay) {
    const std::string page = read_text(docs_folder() / "files.md");
    EXPECT_TRUE(page == with_formats_table(page))
        << "the table of formats in files.md is stale; build make_methods_page and run it from the project's root";
}

}  // namespace
}  // namespace texelscope::test
