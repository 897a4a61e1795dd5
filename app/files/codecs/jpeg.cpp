#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>  // after cstdio

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"
#include "app/files/colour/icc_conversion.h"

namespace texelscope {
namespace {

constexpr int rows_at_once = 16;  // two rows of blocks: what the library makes at a time
constexpr int band_rows = 64;

// The library decodes to an eighth, a quarter or a half of the size in a fraction of the time: the largest such divisor
// that leaves a longest side of `enough` pixels; 1 if none does, or if all are wanted.
unsigned divisor_for(int longest, int enough) {
    unsigned divisor = 8;
    while (divisor > 1 && (enough <= 0 || longest < enough * int(divisor))) divisor /= 2;
    return divisor;
}

// The library reports an error by a jump: between setjmp and that, nothing may need a destructor.
class Decompressor {
public:
    // `may_end`: the bytes may end before the picture does.
    Decompressor(ByteSpan bytes, bool may_end) : may_end_(may_end) {
        info.err = jpeg_std_error(&errors_);
        info.client_data = this;
        errors_.error_exit = fail;
        errors_.emit_message = note;
        guarded([&] {
            jpeg_create_decompress(&info);
            jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
        });
    }
    ~Decompressor() { jpeg_destroy_decompress(&info); }
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    // `call` uses the library only. Throws Error or OutOfMemory.
    template <class Call> void guarded(Call call) {
        if (setjmp(failed_) == 0) call();
        else if (info.err->msg_code == JERR_OUT_OF_MEMORY) throw OutOfMemory("not enough memory to read it");
        else throw Error(fmt::format("the JPEG is damaged or of a kind that cannot be read ({})", words_));
    }

    // The library goes on after damage, with grey or with what came before.
    void check() const {
        if (damaged_) throw Error(fmt::format("the JPEG is damaged ({})", words_));
    }

    // Complete rows, and rows with any data, of what has been read so far. If there are several scans, each adds to all
    // rows, and all are read before the first row is made.
    int whole_rows() const { return !ended_ || all_scans_begun() ? rows_before_end() : 0; }
    int rows_there() const { return info.input_scan_number > 1 ? int(info.output_height) : rows_before_end(); }

    jpeg_decompress_struct info{};

private:
    static Decompressor& of(j_common_ptr common) { return *static_cast<Decompressor*>(common->client_data); }

    static void fail(j_common_ptr common) {
        Decompressor& self = of(common);
        self.errors_.format_message(common, self.words_);
        std::longjmp(self.failed_, 1);
    }

    // Level −1 is damage, but bytes between the segments of a picture are harmless. The library reads ahead: another
    // warning says whether it lacks something once the bytes have ended.
    static void note(j_common_ptr common, int level) {
        const int code = common->err->msg_code;
        const bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR ||
                              code == JWRN_TOO_MUCH_DATA || code == JWRN_JPEG_EOF;
        Decompressor& self = of(common);
        self.ended_ = self.ended_ || (code == JWRN_JPEG_EOF && self.may_end_);
        if (level >= 0 || harmless || self.damaged_) return;
        if (self.ended_) {
            if (self.end_row_ < 0) self.end_row_ = int(self.info.input_iMCU_row);
            return;
        }
        self.damaged_ = true;
        self.errors_.format_message(common, self.words_);
    }

    // Rows of blocks are decoded at a time. Colour at half the height is interpolated: the last row needs the ones below.
    int rows_before_end() const {
        if (end_row_ < 0) return int(info.output_height);
        const int rows = end_row_ * info.max_v_samp_factor * info.min_DCT_scaled_size;
        return rows - (rows > 0 && info.max_v_samp_factor > 1 ? 1 : 0);
    }

    bool all_scans_begun() const {
        for (int c = 0; c < info.num_components; ++c) {
            if (!info.comp_info[c].quant_table) return false;  // set by its first scan
            for (int k = 0; info.coef_bits && k < DCTSIZE2; ++k)
                if (info.coef_bits[c][k] != 0) return false;  // −1: none yet; else the number of missing bits
        }
        return true;
    }

    jpeg_error_mgr errors_{};
    std::jmp_buf failed_;
    char words_[JMSG_LENGTH_MAX] = {};
    bool may_end_, damaged_ = false, ended_ = false;
    int end_row_ = -1;  // the first row of blocks that is not whole
};

}  // namespace

void decode_jpeg(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target) {
    const PictureChoice& choice = file.choice;
    const JpegExtent extent = extent_of_jpeg(bytes);
    Decompressor decompressor(bytes.first(extent.bytes), extent.ends_early);
    jpeg_decompress_struct& info = decompressor.info;
    decompressor.guarded([&] { jpeg_read_header(&info, TRUE); });
    const int components = info.num_components;
    if (components != 1 && components != 3 && components != 4)
        throw Error(fmt::format("a JPEG of {} components cannot be read; it has 1, 3 or 4", components));
    const bool cmyk = components == 4;
    info.out_color_space = cmyk ? JCS_CMYK : components == 1 ? JCS_GRAYSCALE : JCS_RGB;

    const int stored_width = int(info.image_width), stored_height = int(info.image_height),
              stored = std::min(components, 3);
    info.scale_num = 1;
    info.scale_denom = divisor_for(std::max(stored_width, stored_height), file.enough);
    decompressor.guarded([&] { jpeg_calc_output_dimensions(&info); });
    const int width = int(info.output_width), height = int(info.output_height);
    std::optional<Inks> inks;
    if (cmyk) inks.emplace(colour_tags(bytes).get(), info.saw_Adobe_marker);
    ChosenPicture picture = chosen_picture(choice, {stored_width, stored_height, stored, SampleType::u8, Alpha::none},
                                           1, orientation_in_exif(exif_of_jpeg(bytes)));
    picture.facts.may_lack_samples = extent.ends_early;
    const PictureFacts& facts = picture.facts;
    const ChosenChannels& chosen = picture.channels;
    Image* const into = target.begin(turned_shape(width, height, chosen, SampleType::u8, Alpha::none, facts), facts);
    if (!into) return;
    Image& image = *into;
    const int orientation = turn_of(facts);
    const bool direct = orientation == 1 && choice.channels.empty();
    const bool from_above = orientation <= 2;

    // Turned, a band fills columns: the more rows it has, the longer the pieces that it writes.
    const int band = std::min(direct ? rows_at_once : band_rows, height);
    const size_t row_samples = size_t(width) * size_t(stored);
    std::vector<uint8_t> ink_row(cmyk ? size_t(width) * 4 : 0), samples(direct ? 0 : row_samples * size_t(band));
    decompressor.guarded([&] { jpeg_start_decompress(&info); });
    for (int first = 0; first < height; first += band) {
        const int count = std::min(band, height - first);
        const auto row = [&](int y) {
            return direct ? image.row_as<uint8_t>(y) : samples.data() + size_t(y - first) * row_samples;
        };
        for (int y = first; y < first + count; y = int(info.output_scanline)) {
            std::array<JSAMPROW, rows_at_once> rows{};
            const int wanted = inks ? 1 : std::min(rows_at_once, first + count - y);
            for (int i = 0; i < wanted; ++i) rows[size_t(i)] = inks ? ink_row.data() : row(y + i);
            decompressor.guarded([&] { jpeg_read_scanlines(&info, rows.data(), JDIMENSION(wanted)); });
            if (int(info.output_scanline) == y) throw Error("the JPEG is damaged: it ends too early");
            if (inks) inks->to_srgb(ink_row.data(), row(y), width);
        }
        decompressor.check();
        const int there = std::clamp(decompressor.rows_there() - first, 0, count);
        if (direct) std::fill(row(first + there), row(first + count), uint8_t(0));
        else
            place_rows({reinterpret_cast<std::byte*>(samples.data()), width, first, there, stored, chosen.which},
                       orientation, image);
        target.rows_done(from_above ? std::min(first + count, decompressor.whole_rows()) : 0);
    }
    if (decompressor.rows_there() == 0) throw_truncated(bytes.size(), "JPEG");
    if (const int whole = decompressor.whole_rows(); whole < height)
        image.set_missing(turned({0, whole, width, height - whole}, width, height, orientation));
}

namespace {

void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    encode_jpeg(rows, [&](ByteSpan bytes) { file.write(bytes); });
}

}  // namespace

extern const Codec jpeg_codec;
constinit const Codec jpeg_codec{
    .name = "JPEG",
    .extensions = "jpg jpeg jpe jfif",
    .samples = "8 bits; YCbCr as RGB, four inks as sRGB",
    .signatures = {{{0, "\xff\xd8\xff"}}},
    .check = check_jpeg,
    .decode = decode_jpeg,
    .oiio = "jpeg",
    .more_in_oiio = has_segments_for_oiio,
    .exif = exif_of_jpeg,
    .texts = [](ByteSpan file, int) { return jpeg_texts(file); },
    .writing = {.types = holds_u8, .channels = "13", .encode = encode, .icc = true, .most_side = 65500},
};

namespace {

constexpr bool is_frame(uint32_t marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

struct Segment {
    size_t at = 0;  // offset of its marker
    uint32_t marker = 0;
    ByteSpan data = {};
};

class Segments {
public:
    explicit Segments(ByteSpan file) : file_(file) {}

    // The next segment. Entropy-coded bytes are skipped like any others: in them, zero or a restart follows 0xff.
    // Unset if the file ends within it, or if it cannot be a segment.
    std::optional<Segment> next() {
        for (;;) {
            end = file_.size();
            const void* const found = std::memchr(file_.data() + at_, 0xff, file_.size() - at_);
            if (!found) return {};
            Segment segment{size_t(static_cast<const std::byte*>(found) - file_.data())};
            at_ = segment.at;
            while (at_ < file_.size() && byte_at(file_, at_) == 0xff) ++at_;
            if (at_ == file_.size()) return {};
            segment.marker = byte_at(file_, at_++);
            if (segment.marker <= 0x01 || (segment.marker >= 0xd0 && segment.marker <= 0xd7)) continue;
            if (segment.marker == 0xd9 || segment.marker == 0xd8) return segment;
            end = segment.at;
            if (file_.size() - at_ < 2) return {};
            const uint32_t length = be16(file_, at_);
            damaged = length < 2;
            if (damaged || length > file_.size() - at_) return {};
            segment.data = file_.subspan(at_ + 2, length - 2);
            at_ += length;
            return segment;
        }
    }

    size_t at() const { return at_; }
    // After the last segment: the end of the undamaged part, and whether something other than a segment follows.
    size_t end = 0;
    bool damaged = false;

private:
    ByteSpan file_;
    size_t at_ = 2;
};

}  // namespace

JpegExtent extent_of_jpeg(ByteSpan file) {
    if (file.size() < 2) throw_truncated(file.size(), "JPEG");
    JpegExtent extent;
    Segments segments(file);
    bool scanning = false, ended = false;
    while (!ended) {
        const auto segment = segments.next();
        if (!segment) break;
        if (is_frame(segment->marker) && extent.width == 0) {
            if (segment->data.size() < 6) throw Error("the JPEG is damaged: its frame header is too short");
            extent.height = be16(segment->data, 1);
            extent.width = be16(segment->data, 3);
        }
        scanning = scanning || segment->marker == 0xda;
        const bool another = segment->marker == 0xd8 && scanning;  // another picture
        ended = segment->marker == 0xd9 || another;
        extent.bytes = another ? segment->at : segments.at();
    }
    if (ended) return extent;
    if (!scanning && segments.damaged) throw Error("the JPEG is damaged: a segment has an impossible length");
    if (!scanning) throw_truncated(file.size(), "JPEG");
    extent.bytes = segments.end;
    extent.ends_early = !segments.damaged;
    return extent;
}

namespace {

constexpr int quality = 95;

// The library reports an error by a jump: between setjmp and that, nothing may need a destructor.
class Compressor {
public:
    explicit Compressor(const ByteSink& sink) : sink_(sink) {
        info_.err = jpeg_std_error(&errors_);
        info_.client_data = this;
        errors_.error_exit = fail;
        errors_.output_message = [](j_common_ptr) {};
        destination_.init_destination = [](j_compress_ptr info) { of(info).begin_block(); };
        destination_.empty_output_buffer = [](j_compress_ptr info) -> boolean {
            of(info).take(block_bytes);
            of(info).begin_block();
            return TRUE;
        };
        destination_.term_destination = [](j_compress_ptr info) {
            of(info).take(block_bytes - info->dest->free_in_buffer);
        };
        guarded([&] { jpeg_create_compress(&info_); });
        info_.dest = &destination_;
    }
    ~Compressor() { jpeg_destroy_compress(&info_); }
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;

    // Begins a picture of 1 or 3 channels, u8. An empty profile: none.
    void begin(int width, int height, int channels, ByteSpan icc) {
        guarded([&] {
            info_.image_width = JDIMENSION(width);
            info_.image_height = JDIMENSION(height);
            info_.input_components = channels;
            info_.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
            jpeg_set_defaults(&info_);
            jpeg_set_quality(&info_, quality, TRUE);
            // Colour is stored at the full size.
            for (int c = 0; c < info_.num_components; ++c)
                info_.comp_info[c].h_samp_factor = info_.comp_info[c].v_samp_factor = 1;
            jpeg_start_compress(&info_, TRUE);
            if (!icc.empty())
                jpeg_write_icc_profile(&info_, reinterpret_cast<const JOCTET*>(icc.data()), unsigned(icc.size()));
        });
    }
    void write_rows(const Image& rows) {
        guarded([&] {
            for (int y = 0; y < rows.height(); ++y) {
                JSAMPROW row = const_cast<JSAMPROW>(rows.row_as<uint8_t>(y));
                jpeg_write_scanlines(&info_, &row, 1);
            }
        });
    }
    void finish() {
        guarded([&] { jpeg_finish_compress(&info_); });
    }

private:
    static constexpr size_t block_bytes = size_t(1) << 16;

    static Compressor& of(j_compress_ptr info) { return *static_cast<Compressor*>(info->client_data); }

    static void fail(j_common_ptr common) {
        Compressor& self = *static_cast<Compressor*>(common->client_data);
        self.errors_.format_message(common, self.words_);
        std::longjmp(self.failed_, 1);
    }

    // `call` uses the library only. Throws Error or OutOfMemory.
    template <class Call> void guarded(Call call) {
        if (setjmp(failed_) == 0) return call();
        waiting_.rethrow();
        if (info_.err->msg_code == JERR_OUT_OF_MEMORY) throw OutOfMemory("not enough memory to write it");
        throw Error(fmt::format("cannot be written as JPEG ({})", words_));
    }

    void begin_block() {
        destination_.next_output_byte = block_.data();
        destination_.free_in_buffer = block_.size();
    }
    void take(size_t count) {
        const ByteSpan bytes(reinterpret_cast<const std::byte*>(block_.data()), count);
        if (!waiting_.none_in([&] { sink_(bytes); })) std::longjmp(failed_, 1);
    }

    jpeg_compress_struct info_{};
    jpeg_error_mgr errors_{};
    jpeg_destination_mgr destination_{};
    std::jmp_buf failed_;
    char words_[JMSG_LENGTH_MAX] = {};
    const ByteSink& sink_;
    WaitingError waiting_;
    std::array<JOCTET, block_bytes> block_;
};

}  // namespace

void encode_jpeg(const RowSource& image, const ByteSink& sink) {
    Compressor compressor(sink);
    compressor.begin(image.width, image.height, image.channels, icc_of(image));
    for_each_band(image, [&](const Image& rows, int, int) { compressor.write_rows(rows); });
    compressor.finish();
}

}  // namespace texelscope
