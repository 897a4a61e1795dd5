#pragma once
// The colours of panes, on the screen and on sheets, and the greys of text that both share: 0xRRGGBB.

#include <cstddef>
#include <cstdint>

namespace texelscope {

// Colour of a pane's label, chip and curve; colours repeat from the seventh pane on. Colour-blind people can distinguish them.
constexpr uint32_t pane_rgb(int pane) {
    constexpr uint32_t colours[6] = {0x4aa8ff, 0xffb000, 0x2fd0a5, 0xff6fae, 0xb89cff, 0xe8e36a};
    return colours[size_t(pane) % 6];
}

inline constexpr uint32_t text_rgb = 0xe3e5e8, secondary_text_rgb = 0x9aa0a8;

}  // namespace texelscope
