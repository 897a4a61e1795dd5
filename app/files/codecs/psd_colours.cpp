#include "app/files/codecs/psd_colours.h"

#include <algorithm>
#include <cstring>

#include "app/files/colour/colour_tags.h"

namespace texelscope {

PsdColours::PsdColours(const PsdFile& file, ByteSpan content) : file_(file) {
    const bool wide = type() == SampleType::u16,
               converted = file.header.mode == PsdMode::cmyk || file.header.mode == PsdMode::lab;
    if (converted && type() == SampleType::f32) throw Error("a PSD with 32-bit inks or CIELab is unknown");
    if (file.header.mode == PsdMode::cmyk) inks_ = std::make_unique<Inks>(colour_tags(content).get(), true, wide);
    if (file.header.mode == PsdMode::lab) lab_ = std::make_unique<LabToSrgb>();
}

SampleType PsdColours::type() const {
    const uint32_t depth = file_.header.depth;
    return depth == 16 || widens() ? SampleType::u16 : depth == 32 ? SampleType::f32 : SampleType::u8;
}

int PsdColours::channels() const {
    const PsdMode mode = file_.header.mode;
    return mode == PsdMode::indexed || mode == PsdMode::cmyk ? 3 : file_.header.colours();
}

void PsdColours::write_indexed(const std::byte* indices, int width, std::byte* to, int step) const {
    for (int x = 0; x < width; ++x, to += step) {
        const auto index = std::to_integer<size_t>(indices[x]);
        for (size_t c = 0; c < 3; ++c) to[c] = file_.palette[256 * c + index];
        if (transparent_index()) to[3] = std::byte(int(index) == file_.transparent ? 0 : 255);
    }
}

namespace {

// Decodes L, a and b from the coding of ICC profiles: L from 0 to the largest value; a and b have 0 at 32 896.
std::vector<float> lab_of(const std::vector<std::byte>& coded) {
    std::vector<float> lab(coded.size() / sizeof(uint16_t));
    for (size_t i = 0; i < lab.size(); ++i) {
        uint16_t value;
        std::memcpy(&value, coded.data() + i * sizeof value, sizeof value);
        lab[i] = i % 3 == 0 ? float(value) / 655.35f : float(value) / 257 - 128;
    }
    return lab;
}

}  // namespace

void PsdColours::write_converted(const Planes& planes, int width, std::byte* to, int step) const {
    const size_t sample = size_t(bytes_per_sample(type())), colours = size_t(file_.header.colours());
    std::vector<std::byte> from(size_t(width) * colours * sample), rgb(size_t(width) * 3 * sample);
    for (size_t x = 0; x < size_t(width); ++x)
        for (size_t c = 0; c < colours; ++c)
            std::memcpy(from.data() + (x * colours + c) * sample, planes[c].data() + x * sample, sample);
    auto* const rgb16 = reinterpret_cast<uint16_t*>(rgb.data());
    if (lab_) lab_->convert(lab_of(from).data(), rgb16, width);
    else if (sample == 2) inks_->to_srgb(reinterpret_cast<const uint16_t*>(from.data()), rgb16, width);
    else inks_->to_srgb(reinterpret_cast<const uint8_t*>(from.data()), reinterpret_cast<uint8_t*>(rgb.data()), width);
    for (size_t x = 0; x < size_t(width); ++x)
        std::memcpy(to + x * size_t(step) * sample, rgb.data() + 3 * x * sample, 3 * sample);
}

void PsdColours::write(const Planes& planes, int width, std::byte* to, int step) const {
    if (file_.header.mode == PsdMode::indexed) return write_indexed(planes[0].data(), width, to, step);
    if (inks_ || lab_) return write_converted(planes, width, to, step);
    const size_t sample = size_t(bytes_per_sample(type()));
    for (size_t c = 0; c < size_t(channels()); ++c)
        for (size_t x = 0; x < size_t(width); ++x)
            std::memcpy(to + (x * size_t(step) + c) * sample, planes[c].data() + x * sample, sample);
}

}  // namespace texelscope
