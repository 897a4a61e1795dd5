#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/oiio/oiio_files.h"
#include "app/files/codecs/tiff.h"

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
