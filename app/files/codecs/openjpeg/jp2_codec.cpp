#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/openjpeg/jp2_regions.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

void note(const char* message, void* problem) {
    auto& text = *static_cast<std::string*>(problem);
    if (text.empty()) text = message;
}

void ignore(const char*, void*) {}

bool is_codestream(const EncodedFile& file) {
    const Bytes head = bytes_of(file.descriptor)(0, 2);
    return head.size() == 2 && be16(head, 0) == 0xff4f;
}

// OpenJPEG refuses a file that has all its tiles, but not what ends the last one. If part of a tile is missing as well,
// this does not fill it up to the end of the file, which it still finds.
std::string_view missing_end(const EncodedFile& file) {
    constexpr std::string_view end = "\xff\xd9";
    if (file.bytes < 2) return end;
    const Bytes last = bytes_of(file.descriptor)(file.bytes - 2, 2);
    if (last.size() < 2 || text_of(last) == end) return {};
    return last.back() == std::byte(0xff) ? end.substr(1) : end;
}

// Where the codestream begins; unset: nowhere. Its box may be longer than the file.
std::optional<uint64_t> begin_of_codestream(const EncodedFile& file, const ReadAt& read) {
    if (is_codestream(file)) return 0;
    constexpr int most_boxes = 4096;
    uint64_t at = 0;
    for (int i = 0; i < most_boxes; ++i) {
        const Bytes head = read(at, 16);
        if (head.size() < 16) break;
        const bool is_long = be32(head, 0) == 1;
        const uint64_t length = is_long ? uint64_t(be32(head, 8)) << 32 | be32(head, 12) : be32(head, 0);
        if (text_of(head).substr(4, 4) == "jp2c") return at + (is_long ? 16 : 8);
        if (length < 8 || length > file.bytes - at) break;
        at += length;
    }
    return {};
}

constexpr uint32_t tile_part = 0xff90;  // the marker SOT

}  // namespace

std::vector<Jp2Presence> tiles_present(const EncodedFile& file, uint32_t count) {
    const ReadAt read = bytes_of(file.descriptor);
    const auto begin = begin_of_codestream(file, read);
    if (!begin) return {};
    uint64_t at = *begin + 2;
    for (Bytes head; (head = read(at, 4)).size() == 4 && be16(head, 0) != tile_part;) {
        if (be16(head, 0) < 0xff00 || be16(head, 2) < 2) return {};
        at += 2 + be16(head, 2);
    }
    std::vector<Jp2Presence> tiles(count, Jp2Presence::none);
    std::vector<uint8_t> parts(count), missing(count);  // missing: parts that a tile still needs
    constexpr size_t header = 12;
    while (at < file.bytes) {
        const Bytes head = read(at, header);
        if (head.size() >= 2 && be16(head, 0) != tile_part) return {};
        if (head.size() < header) break;
        const uint32_t tile = be16(head, 4), length = be32(head, 6), stated = byte_at(head, 11);
        if (tile >= count || (length > 0 && length < header)) return {};
        const bool whole = length <= file.bytes - at;  // 0: up to the end
        if (stated > 0) missing[tile] = uint8_t(std::max(0, int(stated) - int(parts[tile])));
        parts[tile] += whole;
        missing[tile] -= whole && missing[tile] > 0;
        tiles[tile] = whole && missing[tile] == 0 ? Jp2Presence::whole : Jp2Presence::part;
        if (!whole || length == 0) break;
        at += length;
    }
    if (std::ranges::all_of(tiles, [](Jp2Presence tile) { return tile == Jp2Presence::whole; })) return {};
    return tiles;
}

size_t Jp2Codec::Input::read(void* to, size_t count) {
    size_t got = 0;
    if (at >= bytes) {
        got = added.copy(static_cast<char*>(to), count, std::min(size_t(at - bytes), added.size()));
    } else {
        ssize_t done = 0;
        do done = ::pread(descriptor, to, count, at);
        while (done < 0 && errno == EINTR);
        got = size_t(std::max<ssize_t>(done, 0));
    }
    at += int64_t(got);
    return got;
}

Jp2Codec::Jp2Codec(const EncodedFile& file, bool partial)
    : input_{file.descriptor, int64_t(file.bytes), 0, missing_end(file)},
      partial_(partial),
      stream_(nullptr, opj_stream_destroy),
      codec_(opj_create_decompress(is_codestream(file) ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), opj_destroy_codec),
      image_(nullptr, opj_image_destroy) {
    open_stream();
    if (!codec_) throw OutOfMemory("not enough memory to read it");
    opj_set_error_handler(codec_.get(), note, &problem_);
    opj_set_warning_handler(codec_.get(), ignore, nullptr);
    opj_set_info_handler(codec_.get(), ignore, nullptr);
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    parameters.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;  // it would apply them to the first piece only
    check(opj_setup_decoder(codec_.get(), &parameters));
    if (partial) check(opj_decoder_set_strict_mode(codec_.get(), OPJ_FALSE));
    read_header();
}

void Jp2Codec::open_stream() {
    constexpr size_t buffer = size_t(64) << 10;  // filled again for each tile that is passed over
    stream_.reset(opj_stream_create(buffer, OPJ_TRUE));
    if (!stream_) throw OutOfMemory("not enough memory to read it");
    opj_stream_t* const stream = stream_.get();
    opj_stream_set_user_data(stream, &input_, nullptr);
    opj_stream_set_user_data_length(stream, OPJ_UINT64(input_.end()));
    opj_stream_set_read_function(stream, [](void* to, OPJ_SIZE_T count, void* from) -> OPJ_SIZE_T {
        const size_t got = static_cast<Input*>(from)->read(to, count);
        return got > 0 ? OPJ_SIZE_T(got) : OPJ_SIZE_T(-1);
    });
    opj_stream_set_skip_function(stream, [](OPJ_OFF_T count, void* from) -> OPJ_OFF_T {
        Input& input = *static_cast<Input*>(from);
        const int64_t passed = std::min<int64_t>(count, input.end() - input.at);
        if (passed <= 0) return -1;
        input.at += passed;
        return passed;
    });
    opj_stream_set_seek_function(stream, [](OPJ_OFF_T to, void* from) -> OPJ_BOOL {
        Input& input = *static_cast<Input*>(from);
        if (to < 0 || to > input.end()) return OPJ_FALSE;
        input.at = to;
        return OPJ_TRUE;
    });
}

void Jp2Codec::read_header() {
    opj_image_t* read = nullptr;
    const bool done = opj_read_header(stream_.get(), codec_.get(), &read) == OPJ_TRUE;
    image_.reset(read);
    check(done && read && read->numcomps > 0);
    struct Free {
        void operator()(opj_codestream_info_v2_t* info) const { opj_destroy_cstr_info(&info); }
    };
    const std::unique_ptr<opj_codestream_info_v2_t, Free> info(opj_get_cstr_info(codec_.get()));
    check(info != nullptr && info->m_default_tile_info.tccp_info);
    if (read->x0 != 0 || read->y0 != 0 || info->tx0 != 0 || info->ty0 != 0)
        throw NotInParts("its corner is not at the origin");
    header_ = {read->x1,  read->y1, {},       info->tdx,
               info->tdy, info->tw, info->th, info->m_default_tile_info.tccp_info[0].numresolutions};
    for (uint32_t i = 0; i < read->numcomps; ++i) {
        const opj_image_comp_t& channel = read->comps[i];
        if (channel.dx != 1 || channel.dy != 1) throw NotInParts("its channels are of several sizes");
        header_.channels.push_back({channel.prec, channel.sgnd != 0});
        header_.resolutions = std::min(header_.resolutions, info->m_default_tile_info.tccp_info[i].numresolutions);
    }
}

void Jp2Codec::check(bool done) const {
    if (done && (partial_ || problem_.empty())) return;
    if (lower_case(problem_).find("memory") != problem_.npos) throw OutOfMemory("not enough memory to read it");
    constexpr size_t most = 800;
    const std::string reason = problem_.empty() ? "reason unknown" : printable(problem_, most);
    throw Error(fmt::format("the JPEG 2000 is damaged or of a kind that cannot be read ({})", reason));
}

const opj_image_t& Jp2Codec::tile(uint32_t number, uint32_t level) {
    check(opj_set_decoded_resolution_factor(codec_.get(), level));
    check(opj_get_decoded_tile(codec_.get(), stream_.get(), image_.get(), number));
    return *image_;
}

const opj_image_t& Jp2Codec::area(int left, int top, int right, int bottom, uint32_t level) {
    check(opj_set_decoded_resolution_factor(codec_.get(), level));
    check(opj_set_decode_area(codec_.get(), image_.get(), left, top, right, bottom));
    check(opj_decode(codec_.get(), stream_.get(), image_.get()));
    return *image_;
}

}  // namespace texelscope
