#pragma once
// How values become colours, as in the viewer's Display panel: --black --white --auto-contrast --profile --exposure --tone
// --gamma --invert --false-colour.

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

class DisplayOptions {
public:
    void add_to(Command command);

    // If none is, the values themselves are wanted.
    bool given() const;

    // Throws UsageError for what is out of range, before anything is computed.
    void check() const { settings(nullptr); }

    // Without an image, the levels of auto contrast are not found. Throws Error if the image has none.
    DisplaySettings settings(const Image* image) const;

private:
    std::optional<std::string> black_, white_, auto_contrast_, profile_, exposure_, tone_, gamma_, false_colour_;
    bool invert_ = false;
};

}  // namespace texelscope
