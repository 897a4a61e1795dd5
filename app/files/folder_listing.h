#pragma once
// The folders and images in a folder, for the file browser.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

struct FolderEntry {
    std::string name;
    bool folder = false;
    uintmax_t bytes = 0;
    std::time_t modified = 0;
};

enum class FolderOrder { name, modified, size };

struct FolderListing {
    std::vector<FolderEntry> entries;  // folders first, each by name
    std::string problem;               // why it could not be read
};

// `all`: also hidden entries and files of other types.
FolderListing list_folder(const std::filesystem::path& folder, bool all);

// Folders stay first; names, which ignore case, decide between equals.
void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending);

// Ignores the case of ASCII letters. Every text contains an empty needle.
bool contains_ignoring_case(std::string_view text, std::string_view needle);

}  // namespace texelscope
