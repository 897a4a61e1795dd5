#pragma once
// The desktop's cache of thumbnails, as freedesktop.org's "Thumbnail Managing Standard" 0.9 describes it: what other
// programs have made is used, and what we make is there for them. It is a cache: what cannot be written is not, and no one
// is told.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>

#include "app/files/codecs/png.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

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
