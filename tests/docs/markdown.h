#pragma once
// As much Markdown as the tests of the pages in docs/ need.

#include <filesystem>
#include <string>
#include <vector>

namespace texelscope::test {

std::string read_text(const std::filesystem::path& path);

inline std::filesystem::path docs_folder() { return std::filesystem::path(TEXELSCOPE_SOURCE_DIR) / "docs"; }

// A fenced block: the text after the opening fence, its lines, and the number of the first one.
struct Block {
    std::string kind, text;
    int line = 0;
};
std::vector<Block> blocks(const std::string& page);

// The page without its fenced blocks.
std::string prose(const std::string& page);

// Targets of [words](target), ![words](target) and src="target".
std::vector<std::string> links(const std::string& page);

// Names that #name can point at: <a id="name"> and headings, as GitHub names them.
std::vector<std::string> anchors(const std::string& page);

// One sentence for each link to a file or an anchor that does not exist.
std::vector<std::string> broken_links(const std::filesystem::path& page);

}  // namespace texelscope::test
