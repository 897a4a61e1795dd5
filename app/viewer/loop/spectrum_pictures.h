#pragma once
// The pictures of spectra as textures, at the size at which the dock shows them.

#include <memory>
#include <vector>

#include "app/state/app_state.h"
#include "app/window/gl/gl_objects.h"

namespace texelscope {

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
