#pragma once
// The pictures of the filmstrip: each from the desktop's cache, or made and put there; in the background, one at a
// time, those in view first.

#include <ctime>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/files/desktop/folders.h"
#include "app/state/app_state.h"
#include "app/state/view_math.h"
#include "app/window/gl/gl_objects.h"
#include "app/work/work.h"

namespace texelscope {

// One small picture for the filmstrip: from the desktop's cache, or made and put there.
struct ThumbnailQuestion {
    std::string path;  // of a file, absolute
    Extent box;        // framebuffer pixels
    bool operator==(const ThumbnailQuestion&) const = default;
};

struct Thumbnail {
    Image picture;  // u8, RGB or RGBA, within the box; empty: the file cannot be read, or is too large
    Extent size;    // of the file's picture, pixels; empty: not known
    uintmax_t bytes = 0;
    std::time_t modified = 0;
};

// Takes milliseconds from the cache, else as long as reading the picture takes: for a thread of its own. A file that
// cannot be read is noted in the cache and not tried again until it changes. Throws Cancelled only.
Thumbnail thumbnail_of(const ThumbnailQuestion& question, const ThumbnailCache& cache, const std::stop_token& stop);

// The pictures of the filmstrip: made in the background, one at a time, those in view first.

// In the window's thread, with its OpenGL context.
class Thumbnails : public Worker {
public:
    // `wake`: see BackgroundWork.
    explicit Thumbnails(const std::function<void()>& wake = {}) : thumbnails_(wake) {}

    // What has been made becomes a texture, at most one, and the next one is begun; what is no longer near the view is
    // cancelled. Waits while a picture is read to be shown. Files in view that have changed get a new picture.
    bool poll(AppState& state) override;

private:
    struct SameFile {
        bool operator()(const ThumbnailQuestion& a, const ThumbnailQuestion& b) const { return a.path == b.path; }
    };
    void look(const AppState& state);
    void show(AppState& state, const ThumbnailQuestion& question, Thumbnail made);
    bool lacks(const AppState& state, const std::string& path) const;
    void trim(AppState& state);

    std::unordered_map<std::string, gl::Texture> textures_;  // by path, as Filmstrip::pictures
    std::unordered_map<std::string, Extent> made_for_;       // the box, of each picture
    std::vector<std::string> changed_;                       // files in view
    ThumbnailCache cache_;
    Demand<ThumbnailQuestion, Thumbnail, SameFile> thumbnails_;  // those that are not textures yet
    EverySecond looks_;
    int64_t turn_ = 0;
};

}  // namespace texelscope
