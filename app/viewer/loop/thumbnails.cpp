#include "app/viewer/loop/thumbnails.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/viewer/loop/interface_texture.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

// Pictures that are kept although they are not wanted now: so many bytes of textures, but always some.
constexpr size_t most_bytes_kept = size_t(64) << 20, least_kept = 100;

size_t most_kept(const Extent& box) {
    const size_t bytes = size_t(std::max(box.width, 1)) * size_t(std::max(box.height, 1)) * 4;
    return std::max(most_bytes_kept / bytes, least_kept);
}

// The files in view, then as many on both sides of them, the nearest first.
std::vector<std::string> wanted_files(const AppState& state) {
    const Filmstrip& strip = state.filmstrip;
    const FolderView& folder = state.folder;
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
    const std::vector<std::string> wanted = wanted_files(state);
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

}  // namespace texelscope
