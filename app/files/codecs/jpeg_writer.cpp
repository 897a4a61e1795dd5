#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <jpeglib.h>  // after cstdio

#include <jerror.h>

#include "app/files/codecs/jpeg.h"

namespace texelscope {
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
