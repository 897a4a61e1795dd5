#pragma once
// Pastes what another program has copied: a picture as a document of its own, or the files whose names it has copied.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/state/app_state.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

namespace texelscope {

class Paster {
public:
    // `wake`: see BackgroundWork.
    explicit Paster(std::function<void()> wake) : work_(std::move(wake)) {}

    struct Pasted {
        std::vector<std::string> files;      // to be opened; empty: it is a picture
        std::shared_ptr<const Image> image;  // null: it is files
    };

    // Reads the clipboard in the background.
    void ask();
    bool has_news() const { return work_.has_news(); }
    bool rests() const { return !work_.question(); }

    // What has been read; throws why there is nothing.
    Pasted take();

private:
    struct Nothing {};
    BackgroundWork<Nothing, Pasted> work_;
};

// "pasted", or "pasted 2" and so on if there is one already, open or kept for undo.
std::string name_for_pasted(const AppState& state);

}  // namespace texelscope
