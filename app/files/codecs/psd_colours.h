#pragma once
// Converts the channels of a PSD's colour mode to grey or RGB.

#include <memory>
#include <vector>

#include "app/files/codecs/psd_layers.h"
#include "app/files/colour/inks.h"
#include "app/files/colour/lab.h"

namespace texelscope {

class PsdColours {
public:
    using Planes = std::vector<std::vector<std::byte>>;

    // `content`: the whole file, which contains its profile.
    PsdColours(const PsdFile& file, ByteSpan content);

    SampleType type() const;
    // Whether planes of 8 bits are needed in 16: CIELab becomes RGB of 16 bits.
    bool widens() const { return file_.header.mode == PsdMode::lab && file_.header.depth == 8; }
    int channels() const;  // without alpha
    bool transparent_index() const { return file_.header.mode == PsdMode::indexed && file_.transparent >= 0; }

    // Writes a row of interleaved samples, `step` a pixel, from the colour planes, which have the machine's byte order.
    // A transparent index adds the alpha behind the colours.
    void write(const Planes& planes, int width, std::byte* to, int step) const;

private:
    void write_indexed(const std::byte* indices, int width, std::byte* to, int step) const;
    void write_converted(const Planes& planes, int width, std::byte* to, int step) const;

    const PsdFile& file_;
    std::unique_ptr<Inks> inks_;
    std::unique_ptr<LabToSrgb> lab_;
};

}  // namespace texelscope
