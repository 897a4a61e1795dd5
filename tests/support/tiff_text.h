#pragma once
// TIFF files of one page, tag by tag, by the specification (Adobe's TIFF 6.0; BigTIFF as libtiff's page of it says).

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace texelscope::test {

class TiffText {
public:
    enum Type { byte_type = 1, text_type = 2, short_type = 3, long_type = 4, rational_type = 5, float_type = 11 };
    struct Order {
        bool little = true, big_tiff = false;
    };

    TiffText(uint32_t width, uint32_t height, Order order = {true, false}) : order_(order) {
        set(256, {width});
        set(257, {height});
    }

    TiffText& set(int tag, const std::vector<uint32_t>& values, Type type = short_type) {
        std::string bytes;
        for (const uint32_t value : values) bytes += number(value, type == byte_type ? 1 : type == short_type ? 2 : 4);
        entries_[tag] = {type, type == rational_type ? values.size() / 2 : values.size(), bytes};
        return *this;
    }
    TiffText& floats(int tag, const std::vector<float>& values) {
        std::vector<uint32_t> bits;
        for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
        return set(tag, bits, float_type);
    }
    TiffText& text(int tag, const std::string& text) {
        entries_[tag] = {text_type, text.size() + 1, text + '\0'};
        return *this;
    }
    TiffText& without(int tag) {
        left_out_.push_back(tag);
        return *this;
    }

    // A number as the file has it.
    std::string number(uint64_t value, size_t bytes) const {
        std::string text(bytes, '\0');
        for (size_t i = 0; i < bytes; ++i) text[order_.little ? i : bytes - 1 - i] = char(value >> (8 * i));
        return text;
    }

    // The whole file with these strips, which begin behind the header.
    std::string file(const std::vector<std::string>& strips) {
        std::string file = order_.little ? "II" : "MM";
        const size_t word = order_.big_tiff ? 8 : 4;
        file += number(order_.big_tiff ? 43 : 42, 2);
        if (order_.big_tiff) file += number(8, 2) + number(0, 2);
        const size_t link = file.size();
        file += number(0, word);
        std::vector<uint32_t> places, sizes;
        for (const std::string& strip : strips) {
            places.push_back(uint32_t(file.size()));
            sizes.push_back(uint32_t(strip.size()));
            file += strip;
        }
        if (!entries_.contains(324)) set(273, places, long_type);
        if (!entries_.contains(324)) set(279, sizes, long_type);
        for (const int tag : left_out_) entries_.erase(tag);
        if (file.size() % 2) file += '\0';
        std::string directory = number(entries_.size(), order_.big_tiff ? 8 : 2), more;
        const size_t begin = file.size(), behind = begin + directory.size() + entries_.size() * (4 + 2 * word) + word;
        for (const auto& [tag, entry] : entries_) {
            directory += number(uint64_t(tag), 2) + number(uint64_t(entry.type), 2) + number(entry.count, word);
            std::string field = entry.bytes;
            if (field.size() > word) {
                field = number(behind + more.size(), word);
                more += entry.bytes + std::string(entry.bytes.size() % 2, '\0');
            }
            directory += field + std::string(word - field.size(), '\0');
        }
        file += directory + number(0, word) + more;
        return file.replace(link, word, number(begin, word));
    }
    std::string file(const std::string& strip) { return file(std::vector{strip}); }

private:
    struct Entry {
        Type type;
        uint64_t count;
        std::string bytes;
    };
    Order order_;
    std::map<int, Entry> entries_;
    std::vector<int> left_out_;
};

// Numbers packed without gaps, the highest bit first, the last byte filled with zeros.
inline std::string packed_bits(const std::vector<uint64_t>& numbers, int bits) {
    std::string text;
    int used = 8;
    for (const uint64_t number : numbers)
        for (int bit = bits - 1; bit >= 0; --bit, ++used) {
            if (used == 8) text += '\0', used = 0;
            text.back() = char(text.back() | int(number >> bit & 1) << (7 - used));
        }
    return text;
}

}  // namespace texelscope::test
