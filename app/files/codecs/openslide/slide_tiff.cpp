#include "app/files/codecs/openslide/slide_tiff.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <tiffio.h>

#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {
namespace {

constexpr int most_directories = 1000;
constexpr uint64_t largest_tile = uint64_t(16) << 20;     // samples of a channel
constexpr tmsize_t largest_memory = tmsize_t(256) << 20;  // bytes that libtiff allocates at once

// A file that libtiff has opened, and its last message.
struct OpenedTiff {
    explicit OpenedTiff(const EncodedFile& file) : read(bytes_of(file.descriptor)), bytes(file.bytes) {
        TIFFOpenOptions* const options = TIFFOpenOptionsAlloc();
        if (!options) throw OutOfMemory("not enough memory to read it");
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest_memory);
        TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, this);
        TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, this);
        tiff = TIFFClientOpenExt("it", "rm", this, take, put, seek, close, size, map, unmap, options);
        TIFFOpenOptionsFree(options);
    }
    ~OpenedTiff() {
        if (tiff) TIFFClose(tiff);
    }
    OpenedTiff(const OpenedTiff&) = delete;
    OpenedTiff& operator=(const OpenedTiff&) = delete;

    template <class T> T field(uint32_t tag, T otherwise = 0) const {
        T value = otherwise;
        return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : otherwise;
    }

    TIFF* tiff = nullptr;
    std::string error;

private:
    static OpenedTiff& of(thandle_t handle) { return *static_cast<OpenedTiff*>(handle); }
    static tmsize_t take(thandle_t handle, void* to, tmsize_t count) {
        OpenedTiff& self = of(handle);
        const Bytes got = self.read(self.at, size_t(std::max<tmsize_t>(count, 0)));
        if (!got.empty()) std::memcpy(to, got.data(), got.size());
        self.at += got.size();
        return tmsize_t(got.size());
    }
    static tmsize_t put(thandle_t, void*, tmsize_t) { return -1; }
    static toff_t seek(thandle_t handle, toff_t offset, int from) {
        OpenedTiff& self = of(handle);
        self.at = offset + (from == SEEK_CUR ? self.at : from == SEEK_END ? self.bytes : 0);
        return self.at;
    }
    static int close(thandle_t) { return 0; }
    static toff_t size(thandle_t handle) { return of(handle).bytes; }
    static int map(thandle_t, void**, toff_t*) { return 0; }
    static void unmap(thandle_t, void*, toff_t) {}

    static int note_error(TIFF*, void* self, const char*, const char* form, va_list values) {
        static_cast<OpenedTiff*>(self)->note(form, values);
        return 1;
    }
    // libjpeg continues after damage, and libtiff passes its warnings on. Bytes between picture segments do no harm.
    static int note_warning(TIFF*, void* self, const char* module, const char* form, va_list values) {
        if (!module || module != std::string_view("JPEGLib")) return 1;
        OpenedTiff& opened = *static_cast<OpenedTiff*>(self);
        std::string before = opened.error;
        opened.note(form, values);
        const std::string& words = opened.error;  // the first warning of a tile is the only one
        const bool damaged = words.starts_with("Premature end") ||
                             (words.starts_with("Corrupt JPEG data") && words.find("extraneous") == words.npos);
        if (!damaged) opened.error = std::move(before);
        return 1;
    }
    void note(const char* form, va_list values) {
        char words[400];
        std::vsnprintf(words, sizeof words, form, values);
        error = words;
    }

    ReadAt read;
    uint64_t bytes, at = 0;
};

bool is_packed_plainly(uint16_t compression) {
    return compression == COMPRESSION_NONE || compression == COMPRESSION_LZW || compression == COMPRESSION_PACKBITS ||
           compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE;
}

TileKind kind_of(const OpenedTiff& file) {
    constexpr uint16_t aperio_jpeg2000 = 33003, aperio_jpeg2000_rgb = 33005;
    const auto compression = file.field<uint16_t>(TIFFTAG_COMPRESSION),
               channels = file.field<uint16_t>(TIFFTAG_SAMPLESPERPIXEL),
               meaning = file.field<uint16_t>(TIFFTAG_PHOTOMETRIC);
    if (compression == aperio_jpeg2000 || compression == aperio_jpeg2000_rgb) return TileKind::own;
    const bool jpeg = compression == COMPRESSION_JPEG;
    const bool bytes = file.field<uint16_t>(TIFFTAG_BITSPERSAMPLE) == 8 &&
                       file.field<uint16_t>(TIFFTAG_SAMPLEFORMAT, 1) == SAMPLEFORMAT_UINT &&
                       file.field<uint16_t>(TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_CONTIG;
    const bool rgb = channels == 3 && (meaning == PHOTOMETRIC_RGB || (jpeg && meaning == PHOTOMETRIC_YCBCR));
    const bool grey = channels == 1 && meaning == PHOTOMETRIC_MINISBLACK;
    const bool upright = file.field<uint16_t>(TIFFTAG_ORIENTATION, 1) == ORIENTATION_TOPLEFT;
    const auto tile = uint64_t(file.field<uint32_t>(TIFFTAG_TILEWIDTH)) * file.field<uint32_t>(TIFFTAG_TILELENGTH);
    if (bytes && upright && (rgb || grey) && (jpeg || is_packed_plainly(compression)) &&
        TIFFIsCODECConfigured(compression) && tile > 0 && tile <= largest_tile)
        return TileKind::plain;
    return jpeg && bytes && rgb ? TileKind::own : TileKind::drawn;
}

Extent extent_of(const OpenedTiff& file, uint32_t width, uint32_t height) {
    constexpr uint32_t most = 1u << 30;
    return {int(std::min(file.field<uint32_t>(width), most)), int(std::min(file.field<uint32_t>(height), most))};
}

}  // namespace

std::vector<TiffTiles> tiled_images(const EncodedFile& file) {
    std::vector<TiffTiles> images;
    const OpenedTiff opened(file);
    if (!opened.tiff) return images;
    int count = 0;
    do {
        if (!TIFFIsTiled(opened.tiff)) continue;
        images.push_back({extent_of(opened, TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH),
                          extent_of(opened, TIFFTAG_TILEWIDTH, TIFFTAG_TILELENGTH), kind_of(opened),
                          TIFFCurrentDirOffset(opened.tiff)});
    } while (++count < most_directories && TIFFReadDirectory(opened.tiff));
    return images;
}

struct TileReader::Handle {
    explicit Handle(const EncodedFile& file) : opened(file) {}

    OpenedTiff opened;
    Extent tile;
    int channels = 3;
};

TileReader::TileReader(const EncodedFile& file, const TiffTiles& image) : handle_(std::make_unique<Handle>(file)) {
    OpenedTiff& opened = handle_->opened;
    if (!opened.tiff || !TIFFSetSubDirectory(opened.tiff, image.place))
        throw Error(fmt::format("the slide is damaged ({})", printable(opened.error, 400)));
    if (opened.field<uint16_t>(TIFFTAG_COMPRESSION) == COMPRESSION_JPEG)
        TIFFSetField(opened.tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    handle_->tile = image.tile;
    handle_->channels = opened.field<uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
}

TileReader::~TileReader() = default;

Bytes TileReader::read(int column, int row) {
    const auto& [width, height] = handle_->tile;
    OpenedTiff& opened = handle_->opened;
    const uint32_t number = TIFFComputeTile(opened.tiff, uint32_t(column * width), uint32_t(row * height), 0, 0);
    if (TIFFGetStrileByteCount(opened.tiff, number) == 0) return {};
    const size_t pixels = size_t(width) * size_t(height), stored = pixels * size_t(handle_->channels);
    Bytes samples(pixels * 3);
    opened.error.clear();
    const tmsize_t got = TIFFReadEncodedTile(opened.tiff, number, samples.data(), tmsize_t(stored));
    if (got != tmsize_t(stored) || !opened.error.empty())
        throw Error(
            fmt::format("the slide is damaged or of a kind that cannot be read ({})", printable(opened.error, 400)));
    if (handle_->channels == 1)
        for (size_t i = pixels; i-- > 0;) std::fill_n(samples.begin() + ptrdiff_t(3 * i), 3, samples[i]);
    return samples;
}

}  // namespace texelscope
