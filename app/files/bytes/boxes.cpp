#include "app/files/bytes/boxes.h"

namespace texelscope {

FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind) {
    constexpr int most_boxes = 4096;
    for (int i = 0; i < most_boxes && part.begin + 8 <= part.end; ++i) {
        const Bytes head = read(part.begin, 16);
        if (head.size() < 8) break;
        uint64_t length = be32(head, 0), size_of_head = 8;
        if (length == 1 && head.size() == 16) {
            length = uint64_t(be32(head, 8)) << 32 | be32(head, 12);
            size_of_head = 16;
        }
        if (length < size_of_head || length > part.end - part.begin) break;
        const std::string_view text = text_of(head);
        if (text.substr(4, 4) == type && text.substr(8).starts_with(kind))
            return {part.begin + size_of_head, part.begin + length};
        part.begin += length;
    }
    return {};
}

}  // namespace texelscope
