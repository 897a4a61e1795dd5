#pragma once
// From the channels of a PSD's colour mode to grey or RGB.

#include <memory>
#include <vector>

#include "app/files/codecs/psd_layers.h"
#include "app/files/colour/inks.h"
#include "app/files/colour/lab.h"

namespace texelscope {

class PsdColours {
public:
    using Planes = std::vector<std::vector<std::byte>>;

    // `content`: the whole file, where its profile is.
    PsdColours(const PsdFile& file, ByteSpan content);

    SampleType type() const;
    // Planes of 8 bits are wanted in 16: CIELab becomes RGB of 16 bits.
    bool widens() const { return file_.header.mode == PsdMode::lab && file_.header.depth == 8; }
    int channels() const;  // without alpha
    bool transparent_index() const { return file_.header.mode == PsdMode::indexed && file_.transparent >= 0; }

    // A row of interleaved samples, `step` a pixel, from the planes of the colours, which are in the machine's order of bytes.
    // With a transparent index the alpha behind the colours is written too.
    void write(const Planes& planes, int width, std::byte* to, int step) const;

private:
    void write_indexed(const std::byte* indices, int width, std::byte* to, int step) const;
    void write_converted(const Planes& planes, int width, std::byte* to, int step) const;

    const PsdFile& file_;
    std::unique_ptr<Inks> inks_;
    std::unique_ptr<LabToSrgb> lab_;
};

}  // namespace texelscope
