#pragma once
// The font files that text is drawn with: Inter and JetBrains Mono, embedded in the program. If it was built without
// them, this machine's DejaVu replaces them.

#include <string_view>
#include <vector>

namespace texelscope {

enum class FontFace { text, heading, italic, mono };

// The bytes of the font, then of those with characters it lacks; none if there is no font at all. Never freed.
const std::vector<std::string_view>& font_files(FontFace face);

}  // namespace texelscope
