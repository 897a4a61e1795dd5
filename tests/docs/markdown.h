#pragma once
// As much Markdown as the tests of the pages in docs/ need.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace texelscope::test {

inline std::filesystem::path docs_folder() { return std::filesystem::path(TEXELSCOPE_SOURCE_DIR) / "docs"; }

// A fenced block: the text after the opening fence, its lines, and the number of the first one.
struct Block {
    std::string kind, text;
    int line = 0;
};

// Visits each line: visit(line, number, inside a fence?); fences themselves count as inside.
template <class Visit> void for_each_line(const std::string& page, Visit visit) {
    std::istringstream lines(page);
    std::string line;
    bool inside = false;
    for (int number = 1; std::getline(lines, line); ++number) {
        const bool fence = line.starts_with("```");
        visit(line, number, inside || fence);
        if (fence) inside = !inside;
    }
}

// GitHub's name of a heading: lower case, spaces become hyphens, punctuation is removed. Only ASCII is handled; other
// characters are kept if they are letters and dropped if they are dashes.
inline std::string slug(std::string heading) {
    std::string result;
    for (const char c : std::regex_replace(heading, std::regex("–|—|…|×"), "")) {
        if (c == ' ' || c == '-') result += '-';
        else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80)) result += char(std::tolower(c));
    }
    return result;
}

inline std::vector<std::string> captures(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> result;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern); at != std::sregex_iterator(); ++at)
        result.push_back((*at)[1]);
    return result;
}

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path.string() + " cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<Block> blocks(const std::string& page) {
    std::vector<Block> result;
    for_each_line(page, [&, open = false](const std::string& line, int number, bool inside) mutable {
        if (!inside) return;
        if (line.starts_with("```")) {
            open = !open;
            if (open) result.push_back({line.substr(3), "", number + 1});
        } else {
            result.back().text += line + "\n";
        }
    });
    return result;
}

// The page without its fenced blocks.
inline std::string prose(const std::string& page) {
    std::string result;
    for_each_line(page, [&](const std::string& line, int, bool inside) {
        if (!inside) result += line + "\n";
    });
    return result;
}

// Targets of [words](target), ![words](target) and src="target".
inline std::vector<std::string> links(const std::string& page) {
    const std::string text = std::regex_replace(prose(page), std::regex("`[^`\n]*`"), "");
    std::vector<std::string> result = captures(text, std::regex("\\]\\(([^)\\s]+)\\)"));
    for (const std::string& source : captures(text, std::regex("src=\"([^\"]+)\""))) result.push_back(source);
    return result;
}

// Names that #name can point at: <a id="name"> and headings, as GitHub names them.
inline std::vector<std::string> anchors(const std::string& page) {
    std::vector<std::string> result = captures(page, std::regex("<a id=\"([^\"]+)\""));
    for_each_line(page, [&](const std::string& line, int, bool inside) {
        const size_t words = line.find_first_not_of('#');
        if (!inside && words != 0 && words != std::string::npos && line[words] == ' ')
            result.push_back(slug(line.substr(words + 1)));
    });
    return result;
}

// One sentence for each link to a file or an anchor that does not exist.
inline std::vector<std::string> broken_links(const std::filesystem::path& path) {
    std::vector<std::string> broken;
    const std::string page = read_text(path);
    for (const std::string& link : links(page)) {
        if (link.starts_with("http://") || link.starts_with("https://")) continue;
        const size_t hash = link.find('#');
        const std::filesystem::path target = hash == 0 ? path : path.parent_path() / link.substr(0, hash);
        if (!std::filesystem::exists(target)) {
            broken.push_back(link + " is not there");
        } else if (hash != std::string::npos) {
            const auto names = anchors(read_text(target));
            if (std::find(names.begin(), names.end(), link.substr(hash + 1)) == names.end())
                broken.push_back(link + " has no such place");
        }
    }
    return broken;
}

}  // namespace texelscope::test
