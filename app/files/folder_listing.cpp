#include "app/files/folder_listing.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/files/image_files.h"
#include "gpu/core/ascii.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

bool is_readable_type(const fs::path& path, const std::vector<std::string>& extensions) {
    std::string extension = lower_case(path.extension().string());
    if (extension.empty()) return false;
    extension.erase(0, 1);
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool before(const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    return std::lexicographical_compare(a.name.begin(), a.name.end(), b.name.begin(), b.name.end(),
                                        [](char x, char y) { return lower_case(x) < lower_case(y); });
}

}  // namespace

FolderListing list_folder(const fs::path& folder, bool all) {
    FolderListing listing;
    std::vector<std::string> extensions = readable_extensions();
    extensions.push_back("json");  // sessions
    std::error_code error;
    fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && at != end; at.increment(error)) {
        std::error_code none;
        FolderEntry entry{at->path().filename().string(), at->is_directory(none), 0};
        if (!all && entry.name.starts_with('.')) continue;
        if (!entry.folder && !all && !is_readable_type(at->path(), extensions)) continue;
        if (!entry.folder) entry.bytes = at->is_regular_file(none) ? at->file_size(none) : 0;
        listing.entries.push_back(std::move(entry));
    }
    if (error) listing.problem = fmt::format("{}: {}", folder.string(), error.message());
    std::sort(listing.entries.begin(), listing.entries.end(), before);
    return listing;
}

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower_case(a) == lower_case(b); }) != text.end() ||
           needle.empty();
}

}  // namespace texelscope
