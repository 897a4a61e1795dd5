#pragma once
// A text by its lines, and places in it: in lines and bytes, or as Dear ImGui counts them, in characters from its beginning.

#include <string_view>
#include <vector>

namespace texelscope::gui {

// From 0 on; `byte` is within the line, at most its length.
struct CodePlace {
    int line = 0;
    int byte = 0;
    bool operator==(const CodePlace&) const = default;
};

class CodeText {
public:
    explicit CodeText(std::string_view utf8);  // must outlive this

    int lines() const { return int(lines_.size()); }  // one at least: a text that ends with \n has an empty last one
    std::string_view line(int i) const { return lines_[size_t(i)]; }  // without its \n

    // A place after the end is the end.
    CodePlace place_of(int character) const;
    int character_of(const CodePlace& place) const;

private:
    std::vector<std::string_view> lines_;
};

// The bytes of a text's first character; 0 if it is empty.
int character_bytes(std::string_view utf8);

}  // namespace texelscope::gui
