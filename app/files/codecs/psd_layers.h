#pragma once
// The structure of a PSD: its header, and where the channels of its layers and of the merged picture are.

#include <memory>
#include <string>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/colour/icc_conversion.h"

namespace texelscope {

enum class PsdMode : uint32_t {
    bitmap = 0,
    grey = 1,
    indexed = 2,
    rgb = 3,
    cmyk = 4,
    multichannel = 7,
    duotone = 8,
    lab = 9
};

struct PsdHeader {
    bool large = false;  // PSB
    uint32_t channels = 0, width = 0, height = 0, depth = 0;
    PsdMode mode = PsdMode::rgb;

    uint64_t row_bytes(uint64_t pixels) const { return (pixels * depth + 7) / 8; }
    // The number of channels that make the colour.
    int colours() const;
};

struct PsdChannel {
    int id = 0;           // −1: transparency; below: masks
    ByteSpan bytes = {};  // the kind of packing, then the samples
};

struct PsdLayer {
    std::string name = {};
    int width = 0, height = 0;
    std::vector<PsdChannel> channels = {};

    const PsdChannel* find(int id) const;
};

struct PsdFile {
    PsdHeader header;
    ByteSpan palette = {};      // 256 values of red, then of green, then of blue
    int transparent = -1;       // index
    bool transparency = false;  // the merged picture has it, as the first channel after its colours
    std::vector<PsdLayer> layers = {};
    ByteSpan merged = {};
};

// Throws Error.
PsdFile psd_file(ByteSpan file);

// Converts the channels of a PSD's colour mode to grey or RGB.
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

// The samples of a PSD, one channel after the other: plain, in runs (PackBits), or deflated, with or without prediction.
class PsdPlanes {
public:
    // `bytes` begin with the kind of packing. A layer's channel is one plane of the layer's size. Throws Error.
    PsdPlanes(const PsdHeader& header, ByteSpan bytes, uint32_t planes, uint32_t width, uint32_t height);

    // The rows that the file has, counted through all planes.
    uint64_t rows_there() const { return rows_there_; }
    // Writes a row as stored, high byte first; bits for a depth of 1; 0 if the file lacks it. Throws Error.
    void row(uint32_t plane, uint32_t y, std::byte* to) const;
    size_t row_bytes() const { return row_bytes_; }

private:
    void find_runs(const PsdHeader& header, ByteSpan data, uint64_t rows);
    void inflate(const PsdHeader& header, ByteSpan data, uint64_t rows, bool predicted);

    ByteSpan plain_ = {};
    std::vector<ByteSpan> runs_ = {};  // the runs of each row
    Bytes inflated_ = {};
    uint32_t height_;
    size_t row_bytes_;
    uint64_t rows_there_ = 0;
};

}  // namespace texelscope
