#pragma once
// The font files that text is drawn with: Inter and JetBrains Mono, which are in the program. Where it was built without
// them, DejaVu of this machine takes their place.

#include <string_view>
#include <vector>

namespace texelscope {

enum class FontFace { text, heading, italic, mono };

// The bytes of the font, then of those that have signs it lacks; none where there is no font at all. They stay.
const std::vector<std::string_view>& font_files(FontFace face);

}  // namespace texelscope
