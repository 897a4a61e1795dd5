#include "app/files/desktop/folder_listing.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

using Extensions = std::unordered_set<std::string>;

Extensions image_extensions() {
    const std::vector<std::string> all = readable_extensions();
    return {all.begin(), all.end()};
}

bool is_readable_type(const std::string& name, const Extensions& extensions) {
    const size_t dot = name.rfind('.');
    return dot != name.npos && dot > 0 && extensions.contains(lower_case(name.substr(dot + 1)));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number that begins the text, without leading zeros; what it takes from the text includes them.
std::string_view take_number(std::string_view& text) {
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

int sign(int x) { return (x > 0) - (x < 0); }

// −1, 0 or 1.
int compare_naturally(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            const std::string_view x = take_number(a), y = take_number(b);
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return sign(order);
        } else {
            const auto x = static_cast<unsigned char>(lower_case(a[0])),
                       y = static_cast<unsigned char>(lower_case(b[0]));
            if (x != y) return x < y ? -1 : 1;
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return int(b.empty()) - int(a.empty());
}

// Why it ended early, if it did. `visit` returns false to end it.
template <class Visit> std::string visit_entries(const fs::path& folder, Visit visit) {
    std::error_code error;
    fs::directory_iterator at(folder, error), end;
    for (; !error && at != end; at.increment(error))
        if (!visit(*at)) return {};
    return error ? fmt::format("{}: {}", folder.string(), words_of_error(error.value())) : "";
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

bool naturally_before(std::string_view a, std::string_view b) {
    const int order = compare_naturally(a, b);
    return order != 0 ? order < 0 : a < b;
}

bool comes_before(const FolderEntry& first, const FolderEntry& second, FolderOrder order, bool descending) {
    if (first.folder != second.folder) return first.folder;
    const FolderEntry &a = descending ? second : first, &b = descending ? first : second;
    if (order == FolderOrder::modified && a.modified != b.modified) return a.modified < b.modified;
    if (order == FolderOrder::size && a.bytes != b.bytes) return a.bytes < b.bytes;
    return order == FolderOrder::name ? naturally_before(a.name, b.name) : naturally_before(first.name, second.name);
}

void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
    std::stable_sort(entries.begin(), entries.end(), [&](const FolderEntry& first, const FolderEntry& second) {
        return comes_before(first, second, order, descending);
    });
}

bool is_folder(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(path, none);
}

FolderEntry entry_at(const fs::path& path) {
    std::error_code none;
    const fs::directory_entry entry(path, none);
    return {path.filename().string(), false, entry.is_regular_file(none) ? entry.file_size(none) : 0, time_of(entry)};
}

FolderListing list_folder(const fs::path& folder, bool all) {
    FolderListing listing;
    Extensions extensions = image_extensions();
    extensions.insert("json");  // sessions
    listing.problem = visit_entries(folder, [&](const fs::directory_entry& at) {
        std::error_code none;
        FolderEntry entry{at.path().filename().string(), at.is_directory(none), 0, time_of(at)};
        if (!all && entry.name.starts_with('.')) return true;
        if (!entry.folder && !all && !is_readable_type(entry.name, extensions)) return true;
        if (!entry.folder) entry.bytes = at.is_regular_file(none) ? at.file_size(none) : 0;
        listing.entries.push_back(std::move(entry));
        return true;
    });
    sort_entries(listing.entries, FolderOrder::name, false);
    return listing;
}

FolderListing list_pictures(const fs::path& folder, FolderOrder order, bool descending, const std::stop_token& stop) {
    FolderListing listing;
    const Extensions extensions = image_extensions();
    listing.problem = visit_entries(folder, [&](const fs::directory_entry& at) {
        std::error_code none;
        FolderEntry entry{at.path().filename().string()};
        if (entry.name.starts_with('.') || !is_readable_type(entry.name, extensions) || !at.is_regular_file(none))
            return !stop.stop_requested();
        if (order == FolderOrder::modified) entry.modified = time_of(at);
        if (order == FolderOrder::size) entry.bytes = at.file_size(none);
        listing.entries.push_back(std::move(entry));
        return !stop.stop_requested();
    });
    sort_entries(listing.entries, order, descending);
    return listing;
}

}  // namespace texelscope
