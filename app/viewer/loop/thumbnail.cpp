#include "app/viewer/loop/thumbnail.h"

#include <algorithm>
#include <new>
#include <optional>

#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/picture/small_picture.h"
#include "gpu/core/machine.h"

namespace texelscope {
namespace {

// What is larger is not worth its time for a picture of a thumb's size; the window can still show it.
constexpr size_t most_file_bytes = size_t(512) << 20, most_picture_bytes = size_t(512) << 20;

struct TooLarge {};

size_t bytes_of(const PictureShape& shape) {
    return size_t(shape.width) * size_t(shape.height) * size_t(shape.channels) * size_t(bytes_per_sample(shape.type));
}

// As stored, before a decoder leaves out detail; upright.
Extent size_of(const PictureFacts& facts) {
    const auto part = size_t(facts.part);
    if (part >= facts.parts.size()) return {facts.shape.width, facts.shape.height};
    const Extent stored{facts.parts[part].width, facts.parts[part].height};
    return facts.upright && facts.orientation >= 5 ? Extent{stored.height, stored.width} : stored;
}

struct MadePicture {
    Image image;
    Extent size;  // of the file's picture
};

// Unset if it is too large, or if there is no memory for it now.
std::optional<MadePicture> made_from_file(const std::string& path, int side, const std::stop_token& stop) {
    MadePicture made;
    Reading reading;
    reading.cancel = stop;
    reading.enough = 2 * side;
    reading.told = [&](const PictureFacts& facts) {
        if (bytes_of(facts.shape) > std::min(most_picture_bytes, available_host_memory() / 4)) throw TooLarge();
        made.size = size_of(facts);
    };
    try {
        made.image = small_picture(read_image(path, reading), {side, side}, stop);
        return made;
    } catch (const TooLarge&) {
    } catch (const OutOfMemory&) {
    } catch (const std::bad_alloc&) {}
    return {};
}

// What a thumbnail of another program does not say.
Extent size_in(const std::string& path) {
    try {
        return size_of(read_facts(path));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

Thumbnail thumbnail_of(const ThumbnailQuestion& question, const ThumbnailCache& cache, const std::stop_token& stop) {
    Thumbnail thumbnail;
    const auto subject = thumbnail_subject(question.path);
    if (!subject) return thumbnail;
    thumbnail.bytes = subject->bytes;
    thumbnail.modified = subject->modified;
    const int side = ThumbnailCache::side_for(std::max(question.box.width, question.box.height));
    Reading reading;
    reading.cancel = stop;
    if (const auto cached = cache.find(*subject, side, reading)) {
        thumbnail.picture = small_picture(cached->image, question.box);
        const bool says_size = cached->width > 0 && cached->height > 0;
        thumbnail.size = says_size ? Extent{cached->width, cached->height} : size_in(question.path);
        return thumbnail;
    }
    if (subject->bytes > most_file_bytes || cache.has_failure(*subject)) return thumbnail;
    const bool permitted = ::access(question.path.c_str(), R_OK) == 0, keep = !cache.holds(question.path);
    try {
        const auto made = made_from_file(question.path, side, stop);
        if (!made) return thumbnail;
        thumbnail.size = made->size;
        if (keep) cache.put(*subject, side, made->image, made->size.width, made->size.height);
        thumbnail.picture = small_picture(made->image, question.box);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        if (permitted && keep) cache.put_failure(*subject);
    }
    return thumbnail;
}

}  // namespace texelscope
