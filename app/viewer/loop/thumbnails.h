#pragma once
// The pictures of the filmstrip: made beside the window, one at a time, those in view first.

#include <string>
#include <unordered_map>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/beside_window.h"
#include "app/viewer/loop/thumbnail.h"
#include "app/window/gl/handles.h"

namespace texelscope {

// In the window's thread, with its OpenGL context.
class Thumbnails {
public:
    // `wake`: see BesideWindow.
    explicit Thumbnails(const std::function<void()>& wake = {}) : work_(wake) {}

    // Once per turn of the loop: what has been made becomes a texture, at most one, and the next one is begun; what is no
    // longer near the view is cancelled. Waits while a picture is read to be shown. True if there is news.
    bool follow(AppState& state);

    // About once per second: files in view that have changed get a new picture.
    void look(const AppState& state);

    // Nothing is being made.
    bool rests() const { return !work_.question(); }

private:
    void take(AppState& state);
    void trim(AppState& state);

    std::unordered_map<std::string, gl::Texture> textures_;  // by path, as Filmstrip::pictures
    std::unordered_map<std::string, Extent> made_for_;       // the box, of each picture
    std::vector<std::string> changed_;                       // files in view
    ThumbnailCache cache_;
    BesideWindow<ThumbnailQuestion, Thumbnail> work_;
    int64_t turn_ = 0;
};

}  // namespace texelscope
