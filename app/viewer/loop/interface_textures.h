#pragma once
// Images as textures for the interface to draw, those of spectra at the size at which the dock shows them.

#include <cstdint>
#include <memory>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/panel_state.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/image.h"

namespace texelscope {

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
