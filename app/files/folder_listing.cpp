#include "app/files/folder_listing.h"

#include <algorithm>
#include <chrono>

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

bool name_before(const FolderEntry& a, const FolderEntry& b) {
    return std::lexicographical_compare(a.name.begin(), a.name.end(), b.name.begin(), b.name.end(),
                                        [](char x, char y) { return lower_case(x) < lower_case(y); });
}

std::time_t time_of(const fs::directory_entry& entry) {
    std::error_code error;
    const fs::file_time_type written = entry.last_write_time(error);
    if (error) return 0;
    using std::chrono::duration_cast;
    return std::time_t(
        duration_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written).time_since_epoch()).count());
}

}  // namespace

void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
    std::stable_sort(entries.begin(), entries.end(), [&](const FolderEntry& first, const FolderEntry& second) {
        if (first.folder != second.folder) return first.folder;
        const FolderEntry &a = descending ? second : first, &b = descending ? first : second;
        if (order == FolderOrder::modified && a.modified != b.modified) return a.modified < b.modified;
        if (order == FolderOrder::size && a.bytes != b.bytes) return a.bytes < b.bytes;
        return order == FolderOrder::name ? name_before(a, b) : name_before(first, second);
    });
}

FolderListing list_folder(const fs::path& folder, bool all) {
    FolderListing listing;
    std::vector<std::string> extensions = readable_extensions();
    extensions.push_back("json");  // sessions
    std::error_code error;
    fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && at != end; at.increment(error)) {
        std::error_code none;
        FolderEntry entry{at->path().filename().string(), at->is_directory(none), 0, time_of(*at)};
        if (!all && entry.name.starts_with('.')) continue;
        if (!entry.folder && !all && !is_readable_type(at->path(), extensions)) continue;
        if (!entry.folder) entry.bytes = at->is_regular_file(none) ? at->file_size(none) : 0;
        listing.entries.push_back(std::move(entry));
    }
    if (error) listing.problem = fmt::format("{}: {}", folder.string(), error.message());
    sort_entries(listing.entries, FolderOrder::name, false);
    return listing;
}

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower_case(a) == lower_case(b); }) != text.end() ||
           needle.empty();
}

}  // namespace texelscope
