#include "app/viewer/widgets/code_text.h"

#include <algorithm>

namespace texelscope::gui {
namespace {

bool continues(char byte) { return (byte & 0xC0) == 0x80; }

int characters_of(std::string_view utf8) {
    return int(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues(c); }));
}

}  // namespace

int character_bytes(std::string_view utf8) {
    size_t bytes = std::min<size_t>(utf8.size(), 1);
    while (bytes < utf8.size() && continues(utf8[bytes])) ++bytes;
    return int(bytes);
}

CodeText::CodeText(std::string_view utf8) {
    for (;;) {
        const size_t end = std::min(utf8.find('\n'), utf8.size());
        lines_.push_back(utf8.substr(0, end));
        if (end == utf8.size()) break;
        utf8.remove_prefix(end + 1);
    }
}

CodePlace CodeText::place_of(int character) const {
    int line = 0;
    for (; line + 1 < lines(); ++line) {
        const int characters = characters_of(lines_[size_t(line)]);
        if (character <= characters) break;
        character -= characters + 1;
    }
    std::string_view rest = lines_[size_t(line)];
    for (; character > 0 && !rest.empty(); --character) rest.remove_prefix(size_t(character_bytes(rest)));
    return {line, int(lines_[size_t(line)].size() - rest.size())};
}

int CodeText::character_of(const CodePlace& place) const {
    int character = 0;
    for (int line = 0; line < place.line; ++line) character += characters_of(lines_[size_t(line)]) + 1;
    return character + characters_of(lines_[size_t(place.line)].substr(0, size_t(place.byte)));
}

}  // namespace texelscope::gui
