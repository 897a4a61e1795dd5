#include "app/files/codecs/png.h"

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

constexpr int most_at_once = 16;  // rows that are decoded before they are announced
constexpr int band_rows = 64;     // turned, a band fills columns: the more rows it has, the longer the pieces are

// The library reports an error by a jump: between setjmp and that, nothing may need a destructor.
class Guard {
public:
    // `call` uses the library only. False after an error.
    template <class Call> bool run(Call call) {
        if (setjmp(failed_) != 0) return false;
        call();
        return true;
    }
    // Ends the call. Not from where something needs a destructor.
    [[noreturn]] void leave() { std::longjmp(failed_, 1); }
    bool out_of_memory() const { return out_of_memory_; }
    const char* words() const { return words_; }

    static void fail(png_structp png, png_const_charp why) {
        Guard& self = *static_cast<Guard*>(png_get_error_ptr(png));
        std::snprintf(self.words_, sizeof self.words_, "%s", why);
        std::longjmp(self.failed_, 1);
    }
    static void ignore(png_structp, png_const_charp) {}
    static png_voidp allocate(png_structp png, png_alloc_size_t bytes) {
        void* memory = std::malloc(bytes);
        if (!memory) static_cast<Guard*>(png_get_mem_ptr(png))->out_of_memory_ = true;
        return memory;
    }
    static void free(png_structp, png_voidp memory) { std::free(memory); }

private:
    std::jmp_buf failed_;
    char words_[200] = {};
    bool out_of_memory_ = false;
};

constexpr bool swaps_bytes = std::endian::native == std::endian::little;  // of 16 bits; the file has the high one first

// The bytes of a file for the library, which needs whole chunks and an end: a file that ends early gets made-up ones.
class PngBytes {
public:
    explicit PngBytes(ByteSpan file) {
        PngChunks chunks(file);
        std::optional<PngChunk> last;
        while (auto chunk = chunks.next()) last = chunk;
        parts_ = {file};
        if (!chunks.ends_early() || !last) return;
        const bool picture = last->type == "IDAT";
        const auto length = uint32_t(last->data.size());
        for (size_t i = 0; i < 4; ++i) head_[i] = std::byte(length >> (24 - 8 * i));
        std::ranges::copy(file.subspan(last->at + 4, 4), head_.begin() + 4);
        if (last->whole || picture) parts_ = {file.first(last->at), head_, last->data, tail().first(4)};
        else parts_ = {file.first(last->at)};
        parts_.push_back(tail().subspan(4));
        made_up_ = 12;
    }

    bool ends_early() const { return made_up_ > 0; }
    // Whether the library asked for more than the file has.
    bool at_end() const { return ends_early() && (parts_.empty() || parts_.back().size() < made_up_); }

    bool take(std::byte* to, size_t count) {
        while (count > 0 && !parts_.empty()) {
            ByteSpan& part = parts_.front();
            const size_t taken = std::min(count, part.size());
            std::copy_n(part.begin(), taken, to);
            part = part.subspan(taken);
            to += taken;
            count -= taken;
            if (part.empty()) parts_.erase(parts_.begin());
        }
        return count == 0;
    }

private:
    // A checksum, which no one compares, and the chunk IEND.
    static ByteSpan tail() { return std::as_bytes(std::span<const char>("\0\0\0\0\0\0\0\0IEND\xae\x42\x60\x82", 16)); }

    std::vector<ByteSpan> parts_;
    std::array<std::byte, 8> head_{};
    size_t made_up_ = 0;
};

class PngReader {
public:
    explicit PngReader(ByteSpan file) : file_bytes_(file.size()), bytes_(file) {
        guarded([&] {
            png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &guard_, Guard::fail, Guard::ignore, &guard_,
                                            Guard::allocate, Guard::free);
            if (png_) info_ = png_create_info_struct(png_);
        });
        try {
            if (!info_) throw OutOfMemory("not enough memory to read it");
            read_header();
        } catch (...) {
            png_destroy_read_struct(&png_, &info_, nullptr);
            throw;
        }
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    // Reads rows: of the whole picture once, or of an interlaced one once for each pass, which add pixels; if the file
    // ends early, passes fill blocks. Returns the number of rows: fewer than `count` only at the end of such a file.
    int read_rows(std::byte* first, size_t row_bytes, int count) {
        rows_ = 0;
        const bool blocks = passes > 1 && bytes_.ends_early();
        const bool done = guard_.run([&] {
            for (; rows_ < count; ++rows_) {
                unpacked_ = false;
                const auto row = reinterpret_cast<png_bytep>(first + size_t(rows_) * row_bytes);
                png_read_row(png_, blocks ? nullptr : row, blocks ? row : nullptr);
            }
        });
        if (!done && !bytes_.at_end()) fail();
        return done || !unpacked_ ? rows_ : rows_ + 1;  // after the last row the library needs zlib's checksum, too
    }

    bool ends_early() const { return bytes_.ends_early(); }

    int width = 0, height = 0, channels = 0, passes = 1;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;

private:
    void read_header() {
        guarded([&] {
            constexpr png_uint_32 any = PNG_UINT_31_MAX;
            png_set_user_limits(png_, any, any);  // our own limits are others
            png_set_benign_errors(png_, 1);
            // check_png has compared the checksums, and chunks that do not change the pixels are read elsewhere.
            png_set_crc_action(png_, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
            png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
            png_set_read_fn(png_, this, give);
            png_read_info(png_, info_);
            width = int(png_get_image_width(png_, info_));
            height = int(png_get_image_height(png_, info_));
            if (png_get_bit_depth(png_, info_) == 16) type = SampleType::u16;
        });
        check_plausible(file_bytes_, uint64_t(width), uint64_t(height), 1, type);
        guarded([&] {
            png_set_expand(png_);
            if (swaps_bytes) png_set_swap(png_);
            passes = png_set_interlace_handling(png_);
            if (bytes_.ends_early()) png_set_read_user_transform_fn(png_, note_row);
            png_read_update_info(png_, info_);
            channels = png_get_channels(png_, info_);
        });
        if (channels % 2 == 0) alpha = Alpha::straight;
        check_plausible(file_bytes_, uint64_t(width), uint64_t(height), uint64_t(channels), type);
    }

    template <class Call> void guarded(Call call) {
        if (!guard_.run(call)) fail();
    }

    [[noreturn]] void fail() const {
        if (guard_.out_of_memory()) throw OutOfMemory("not enough memory to read it");
        throw Error(fmt::format("the PNG is damaged or of a kind that cannot be read ({})", guard_.words()));
    }

    static void give(png_structp png, png_bytep to, size_t count) {
        PngReader& self = *static_cast<PngReader*>(png_get_io_ptr(png));
        if (!self.bytes_.take(reinterpret_cast<std::byte*>(to), count)) png_error(png, "it ends too early");
    }

    static void note_row(png_structp png, png_row_infop, png_bytep) {
        static_cast<PngReader*>(png_get_io_ptr(png))->unpacked_ = true;
    }

    Guard guard_;
    size_t file_bytes_;
    PngBytes bytes_;
    int rows_ = 0;
    bool unpacked_ = false;  // true once the current row is unpacked
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

class PngWriter {
public:
    explicit PngWriter(const ByteSink& sink) : sink_(sink) {
        guarded([&] {
            png_ = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &guard_, Guard::fail, Guard::ignore, &guard_,
                                             Guard::allocate, Guard::free);
            if (png_) info_ = png_create_info_struct(png_);
        });
        if (info_) return;
        png_destroy_write_struct(&png_, &info_);
        throw OutOfMemory("not enough memory to write it");
    }
    ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;

    // The size, channels and type of the whole picture; `profile`: the content of iCCP, empty: none.
    void write_header(int width, int height, int channels, SampleType type, ByteSpan profile) {
        constexpr std::array colours = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                        PNG_COLOR_TYPE_RGB_ALPHA};
        constexpr png_byte icc_chunk[] = {'i', 'C', 'C', 'P', 0};
        guarded([&] {
            png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            png_set_write_fn(png_, this, take, nullptr);
            png_set_compression_buffer_size(png_, chunk_bytes);
            png_set_IHDR(png_, info_, png_uint_32(width), png_uint_32(height), type == SampleType::u16 ? 16 : 8,
                         colours.at(size_t(channels - 1)), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                         PNG_FILTER_TYPE_DEFAULT);
            // Up to three times as fast as the library's own choice, for files of about the same size. Its strategy for
            // filtered rows makes files of 16 bits, whose two bytes often agree, nearly twice as large.
            png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);
            png_set_compression_level(png_, 4);
            png_set_compression_strategy(png_, Z_DEFAULT_STRATEGY);
            png_write_info(png_, info_);
            // As a chunk like any other: the library drops profiles that it finds fault with, without a word.
            if (!profile.empty())
                png_write_chunk(png_, icc_chunk, reinterpret_cast<png_const_bytep>(profile.data()), profile.size());
            if (swaps_bytes && type == SampleType::u16) png_set_swap(png_);
        });
    }
    void write_rows(const Image& rows) {
        guarded([&] {
            for (int y = 0; y < rows.height(); ++y) png_write_row(png_, reinterpret_cast<png_const_bytep>(rows.row(y)));
        });
    }
    void finish() {
        guarded([&] { png_write_end(png_, info_); });
    }

private:
    static constexpr size_t chunk_bytes = size_t(1) << 16;  // each costs three calls of the sink

    template <class Call> void guarded(Call call) {
        if (guard_.run(call)) return;
        waiting_.rethrow();
        if (guard_.out_of_memory()) throw OutOfMemory("not enough memory to write it");
        throw Error(fmt::format("cannot be written as PNG ({})", guard_.words()));
    }

    static void take(png_structp png, png_bytep from, size_t count) {
        PngWriter& self = *static_cast<PngWriter*>(png_get_io_ptr(png));
        const ByteSpan bytes(reinterpret_cast<const std::byte*>(from), count);
        if (!self.waiting_.none_in([&] { self.sink_(bytes); })) self.guard_.leave();
    }

    Guard guard_;
    const ByteSink& sink_;
    WaitingError waiting_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

struct OwnImage : DecodingTarget {
    Image image;
    Image* begin(const PictureShape& shape, const PictureFacts&) override {
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        return &image;
    }
    void rows_done(int) override {}
};

// The content of iCCP: a name, 0, the method 0, deflated bytes.
std::vector<std::byte> profile_chunk(ByteSpan icc) {
    if (icc.empty()) return {};
    constexpr std::string_view head("ICC profile\0\0", 13);
    uLongf size = compressBound(uLong(icc.size()));
    std::vector<std::byte> chunk(head.size() + size);
    std::memcpy(chunk.data(), head.data(), head.size());
    const int result = compress(reinterpret_cast<Bytef*>(chunk.data() + head.size()), &size,
                                reinterpret_cast<const Bytef*>(icc.data()), uLong(icc.size()));
    if (result != Z_OK) throw OutOfMemory("not enough memory to write it");
    chunk.resize(head.size() + size);
    return chunk;
}

}  // namespace

void decode_png(const PictureChoice& choice, ByteSpan bytes, DecodingTarget& target) {
    PngReader reader(bytes);
    const int width = reader.width, height = reader.height, stored = reader.channels;
    const std::vector<std::string> names = usual_channel_names(stored, reader.alpha);
    PictureFacts facts;
    facts.parts = parts_of_png(bytes);
    facts.parts[0].channels = names;
    facts.part = chosen_part(choice, facts.parts, int(facts.parts.size()));
    facts.orientation = orientation_in_exif(exif_of_png(bytes));
    facts.upright = choice.upright;
    facts.may_lack_samples = reader.ends_early();
    const ChosenChannels chosen = chosen_channels(choice, names, reader.alpha == Alpha::none ? -1 : stored - 1);
    facts.channels = chosen.which;
    Image* const into = target.begin(turned_shape(width, height, chosen, reader.type, reader.alpha, facts), facts);
    if (!into) return;
    Image& image = *into;
    const int orientation = turn_of(facts);
    const bool direct = orientation == 1 && choice.channels.empty();
    const bool from_above = orientation <= 2;

    // Every pass over an interlaced picture needs what the ones before have left.
    const int band = std::min(direct ? most_at_once : reader.passes > 1 ? height : band_rows, height);
    const size_t row_bytes = size_t(width) * size_t(stored) * size_t(bytes_per_sample(reader.type));
    std::vector<std::byte> samples(direct ? 0 : row_bytes * size_t(band));
    for (int pass = 1; pass <= reader.passes; ++pass)
        for (int first = 0; first < height; first += band) {
            const int wanted = std::min(band, height - first);
            const int count = reader.read_rows(direct ? image.row(first) : samples.data(), row_bytes, wanted);
            const bool ended = count < wanted, last = pass == reader.passes;
            if (ended && pass == 1 && first + count == 0) throw_truncated(bytes.size(), "PNG");
            if ((last || ended) && !direct)
                place_rows({samples.data(), width, first, reader.passes > 1 ? wanted : count, stored, chosen.which},
                           orientation, image);
            if (ended) {
                const int whole = last ? first + count : 0;
                image.set_missing(turned({0, whole, width, height - whole}, width, height, orientation));
                return;
            }
            target.rows_done(last && from_above ? first + count : 0);
        }
}

Image parse_png(ByteSpan bytes) {
    OwnImage target;
    decode_png({}, bytes, target);
    return std::move(target.image);
}

void encode_png(const RowSource& image, const ByteSink& sink) {
    PngWriter writer(sink);
    writer.write_header(image.width, image.height, image.channels, image.type, profile_chunk(icc_of(image)));
    for_each_band(image, [&](const Image& rows, int, int) { writer.write_rows(rows); });
    writer.finish();
}

namespace {

// Delivers the chosen frame of an animation, or the first picture.
void decode(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target) {
    if (file.choice.part.empty()) return decode_png(file.choice, bytes, target);
    PictureFacts facts;
    facts.parts = parts_of_png(bytes);
    facts.part = chosen_part(file.choice, facts.parts, int(facts.parts.size()));
    if (facts.part == 0) return decode_png(file.choice, bytes, target);
    facts.orientation = orientation_in_exif(exif_of_png(bytes));
    show_canvas(apng_frame(bytes, facts.part), file.choice, facts, target);
}

void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    encode_png(rows, [&](ByteSpan bytes) { file.write(bytes); });
}

}  // namespace

extern const Codec png_codec;
constinit const Codec png_codec{
    .name = "PNG",
    .extensions = "png",
    .samples = "8 and 16 bits as stored; 1, 2 and 4 bits and palettes as 8; straight alpha",
    .signatures = {{{0, "\x89PNG\r\n\x1a\n"}}},
    .check = check_png,
    .decode = decode,
    .exif = exif_of_png,
    .texts = [](ByteSpan file, int) { return png_texts(file); },
    .writing = {.types = holds_u8 | holds_u16,
                .channels = "1234",
                .alpha = Alpha::straight,
                .encode = encode,
                .pair_is_alpha = true,
                .fourth_is_alpha = true,
                .icc = true},
};

}  // namespace texelscope
