#include "gpu/core/text.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <numeric>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

// Levenshtein distance: letters to insert, delete or change.
size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// `letters`: those of the typed text that tell names apart, as a common extension does not. At least one of them is right.
std::string_view nearest_within(std::string_view typed, std::span<const std::string_view> names, size_t letters) {
    constexpr size_t longest = 255, least_beginning = 3, most_edits = 6;
    if (letters == 0 || typed.size() > longest) return {};
    const std::string wanted = lower_case(std::string(typed));
    size_t fewest = std::min({std::max<size_t>(2, typed.size() / 3), most_edits, letters - 1}) + 1;
    std::string_view best;
    for (const std::string_view name : names) {
        if (name.size() > longest) continue;
        const std::string other = lower_case(std::string(name));
        const bool begins = wanted.size() >= least_beginning && other.starts_with(wanted);
        const size_t edits = begins ? 0 : edits_between(wanted, other);
        if (edits >= fewest) continue;
        fewest = edits;
        best = name;
    }
    return best;
}

bool is_printable(std::string_view name) {
    return std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; });
}

std::string hint_of(std::string_view near) { return near.empty() ? "" : fmt::format(" (did you mean {}?)", near); }

}  // namespace

std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names) {
    return nearest_within(typed, names, typed.size());
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names) {
    return hint_of(nearest_name(typed, names));
}

std::string did_you_mean_file(const fs::path& missing) {
    constexpr size_t most = 10000;  // a message does not wait for larger folders
    const std::string typed = missing.filename().string();
    std::vector<std::string> found;
    std::error_code error;
    fs::directory_iterator at(missing.has_parent_path() ? missing.parent_path() : fs::path("."), error);
    for (size_t count = 0; !error && at != fs::directory_iterator() && count < most; ++count, at.increment(error)) {
        std::string name = at->path().filename().string();
        const bool offered =
            name != typed && (!name.starts_with('.') || typed.starts_with('.'));  // a link may lead nowhere
        if (offered && is_printable(name)) found.push_back(std::move(name));
    }
    std::sort(found.begin(), found.end());  // folders have no order
    const std::vector<std::string_view> names(found.begin(), found.end());
    const std::string_view near = nearest_within(typed, names, missing.stem().string().size());
    return near.empty() ? "" : hint_of((missing.parent_path() / near).string());
}

namespace {

std::string why_unreadable(const std::filesystem::path& path, int error) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return "is a folder, not a file";
    if (error == ENOENT || error == ENOTDIR) return "no such file" + did_you_mean_file(path);
    std::string words = std::generic_category().message(error == 0 ? EIO : error);
    words.front() = lower_case(words.front());
    return "cannot be read: " + words;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, size_t most) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(most + 1, '\0');
    const bool read = file.read(text.data(), std::streamsize(text.size())) || file.eof();
    const auto count = size_t(file.gcount());
    std::error_code ignored;
    // To some standard libraries a folder is an empty file.
    if (!read || (count == 0 && std::filesystem::is_directory(path, ignored)))
        throw FileError(path.string(), why_unreadable(path, errno));
    text.resize(count);
    return text;
}

}  // namespace texelscope
