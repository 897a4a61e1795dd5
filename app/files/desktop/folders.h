#pragma once
// What is in a folder: its folders and images, and their thumbnails in the desktop's cache.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/codecs/png.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"
#include "gpu/core/names.h"

namespace texelscope {

// What a source opens as, by the ending of its name: pictures are all that are not listed here, and test images.
enum class FileKind { picture, session, lesson, weights, kernel };
struct FileEnding {
    FileKind kind;
    std::string_view ending;
    bool browsed = true;  // the file browser lists them; of texts, few are lessons
};
inline constexpr FileEnding file_endings[] = {{FileKind::session, ".json"},
                                              {FileKind::lesson, ".md", false},
                                              {FileKind::weights, ".weights"},
                                              {FileKind::kernel, ".cu"}};
FileKind kind_of_file(std::string_view source);
constexpr std::string_view ending_of(FileKind kind) {  // empty for pictures, which have many
    for (const FileEnding& each : file_endings)
        if (each.kind == kind) return each.ending;
    return {};
}

// The folders and images in a folder, for the file browser and for walking from picture to picture.

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

// The desktop's cache of thumbnails, as freedesktop.org's "Thumbnail Managing Standard" 0.9 describes it: what other
// programs have made is used, and what we make is there for them. It is a cache: what cannot be written is not, and no one
// is told.

// The file that a thumbnail is of, as it is now.
struct ThumbnailSubject {
    std::string uri;           // canonical: "file:///home/jens/photos/me.png"
    std::time_t modified = 0;  // seconds
    uintmax_t bytes = 0;
};

// Unset if there is no such file.
std::optional<ThumbnailSubject> thumbnail_subject(const std::filesystem::path& file);

struct CachedThumbnail {
    Image image;                // at most as large as was asked for, or larger: to be shrunk; sRGB
    int width = 0, height = 0;  // of the subject's picture, pixels; 0: the thumbnail does not say
};

class ThumbnailCache {
public:
    // Longest sides that thumbnails are kept with, pixels.
    static constexpr int sides[] = {128, 256, 512, 1024};
    static int side_for(int pixels);  // the smallest that is enough, else the largest

    // The user's cache: $XDG_CACHE_HOME/thumbnails. Without a home folder it holds nothing.
    ThumbnailCache();
    explicit ThumbnailCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // The thumbnail of exactly this subject as it is now, of this side or the next larger one there is. Its file, which any
    // program may have written, is decoded like every file. Throws Cancelled only.
    std::optional<CachedThumbnail> find(const ThumbnailSubject& subject, int side, const Reading& reading = {}) const;

    // Its picture has this size; the image is u8, at most `side` wide and high. Whole or not at all; false if it was not.
    bool put(const ThumbnailSubject& subject, int side, const Image& image, int width, int height) const;

    // That this version of the program cannot read the subject as it is now.
    bool has_failure(const ThumbnailSubject& subject) const;
    bool put_failure(const ThumbnailSubject& subject) const;

    // Whether the file is itself one of the cache, which gets no thumbnail.
    bool holds(const std::filesystem::path& file) const;

private:
    std::filesystem::path place(const ThumbnailSubject& subject, const std::string& part) const;
    bool write(const ThumbnailSubject& subject, const std::string& part, const Image& image, PngTexts texts) const;

    std::filesystem::path folder_;
};

}  // namespace texelscope
