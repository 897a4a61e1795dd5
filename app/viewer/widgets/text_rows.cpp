#include "app/viewer/widgets/text_rows.h"

#include <algorithm>

#include "app/viewer/widgets/text_cut.h"

namespace texelscope::gui {
namespace {

// The position of the next character after `at`.
size_t after(const std::string& text, size_t at) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
    return std::min(at, text.size());
}

// How many bytes of whole characters fit; those of one at least.
size_t fitting_bytes(const std::string& text, float room, const std::function<float(const std::string&)>& width_of) {
    std::vector<size_t> ends;
    for (size_t at = 0; at < text.size();) ends.push_back(at = after(text, at));
    const auto end =
        std::partition_point(ends.begin(), ends.end(), [&](size_t n) { return width_of(text.substr(0, n)) <= room; });
    return end == ends.begin() ? ends.front() : *(end - 1);
}

}  // namespace

std::vector<std::string> in_rows(std::string text, float room, int most,
                                 const std::function<float(const std::string&)>& width_of) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<std::string> rows;
    while (!text.empty()) {
        const size_t fits = fitting_bytes(text, room, width_of);
        if (fits == text.size()) {
            rows.push_back(std::move(text));
            break;
        }
        if (int(rows.size()) + 1 == most) {
            rows.push_back(cut(text.substr(0, after(text, fits)), room, width_of));
            if (const size_t gap = rows.back().rfind(" …"); gap != std::string::npos) rows.back().erase(gap, 1);
            break;
        }
        const size_t space = text.rfind(' ', fits);
        const size_t end = space == std::string::npos || space == 0 ? fits : space;
        rows.push_back(text.substr(0, end));
        text.erase(0, std::min(text.find_first_not_of(' ', end), text.size()));
    }
    return rows;
}

}  // namespace texelscope::gui
