#pragma once
// One part of an OpenEXR file, the channels of it that were chosen, and their samples.

#include <memory>
#include <optional>
#include <vector>

#include <ImathBox.h>
#include <ImfFrameBuffer.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfRgbaFile.h>
#include <ImfTiledInputPart.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/codecs/openexr/exr_channels.h"
#include "app/files/codecs/openexr/exr_stream.h"

namespace texelscope {

// The picture, or a smaller one of its MIP pyramid.
struct ExrLevel {
    int number = 0;
    Imath::Box2i window = {};
    // The unit of decoding, counted from the first sample: a tile, or a block of rows.
    int piece_width = 0, piece_height = 0;

    int width() const { return window.max.x - window.min.x + 1; }
    int height() const { return window.max.y - window.min.y + 1; }
};

class ExrPicture {
public:
    // Opening decodes no sample. The stream must outlive the picture. Throws Error or OutOfMemory.
    ExrPicture(Imf::IStream& stream, const EncodedFile& file);

    const PictureFacts& facts() const { return facts_; }  // including the shape and the frame
    const std::vector<ExrLevel>& levels() const { return levels_; }
    bool tiled() const { return tiled_ != nullptr; }
    bool made_of_luminance() const { return made_ != nullptr; }
    size_t pixel_bytes() const { return size_t(facts_.shape.channels) * size_t(bytes_per_sample(facts_.shape.type)); }
    uint64_t stored_piece_bytes() const;  // counts all channels, chosen or not

    // Reads interleaved samples of whole pieces of a level, counted from its first sample, rows `row_bytes` apart.
    // Throws Error or OutOfMemory.
    void read(const ExrLevel& level, const SampleRegion& region, std::byte* to, size_t row_bytes);

private:
    struct Place {
        std::byte* to;
        size_t row_bytes;
    };

    void choose(const EncodedFile& file);
    void open_samples();
    void add_levels();
    Imf::FrameBuffer buffer_for(const ExrLevel& level, const SampleRegion& region, Imf::PixelType type, bool as_stored,
                                const Place& place) const;
    void decode(const ExrLevel& level, const SampleRegion& region, const Imf::FrameBuffer& buffer);
    void read_once(const ExrLevel& level, const SampleRegion& region, const Place& place);
    void read_mixed(const ExrLevel& level, const SampleRegion& region, const Place& place);
    void read_luminance(const SampleRegion& region, const Place& place);
    const Imf::Header& header() const { return input_.header(facts_.part); }

    Imf::IStream& stream_;
    Imf::MultiPartInputFile input_;
    PictureFacts facts_;
    std::vector<ExrChannel> chosen_;
    std::vector<ExrLevel> levels_;
    // The open part: exactly one of these is set.
    std::unique_ptr<Imf::InputPart> rows_;
    std::unique_ptr<Imf::TiledInputPart> tiled_;
    std::unique_ptr<Imf::RgbaInputFile> made_;
};

}  // namespace texelscope
