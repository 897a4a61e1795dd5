#pragma once
// The pictures of the filmstrip: each from the desktop's cache, or made and put there; in the background, one at a
// time, those in view first.

#include <cstdint>
#include <ctime>
#include <memory>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/files/desktop/folders.h"
#include "app/state/app_state.h"
#include "app/state/panel_state.h"
#include "app/state/view_math.h"
#include "app/window/gl/gl_objects.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

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

// Images as textures for the interface to draw, those of spectra at the size at which the dock shows them.

// Images as textures for the interface to draw.

// The image, u8 of 1, 3 or 4 channels, into the texture, which is created if it does not exist yet. `pixels`: enlarged, each
// pixel is a square.
InterfacePicture upload(gl::Texture& texture, const Image& image, bool pixels = false);

// How often that has been done: textures of the same names may look different since.
int64_t upload_count();

// The pictures of spectra as textures, at the size at which the dock shows them.

class SpectrumPictures {
public:
    // Once per frame, after the report's spectra. True if a picture has changed.
    bool fill(AppState& state);

private:
    struct Drawn {
        std::shared_ptr<const Spectrum> spectrum;
        double reach = 0, top = 0;
        int side = 0;
        bool operator==(const Drawn&) const = default;
    };
    struct Entry {
        gl::Texture texture;  // kept: what has been built with it is drawn later
        Drawn drawn;
        InterfacePicture picture;
    };
    std::vector<Entry> entries_;
};

}  // namespace texelscope
