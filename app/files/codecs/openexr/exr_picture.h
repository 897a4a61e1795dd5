#pragma once
// OpenEXR: files as streams, channels and their names, pictures of parts and levels, and what the module offers.

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Iex.h>
#include <ImathBox.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPixelType.h>
#include <ImfRgbaFile.h>
#include <ImfTiledInputPart.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Streams from which OpenEXR reads bytes, and its errors as ours.

// A file in memory.
class ContentStream : public Imf::IStream {
public:
    explicit ContentStream(ByteSpan content) : IStream("it"), content_(content) {}

    bool read(char to[], int count) override;
    uint64_t tellg() override { return at_; }
    void seekg(uint64_t at) override { at_ = at; }

private:
    ByteSpan content_;
    uint64_t at_ = 0;
};

// An open file, read where it is needed: never mapped, since it may become shorter.
class DescriptorStream : public Imf::IStream {
public:
    explicit DescriptorStream(const EncodedFile& file)
        : IStream("it"), descriptor_(file.descriptor), bytes_(file.bytes) {}

    bool read(char to[], int count) override;
    uint64_t tellg() override { return at_; }
    void seekg(uint64_t at) override { at_ = at; }

private:
    int descriptor_;
    uint64_t bytes_, at_ = 0;
};

// Throws Error: the OpenEXR is damaged, for the reason that the library gives.
[[noreturn]] void throw_damaged_exr(const std::string& reason);

// Returns what `work` returns; errors of the library become one sentence.
template <class Work> auto in_our_words(const Work& work) {
    try {
        return work();
    } catch (const Iex::BaseExc& error) {
        throw_damaged_exr(error.what());
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
}

// The channels of a part of an OpenEXR file, as they are offered.

// A channel of the file, or R, G or B made from luminance and chroma.
struct ExrChannel {
    std::string name = {};  // including its layer
    Imf::PixelType type = Imf::HALF;
    int x_sampling = 1, y_sampling = 1;
    bool made = false;
};

// The channels in display order: layer by layer, R, G, B, then Y, A, depth, then all others. Luminance and chroma
// (Y, RY, BY) with a chroma sample for two by two pixels come as R, G and B.
std::vector<ExrChannel> offered_channels(const Imf::Header& header);

std::vector<std::string> names_of(const std::vector<ExrChannel>& channels);

// The index of the first channel named A or Alpha that is not an integer; −1: none.
int alpha_among(const std::vector<ExrChannel>& channels);

// The channel's name without its layer: "RY" of "light.RY".
std::string_view suffix_of(std::string_view channel);

// One part of an OpenEXR file, the channels of it that were chosen, and their samples.

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

// OpenEXR through its library; app/files/codecs/modules.h describes these functions.

void decode_exr(const EncodedFile& file, ByteSpan content, DecodingTarget& target);

std::vector<MetadataRow> describe_exr(ByteSpan content, int part);

std::unique_ptr<const TileSource> exr_regions(const EncodedFile& file);

}  // namespace texelscope
