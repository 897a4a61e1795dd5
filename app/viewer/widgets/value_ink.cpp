#include "app/viewer/widgets/value_ink.h"

#include <algorithm>

namespace texelscope::gui {
namespace {

// Up to where light text, and from where dark text, has a contrast of 4.5 to 1 by itself (WCAG 2, 1.4.3).
constexpr float darkest_for_dark = 0.69f, lightest_for_light = 0.31f, middle_tone = 0.5f;

Colour tint_of(int channel, int colours, bool on_dark) {
    static constexpr Colour light[] = {rgb(0xffb3b0), rgb(0xa6f0b4), rgb(0xb4ccff)},
                            dark[] = {rgb(0x7c0d0d), rgb(0x054d17), rgb(0x10307f)};
    if (colours < 2 || channel >= colours) return on_dark ? rgb(0xf2f3f5) : rgb(0x111214);
    return on_dark ? light[channel % 3] : dark[channel % 3];
}

}  // namespace

ValueInk value_ink(int channel, int colours, float lightness) {
    const float v = std::clamp(lightness, 0.0f, 1.0f);
    const bool on_dark = v < middle_tone;
    const float needed = on_dark ? 1 - lightest_for_light / std::max(v, lightest_for_light)
                                 : (darkest_for_dark - std::min(v, darkest_for_dark)) / (1 - std::min(v, 0.99f));
    return {tint_of(channel, colours, on_dark), on_dark ? rgb(0x000000) : rgb(0xffffff), needed};
}

}  // namespace texelscope::gui
