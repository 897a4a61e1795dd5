#include "app/files/desktop/copied_files.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr std::string_view file_scheme = "file://";

// Empty if a percent sign has no two digits behind it, or if they stand for the end of a text.
std::string percent_decoded(std::string_view text) {
    std::string result;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            result += text[at];
            continue;
        }
        unsigned value = 0;
        const char* const begin = text.data() + at + 1;
        const char* const end = begin + std::min<size_t>(2, text.size() - at - 1);
        const auto [read, error] = std::from_chars(begin, end, value, 16);
        if (error != std::errc() || read != begin + 2 || value == 0) return {};
        result += char(value);
        at += 2;
    }
    return result;
}

std::string path_of_line(std::string_view line) {
    if (line.starts_with('/')) return std::string(line);
    const char* const home = std::getenv("HOME");
    if (line.starts_with("~/") && home && *home) return home + std::string(line.substr(1));
    return path_of_uri(line);
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
    if (!lower_case(std::string(uri.substr(0, file_scheme.size()))).starts_with(file_scheme)) return {};
    uri.remove_prefix(file_scheme.size());
    constexpr std::string_view here = "localhost";
    if (uri.starts_with(here)) uri.remove_prefix(here.size());
    return uri.starts_with('/') ? percent_decoded(uri) : "";
}

std::vector<std::string> files_in_text(std::string_view text) {
    std::vector<std::string> files;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) continue;
        std::string path = path_of_line(line);
        if (path.empty()) return {};
        files.push_back(std::move(path));
    }
    return files;
}

}  // namespace texelscope
