#include "app/viewer/loop/thumbnails.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>

#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/picture/comparison.h"
#include "app/picture/inspect/spectrum.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"

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

namespace {

// Pictures that are kept although they are not wanted now: so many bytes of textures, but always some.
constexpr size_t most_bytes_kept = size_t(64) << 20, least_kept = 100;

size_t most_kept(const Extent& box) {
    const size_t bytes = size_t(std::max(box.width, 1)) * size_t(std::max(box.height, 1)) * 4;
    return std::max(most_bytes_kept / bytes, least_kept);
}

// The files in view, then as many on both sides of them, the nearest first.
std::vector<std::string> wanted_files(const FolderView& folder, const Filmstrip& strip) {
    std::vector<std::string> paths;
    if (!strip.in_view() || strip.box.empty()) return paths;
    const auto add = [&](int index) {
        if (index < 0 || index >= folder.count()) return;
        paths.push_back((std::filesystem::path(folder.folder) / (*folder.files)[size_t(index)].name).string());
    };
    for (int i = strip.first; i < strip.end; ++i) add(i);
    for (int beside = 0; beside < strip.end - strip.first; ++beside) {
        add(strip.end + beside);
        add(strip.first - 1 - beside);
    }
    return paths;
}

}  // namespace

// Answers that failed as a whole leave an empty picture: they are not asked for again.
void Thumbnails::show(AppState& state, const ThumbnailQuestion& question, Thumbnail made) {
    const auto& [path, box] = question;
    StripPicture& shown = state.filmstrip.pictures[path];
    shown = {{}, made.size, made.bytes, made.modified, turn_};
    made_for_[path] = box;
    std::erase(changed_, path);
    if (made.picture.empty()) textures_.erase(path);
    else shown.picture = upload(textures_[path], made.picture);
}

void Thumbnails::trim(AppState& state) {
    auto& pictures = state.filmstrip.pictures;
    while (pictures.size() > most_kept(state.filmstrip.box)) {
        const auto oldest = std::ranges::min_element(pictures, {}, [](const auto& each) { return each.second.wanted; });
        if (oldest->second.wanted == turn_) return;
        textures_.erase(oldest->first);
        made_for_.erase(oldest->first);
        pictures.erase(oldest);
    }
}

bool Thumbnails::lacks(const AppState& state, const std::string& path) const {
    const auto at = made_for_.find(path);
    return at == made_for_.end() || at->second != state.filmstrip.box || std::ranges::count(changed_, path) > 0;
}

bool Thumbnails::poll(AppState& state) {
    ++turn_;
    if (looks_.due(state.now)) look(state);
    const bool news =
        thumbnails_.take([&](auto& made) { show(state, made.key, made.value ? std::move(*made.value) : Thumbnail{}); });
    const std::vector<std::string> wanted = wanted_files(state.folder, state.filmstrip);
    auto& pictures = state.filmstrip.pictures;
    for (const std::string& path : wanted)
        if (const auto at = pictures.find(path); at != pictures.end()) at->second.wanted = turn_;
    trim(state);
    if (!state.loading)
        for (const std::string& path : wanted)
            if (lacks(state, path)) thumbnails_.ask({path, state.filmstrip.box});
    thumbnails_.end_frame([this](const ThumbnailQuestion& question) {
        return [this, question](const std::stop_token& stop) {
            lowest_priority();
            return thumbnail_of(question, cache_, stop);
        };
    });
    return news;
}

void Thumbnails::look(const AppState& state) {
    changed_.clear();
    const Filmstrip& strip = state.filmstrip;
    for (int i = strip.first; i < std::min(strip.end, state.folder.count()); ++i) {
        const std::string path =
            (std::filesystem::path(state.folder.folder) / (*state.folder.files)[size_t(i)].name).string();
        const auto at = strip.pictures.find(path);
        if (at == strip.pictures.end()) continue;
        const auto now = thumbnail_subject(path);
        if (now && (now->modified != at->second.modified || now->bytes != at->second.bytes)) changed_.push_back(path);
    }
}

namespace {

int64_t uploads = 0;

}  // namespace

int64_t upload_count() { return uploads; }

InterfacePicture upload(gl::Texture& texture, const Image& image, bool pixels) {
    ++uploads;
    if (!texture) texture = gl::Texture::create();
    const bool grey = image.channels() == 1, alpha = image.channels() == 4;
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0,
                 grey    ? GL_R8
                 : alpha ? GL_RGBA8
                         : GL_RGB8,
                 image.width(), image.height(), 0,
                 grey    ? GL_RED
                 : alpha ? GL_RGBA
                         : GL_RGB,
                 GL_UNSIGNED_BYTE, image.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, pixels ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const GLint second = grey ? GL_RED : GL_GREEN, third = grey ? GL_RED : GL_BLUE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, second);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, third);
    glBindTexture(GL_TEXTURE_2D, 0);
    return {texture.name(), image.width(), image.height()};
}

bool SpectrumPictures::fill(AppState& state) {
    SpectrumReport& report = state.report.findings.spectrum;
    if (report.of.empty() || !report.of.front().spectrum) {
        for (Entry& entry : entries_) entry.drawn = {};
        return false;
    }
    const double reach = spectrum_reach(report, state.ui.inspect.spectrum_reach),
                 top = report.of.front().spectrum->largest();
    const int side = std::clamp(state.ui.spectrum_side, 16, 2048);
    bool changed = false;
    if (entries_.size() < report.of.size()) entries_.resize(report.of.size());
    for (size_t i = 0; i < report.of.size(); ++i) {
        SpectrumReport::Shown& shown = report.of[i];
        Entry& entry = entries_[i];
        if (!shown.spectrum) {
            shown.picture = {};
            continue;
        }
        if (Drawn now{shown.spectrum, reach, top, side}; entry.drawn != now) {
            const bool repeats = shown.pane == SpectrumReport::Shown::samples;
            entry.picture = upload(entry.texture, spectrum_picture(*shown.spectrum, reach, side, top, repeats), true);
            entry.drawn = std::move(now);
            changed = true;
        }
        shown.picture = entry.picture;
    }
    return changed;
}

}  // namespace texelscope
