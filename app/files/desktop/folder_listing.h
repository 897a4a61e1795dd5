#pragma once
// The folders and images in a folder, for the file browser and for walking from picture to picture.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "gpu/core/names.h"

namespace texelscope {

struct FolderEntry {
    std::string name;
    bool folder = false;
    uintmax_t bytes = 0;
    std::time_t modified = 0;
    bool operator==(const FolderEntry&) const = default;
};

enum class FolderOrder { name, modified, size };
inline constexpr NamedValue<FolderOrder> folder_orders[] = {
    {FolderOrder::name, "name"}, {FolderOrder::modified, "date"}, {FolderOrder::size, "size"}};
constexpr auto& names_table(FolderOrder) { return folder_orders; }

struct FolderListing {
    std::vector<FolderEntry> entries;  // folders first, each by name
    std::string problem;               // why it could not be read
};

// `all`: also hidden entries and files of other types.
FolderListing list_folder(const std::filesystem::path& folder, bool all);

// The pictures in a folder, in this order: regular files with an extension that can be read, none hidden. A name is all
// that is known of them unless the order needs more: 100 000 files are listed in a fraction of a second.
FolderListing list_pictures(const std::filesystem::path& folder, FolderOrder order, bool descending,
                            const std::stop_token& stop = {});

bool is_folder(const std::filesystem::path& path);

// What is known of one file; zeros if it does not exist.
FolderEntry entry_at(const std::filesystem::path& path);

// "2" before "10", "a" before "B": digits in a row are a number, case does not matter. A total order: bytes decide
// between equals.
bool naturally_before(std::string_view a, std::string_view b);

// The order of sort_entries.
bool comes_before(const FolderEntry& a, const FolderEntry& b, FolderOrder order, bool descending);

// Folders stay first; names in natural order decide between equals.
void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

}  // namespace texelscope
