#pragma once
// TIFF files built byte by byte, independently of the code under test: grey, 8 bits, uncompressed, one strip an image.

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope::test {

struct TiffLayout {
    bool big = false, little = true;
};

class TiffFile {
public:
    explicit TiffFile(TiffLayout layout) : layout_(layout) {
        file_ = layout.little ? "II" : "MM";
        put(layout.big ? 43 : 42, 2);
        if (layout.big) put(8, 2), put(0, 2);
        link_ = file_.size();
        put(0, offset());
    }

    // The next page, with these as its SubIFDs.
    void add_page(const Image& image, const std::vector<Image>& smaller = {}) {
        std::vector<uint64_t> places;
        for (const Image& each : smaller) places.push_back(directory(each, {}, 1).first);
        const auto [place, link] = directory(image, places, 0);
        patch(link_, place);
        link_ = link;
    }
    const std::string& bytes() const { return file_; }

private:
    size_t offset() const { return layout_.big ? 8 : 4; }
    std::string number(uint64_t value, size_t bytes) const {
        std::string text(bytes, '\0');
        for (size_t i = 0; i < bytes; ++i) text[layout_.little ? i : bytes - 1 - i] = char(value >> (8 * i));
        return text;
    }
    void put(uint64_t value, size_t bytes) { file_ += number(value, bytes); }
    void patch(size_t at, uint64_t value) { file_.replace(at, offset(), number(value, offset())); }

    void entry(int tag, int type, uint64_t count, uint64_t value) {
        const size_t size = type == 3 ? 2 : type == 16 ? 8 : 4;
        put(uint64_t(tag), 2);
        put(uint64_t(type), 2);
        put(count, offset());
        std::string field = count > 1 && count * size > offset() ? number(value, offset()) : number(value, size);
        field.resize(offset(), '\0');
        file_ += field;
    }

    // Where it is, and where the place of the next one goes.
    std::pair<uint64_t, size_t> directory(const Image& image, const std::vector<uint64_t>& smaller, int kind) {
        const size_t strip = file_.size();
        file_.append(reinterpret_cast<const char*>(image.data()), image.size_bytes());
        if (file_.size() % 2) file_ += '\0';
        const size_t list = file_.size(), long_type = layout_.big ? 16 : 4;
        for (const uint64_t each : smaller) put(each, offset());
        const size_t place = file_.size();
        put(smaller.empty() ? 10 : 11, layout_.big ? 8 : 2);
        entry(254, 4, 1, uint64_t(kind));
        entry(256, 4, 1, uint64_t(image.width()));
        entry(257, 4, 1, uint64_t(image.height()));
        entry(258, 3, 1, 8);
        entry(259, 3, 1, 1);
        entry(262, 3, 1, 1);
        entry(273, int(long_type), 1, strip);
        entry(277, 3, 1, 1);
        entry(278, 4, 1, uint64_t(image.height()));
        entry(279, int(long_type), 1, image.size_bytes());
        if (smaller.size() == 1) entry(330, int(long_type), 1, smaller[0]);
        if (smaller.size() > 1) entry(330, int(long_type), smaller.size(), list);
        const size_t link = file_.size();
        put(0, offset());
        return {place, link};
    }

    TiffLayout layout_;
    std::string file_;
    size_t link_ = 0;
};

}  // namespace texelscope::test
