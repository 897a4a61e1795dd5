#pragma once
// The colours of numbers that stand on samples.

#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

struct ValueInk {
    Colour text;
    Colour plate;             // behind the text, where the sample alone leaves it too faint
    float plate_opacity = 0;  // 0: none is needed
};

// Light tints on dark samples, dark ones on light samples: red, green and blue for the channels of a colour. `lightness` of
// the sample: from 0 to 1, as the screen shows it.
ValueInk value_ink(int channel, int colours, float lightness);

}  // namespace texelscope::gui
