#include "app/files/codecs/oiio/oiio_files.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

namespace texelscope {
namespace {

struct Progress {
    DecodingTarget& target;
    int height;

    static bool report(void* self, float portion) {
        const auto& [target, height] = *static_cast<Progress*>(self);
        target.rows_done(int(std::clamp(portion, 0.0f, 1.0f) * float(height)));
        return false;  // go on
    }
};

void check(const OIIO::ImageSpec& spec, const ChosenChannels& channels, size_t bytes) {
    if (spec.deep) throw Error("deep images are not supported; flatten the image first");
    if (spec.depth > 1) throw Error("the file holds a volume, not a picture; store one slice");
    check_plausible(bytes, uint64_t(std::max(0, spec.width)), uint64_t(std::max(0, spec.height)),
                    uint64_t(channels.which.size()), sample_type(spec.format));
}

constexpr int band_rows = 64;  // whole strips of TIFF

struct Reader {
    OIIO::ImageInput& input;
    const OIIO::ImageSpec& spec;
    int part;
    SampleType type;
};

// Straight into the image.
bool read_neighbours(const Reader& reader, int first, Image& image, DecodingTarget& target) {
    Progress progress{target, image.height()};
    const auto automatic = OIIO::AutoStride;
    return reader.input.read_image(reader.part, 0, first, first + image.channels(), type_desc(reader.type),
                                   image.data(), automatic, automatic, automatic, Progress::report, &progress);
}

bool read_rows(const Reader& reader, int begin, int end, int first, int last, void* samples) {
    const auto& [input, spec, part, type] = reader;
    if (spec.tile_width == 0)
        return input.read_scanlines(part, 0, begin, end, spec.z, first, last, type_desc(type), samples);
    return input.read_tiles(part, 0, spec.x, spec.x + spec.width, begin, end, spec.z, spec.z + 1, first, last,
                            type_desc(type), samples);
}

// Some rows at a time: turned pictures need no second copy.
bool read_turned(const Reader& reader, const ChosenChannels& channels, int orientation, Image& image,
                 DecodingTarget& target) {
    const auto& spec = reader.spec;
    const auto [low, high] = std::minmax_element(channels.which.begin(), channels.which.end());
    const int first = *low, stored = *high + 1 - first;
    std::vector<int> which = channels.which;
    for (int& channel : which) channel -= first;
    const int band = spec.tile_width == 0 ? band_rows : std::max(spec.tile_height, 1);
    std::vector<std::byte> samples(size_t(spec.width) * size_t(std::min(band, spec.height)) * size_t(stored) *
                                   size_t(bytes_per_sample(reader.type)));
    for (int y = 0; y < spec.height; y += band) {
        const int rows = std::min(band, spec.height - y);
        if (!read_rows(reader, spec.y + y, spec.y + y + rows, first, first + stored, samples.data())) return false;
        place_rows({samples.data(), spec.width, y, rows, stored, which}, orientation, image);
        target.rows_done(orientation <= 2 ? y + rows : 0);
    }
    return true;
}

bool are_neighbours(const std::vector<int>& which) {
    for (size_t i = 1; i < which.size(); ++i)
        if (which[i] != which[0] + int(i)) return false;
    return true;
}

}  // namespace

void decode_with_oiio(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    ContentProxy proxy(file.name, content);  // outlives the reader
    OIIO::ImageSpec spec;
    std::string problem;
    const std::unique_ptr<OIIO::ImageInput> input = opened_by_oiio(codec, file, proxy, spec, &problem);
    if (!input) throw_damaged(codec, problem, file);
    PictureFacts facts;
    const auto [listed, parts] = parts_of(*input, codec);
    facts.parts = listed;
    facts.part = chosen_part(file.choice, listed, parts);
    if (!input->seek_subimage(facts.part, 0)) throw_damaged(codec, input->geterror(), file);
    spec = input->spec();
    const ChosenChannels channels = chosen_channels(file.choice, spec.channelnames, spec.alpha_channel);
    facts.channels = channels.which;
    facts.orientation = stored_orientation(codec, content);
    facts.upright = file.choice.upright;
    // OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma of 2.2, which cannot be undone.
    if (codec.oiio == "webp" && channels.alpha)
        throw Error("WebP with alpha cannot be read exactly here; convert it to PNG");
    // Its reader of DICOM calls samples signed that DCMTK has moved to be unsigned.
    if (codec.name == "DICOM" && spec.format != OIIO::TypeDesc::UINT8 && spec.format != OIIO::TypeDesc::UINT16)
        throw Error("DICOM with signed or rescaled samples cannot be read exactly here; convert it to TIFF");
    check(spec, channels, file.bytes);

    const SampleType type = sample_type(spec.format);
    // OpenImageIO 2.4 never says that the alpha of these formats is straight.
    const bool straight = spec.get_int_attribute("oiio:UnassociatedAlpha") != 0 || codec.name == "JPEG 2000" ||
                          codec.name == "IFF" || codec.name == "DDS" || codec.name == "DPX";
    Image* const into = target.begin(
        turned_shape(spec.width, spec.height, channels, type, straight ? Alpha::straight : Alpha::premultiplied, facts),
        facts);
    if (!into) return;
    Image& image = *into;
    const Reader reader{*input, spec, facts.part, type};
    bool complete = false;
    try {
        complete = turn_of(facts) == 1 && are_neighbours(channels.which)
                       ? read_neighbours(reader, channels.which[0], image, target)
                       : read_turned(reader, channels, turn_of(facts), image, target);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
    if (!complete || input->has_error()) throw_damaged(codec, input->geterror(), file);
}

bool oiio_reads_memory(const Codec& codec) {
    const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(std::string(codec.oiio));
    return input && input->supports("ioproxy");
}

void prepare_oiio() { static_cast<void>(OIIO::ImageInput::create("tiff")); }

void prepare_dicom() {
    const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create("dicom");
    OIIO::ImageSpec none;
    if (input && !input->open("/dev/null", none)) static_cast<void>(input->geterror());
}

}  // namespace texelscope

// The module's only entry point, which app/files/codecs/modules.h describes.

// Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OiioModule* texelscope_oiio(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    prepare_oiio();
    static constexpr OiioModule module{decode_with_oiio, oiio_reads_memory, prepare_dicom, encode_with_oiio, oiio_rows};
    return &module;
}

namespace texelscope {
namespace {

// What the file throws waits: libraries in C are in between.
class OutputProxy : public OIIO::Filesystem::IOProxy {
public:
    explicit OutputProxy(OutputFile& file) : IOProxy("output", Write), file_(file) {}

    const char* proxytype() const override { return "texelscope"; }
    size_t size() const override { return size_t(file_.size()); }
    size_t read(void* to, size_t bytes) override { return moved(pread(to, bytes, m_pos)); }
    size_t write(const void* from, size_t bytes) override { return moved(pwrite(from, bytes, m_pos)); }
    size_t pread(void* to, size_t bytes, int64_t offset) override {
        size_t count = 0;
        waiting_.none_in([&] { count = file_.read_at(uint64_t(offset), {static_cast<std::byte*>(to), bytes}); });
        return count;
    }
    size_t pwrite(const void* from, size_t bytes, int64_t offset) override {
        const std::span data(static_cast<const std::byte*>(from), bytes);
        return waiting_.none_in([&] { file_.write_at(uint64_t(offset), data); }) ? bytes : 0;
    }
    void rethrow() { waiting_.rethrow(); }

private:
    size_t moved(size_t count) {
        m_pos += int64_t(count);
        return count;
    }

    OutputFile& file_;
    WaitingError waiting_;
};

OIIO::ImageSpec spec_of(const RowSource& image) {
    OIIO::ImageSpec spec(image.width, image.height, image.channels, type_desc(image.type));
    // By default its fourth channel is alpha.
    spec.alpha_channel = image.alpha == Alpha::none ? -1 : image.channels - 1;
    if (image.alpha != Alpha::none && image.channels == 2) spec.channelnames = {"Y", "A"};
    if (image.alpha == Alpha::straight) spec.attribute("oiio:UnassociatedAlpha", 1);
    if (const ByteSpan icc = icc_of(image); !icc.empty())
        spec.attribute("ICCProfile", OIIO::TypeDesc(OIIO::TypeDesc::UINT8, int(icc.size())), icc.data());
    return spec;
}

class Writer {
public:
    Writer(const Codec& codec, const RowSource& image, OutputFile& file)
        : codec_(codec), image_(image), proxy_(file), output_(OIIO::ImageOutput::create(std::string(codec.oiio))) {
        if (!output_) fail(OIIO::geterror());
        check(output_->set_ioproxy(&proxy_));
    }

    void write() {
        OIIO::ImageSpec spec = spec_of(image_);
        const TiffLayout layout = codec_.oiio == "tiff" ? tiff_layout(image_) : TiffLayout();
        spec.tile_width = layout.tile_width;
        spec.tile_height = layout.tile_height;
        if (layout.big) spec.attribute("tiff:bigtiff", 1);
        check(output_->open("output", spec));
        if (layout.tile_width > 0) write_tiles(layout);
        else write_lines();
        check(output_->close());
        proxy_.rethrow();  // what the library did not look at
    }

private:
    [[noreturn]] void fail(const std::string& reason) {
        proxy_.rethrow();
        throw Error(fmt::format("cannot be written as {} ({})", codec_.name, tidy(reason, {})));
    }
    void check(bool good) {
        if (!good) fail(output_->geterror());
    }

    void write_lines() {
        for_each_band(image_, [&](const Image& rows, int first, int last) {
            check(output_->write_scanlines(first, last, 0, type_, rows.data()));
        });
    }

    void write_tiles(const TiffLayout& layout) {
        Image band;
        int begin = 0;  // of the band
        for_each_band(image_, [&](const Image& rows, int first, int last) {
            for (int y = first; y < last; ++y) {
                const int height = std::min(layout.tile_height, image_.height - begin);
                if (band.height() != height)
                    band = Image(image_.width, height, image_.channels, image_.type, image_.alpha);
                std::memcpy(band.row(y - begin), rows.row(y - first), rows.row_bytes());
                if (y + 1 < begin + height) continue;
                write_row_of_tiles(band, begin);
                begin = y + 1;
            }
        });
    }

    // Some of them at a time: the library makes copies.
    void write_row_of_tiles(const Image& band, int first) {
        const int step = 64 * output_->spec().tile_width;
        const auto row = OIIO::stride_t(band.row_bytes()), pixel = row / band.width();
        for (int left = 0, right = 0; left < band.width(); left = right) {
            right = left + std::min(step, band.width() - left);
            check(output_->write_tiles(left, right, first, first + band.height(), 0, 1, type_,
                                       band.data() + pixel * left, pixel, row));
        }
    }

    const Codec& codec_;
    const RowSource& image_;
    const OIIO::TypeDesc type_ = type_desc(image_.type);
    OutputProxy proxy_;  // outlives the library's writer, which completes the file even when it is destroyed early
    std::unique_ptr<OIIO::ImageOutput> output_;
};

}  // namespace

void encode_with_oiio(const Codec& codec, const RowSource& image, OutputFile& file) {
    Writer(codec, image, file).write();
}

}  // namespace texelscope
