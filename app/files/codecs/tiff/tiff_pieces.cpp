#include "app/files/codecs/tiff/tiff_page.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>
#include <vector>

#include <zlib.h>

#include "app/files/bytes/rows.h"

namespace texelscope {
namespace {

// Checks that deflated strips and tiles are whole: libtiff accepts a stream that continues beyond what it needs,
// whatever the stream holds, and then ignores the checksum.

// Whether the checksum at the end of a stream matches the bytes that the stream unpacks to.
bool ends_in_checksum_of(ByteSpan packed, ByteSpan unpacked) {
    if (packed.size() < 6) return false;
    const uLong sum = adler32_z(1, reinterpret_cast<const Bytef*>(unpacked.data()), unpacked.size());
    return be32(packed, packed.size() - 4) == sum;
}

// Whether a packed strip or tile inflates without an error. A stream that merely lacks its end must give at least
// `needed` and at most `used` bytes; output far beyond `used` is not checked. Throws OutOfMemory.
bool inflates(ByteSpan packed, uint64_t needed, uint64_t used) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw OutOfMemory("not enough memory to read it");
    std::vector<Bytef> scratch(size_t(1) << 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = uInt(std::min<size_t>(packed.size(), UINT_MAX));
    int result = Z_OK;
    while (result == Z_OK && stream.total_out <= used + (1 << 20)) {
        stream.next_out = scratch.data();
        stream.avail_out = uInt(scratch.size());
        result = inflate(&stream, Z_NO_FLUSH);
    }
    const uint64_t made = stream.total_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END || result == Z_OK || (result == Z_BUF_ERROR && made >= needed && made <= used);
}

// Bytes from which on a strip is unpacked row by row.
constexpr uint64_t long_strip = uint64_t(32) << 20;

uint64_t packed_bits(const TiffPage& page) {
    return uint64_t(page.bits) * uint64_t(page.separate ? 1 : page.samples) * page.piece_width;
}

}  // namespace

TiffDecoding::TiffDecoding(const TiffBytes& where, TiffPage what, const ColourProfile* profile)
    : bytes(where), page(std::move(what)), unpacker(page), colours(page, profile) {
    // The limits of check_plausible, applied to one piece with all its samples.
    constexpr uint64_t most_dense = 5000, always_taken = uint64_t(1) << 28;
    const uint64_t row = packed_bits(page) / 8 + 1;
    if (row > uint64_t(max_image_bytes) ||
        (row * page.piece_height > always_taken && row * page.piece_height / most_dense > bytes.size))
        throw Error("the TIFF is damaged: its strips or tiles are larger than a file of its size can hold");
}

SampleRegion TiffDecoding::region(uint32_t column, uint32_t row) const {
    const int64_t x = int64_t(column) * page.piece_width, y = int64_t(row) * page.piece_height;
    return {x, y, int(std::min<int64_t>(page.piece_width, page.width - x)),
            int(std::min<int64_t>(page.piece_height, page.height - y))};
}

TiffPieceReader::TiffPieceReader(const TiffDecoding& decoding) : decoding_(decoding), handle_(decoding.bytes) {
    handle_.go_to(decoding.page.directory);
    prepare_unpacking(handle_);
    const uint16_t compression = decoding.page.compression;
    deflated_ = compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE;
    uint16_t predictor = PREDICTOR_NONE;
    predicted_ =
        deflated_ && TIFFGetField(handle_.tiff(), TIFFTAG_PREDICTOR, &predictor) && predictor != PREDICTOR_NONE;
    uint16_t bit_order = FILLORDER_MSB2LSB;
    TIFFGetFieldDefaulted(handle_.tiff(), TIFFTAG_FILLORDER, &bit_order);
    bits_turned_ = bit_order == FILLORDER_LSB2MSB;
    as_in_file_ = decoding.page.tiled && !decoding.page.separate && compression == COMPRESSION_NONE && !bits_turned_ &&
                  decoding.page.colours == TiffColours::as_stored && decoding.unpacker.as_packed() &&
                  (decoding.page.bits == 8 || !TIFFIsByteSwapped(handle_.tiff()));
    static_cast<void>(handle_.complaint());  // drops messages about tags that libtiff does without
}

size_t TiffPieceReader::packed_row_bytes() const {
    return size_t(decoding_.page.tiled ? TIFFTileRowSize64(handle_.tiff()) : TIFFScanlineSize64(handle_.tiff()));
}

bool TiffPieceReader::has_data(uint32_t column, uint32_t row) const {
    const TiffPage& page = decoding_.page;
    if (page.compression == COMPRESSION_OJPEG) return true;  // the data may be elsewhere
    const uint32_t a_plane = page.across() * page.down(), planes = page.separate ? uint32_t(page.samples) : 1;
    for (uint32_t plane = 0; plane < planes; ++plane)
        if (!handle_.has_data(plane * a_plane + row * page.across() + column)) return false;
    return true;
}

bool TiffPieceReader::is_there(uint32_t piece) const {
    if (decoding_.page.compression == COMPRESSION_OJPEG) return true;
    if (TIFFGetStrileByteCount(handle_.tiff(), piece) == 0) return false;
    if (!handle_.has_data(piece)) throw_truncated(handle_.file_bytes(), "TIFF");
    return true;
}

bool TiffPieceReader::is_cut(uint32_t piece) const {
    const TiffPage& page = decoding_.page;
    return !page.tiled && !page.subsampled() && page.compression == COMPRESSION_NONE && !handle_.has_data(piece);
}

// The first bytes of a strip that libtiff would refuse. Throws Error if they are not there.
void TiffPieceReader::read_cut(uint32_t piece, std::byte* to, size_t bytes) {
    const ByteSpan there = handle_.stored_data(piece, stored_);
    if (there.size() < bytes) throw_truncated(handle_.file_bytes(), "TIFF");
    Bytes packed(there.begin(), there.begin() + ptrdiff_t(bytes));  // libtiff may turn its bits round
    if (!TIFFReadFromUserBuffer(handle_.tiff(), piece, packed.data(), tmsize_t(bytes), to, tmsize_t(bytes)))
        handle_.throw_damaged();
    check_complaint();
}

void TiffPieceReader::read_packed(uint32_t piece, std::byte* to, size_t bytes) {
    if (is_cut(piece)) return read_cut(piece, to, bytes);
    if (!is_there(piece)) {
        std::memset(to, 0, bytes);
        return;
    }
    const tmsize_t got = decoding_.page.tiled ? TIFFReadEncodedTile(handle_.tiff(), piece, to, tmsize_t(bytes))
                                              : TIFFReadEncodedStrip(handle_.tiff(), piece, to, tmsize_t(bytes));
    if (got < 0 || size_t(got) < bytes) handle_.throw_damaged();
    check_complaint();
    if (deflated_) check_deflated(piece, predicted_ ? ByteSpan() : ByteSpan(to, bytes), bytes);
}

void TiffPieceReader::check_complaint() const {
    if (const std::string why = handle_.complaint(); !why.empty()) throw Error("the TIFF is damaged (" + why + ")");
}

bool TiffPieceReader::copy_tile(uint32_t piece, const SampleRegion& region, const Rows& to) {
    if (!as_in_file_ || !is_there(piece)) return false;
    const ByteSpan stored = handle_.stored_data(piece, stored_);
    const size_t stored_row = packed_row_bytes();
    if (stored.size() < stored_row * decoding_.page.piece_height) return false;
    for (int y = 0; y < region.height; ++y)
        std::memcpy(to.at(y), stored.data() + size_t(y) * stored_row, size_t(region.width) * decoding_.pixel_bytes());
    return true;
}

void TiffPieceReader::check_deflated(uint32_t piece, ByteSpan unpacked, uint64_t needed) {
    ByteSpan stored = handle_.stored_data(piece, stored_);
    Bytes turned;
    if (bits_turned_) {  // as libtiff does before it inflates
        turned.assign(stored.begin(), stored.end());
        TIFFReverseBits(reinterpret_cast<uint8_t*>(turned.data()), tmsize_t(turned.size()));
        stored = turned;
    }
    if (!unpacked.empty() && ends_in_checksum_of(stored, unpacked)) return;
    if (!inflates(stored, needed, uint64_t(packed_row_bytes()) * decoding_.page.piece_height))
        throw Error("the TIFF is damaged: the compressed data of a strip or tile make no sense");
}

bool TiffPieceReader::goes_straight(const SampleRegion& region, size_t row_bytes) const {
    const TiffPage& page = decoding_.page;
    return !page.tiled && !page.separate && page.colours == TiffColours::as_stored && decoding_.unpacker.as_packed() &&
           row_bytes == packed_row_bytes() && row_bytes == size_t(region.width) * decoding_.pixel_bytes();
}

// Unpacks a row of a plane, or of all samples, to its place among the unpacked samples.
void TiffPieceReader::place_plane(const std::byte* packed, int plane, int width, std::byte* to) const {
    const TiffPage& page = decoding_.page;
    const TiffUnpacker& unpacker = decoding_.unpacker;
    const auto sample = size_t(bytes_per_sample(unpacker.type())), samples = size_t(page.samples);
    if (page.separate) unpacker.row(packed, size_t(width), to + size_t(plane) * sample, samples);
    else unpacker.row(packed, size_t(width) * samples, to, 1);
}

void TiffPieceReader::read_plane(uint32_t piece, int plane, const SampleRegion& region, const Rows& to) {
    const TiffPage& page = decoding_.page;
    const size_t packed_row = packed_row_bytes();
    const auto rows = size_t(page.tiled ? int(page.piece_height) : region.height);
    if (!page.tiled && !is_cut(piece) && packed_row * rows > long_strip) return read_rows_one_by_one(plane, region, to);
    packed_.resize(packed_row * rows);
    read_packed(piece, packed_.data(), packed_.size());
    for (int y = 0; y < region.height; ++y)
        place_plane(packed_.data() + size_t(y) * packed_row, plane, region.width, to.at(y));
}

void TiffPieceReader::read_rows_one_by_one(int plane, const SampleRegion& region, const Rows& to) {
    packed_.resize(packed_row_bytes());
    for (int y = 0; y < region.height; ++y) {
        const auto row = uint32_t(region.y + y);
        if (!is_there(TIFFComputeStrip(handle_.tiff(), row, uint16_t(plane)))) {
            std::fill(packed_.begin(), packed_.end(), std::byte(0));
        } else if (TIFFReadScanline(handle_.tiff(), packed_.data(), row, uint16_t(plane)) < 0) {
            handle_.throw_damaged();
        }
        check_complaint();
        place_plane(packed_.data(), plane, region.width, to.at(y));
    }
    const uint32_t strip = TIFFComputeStrip(handle_.tiff(), uint32_t(region.y), uint16_t(plane));
    if (deflated_ && is_there(strip)) check_deflated(strip, {}, packed_.size() * uint64_t(region.height));
}

void TiffPieceReader::read_blocks(uint32_t piece, const SampleRegion& region, const Rows& to) {
    const TiffPage& page = decoding_.page;
    const auto [across, down] = page.subsampling;
    const int height = page.tiled ? int(page.piece_height) : region.height;
    const size_t blocks = (page.piece_width - 1) / uint32_t(across) + 1;
    const size_t blocks_row = blocks * (size_t(across) * size_t(down) + 2);
    packed_.resize(blocks_row * size_t((height - 1) / down + 1));
    read_packed(piece, packed_.data(), packed_.size());
    for (int y = 0; y < region.height; ++y)
        decoding_.colours.spread(packed_.data() + size_t(y / down) * blocks_row, y % down, region.width, to.at(y));
}

void TiffPieceReader::read_samples(uint32_t piece, const SampleRegion& region, const Rows& to) {
    const TiffPage& page = decoding_.page;
    if (page.subsampled()) return read_blocks(piece, region, to);
    for (int plane = 0; plane < (page.separate ? page.samples : 1); ++plane)
        read_plane(piece + uint32_t(plane) * page.across() * page.down(), plane, region, to);
    for (int y = 0; page.inverted && y < region.height; ++y) decoding_.unpacker.invert(to.at(y), size_t(region.width));
}

void TiffPieceReader::read(uint32_t column, uint32_t row, std::byte* to, size_t row_bytes) {
    read_region(row * decoding_.page.across() + column, decoding_.region(column, row), to, row_bytes);
}

int TiffPieceReader::read_present(uint32_t column, uint32_t row, std::byte* to, size_t row_bytes) {
    const TiffPage& page = decoding_.page;
    SampleRegion region = decoding_.region(column, row);
    const uint32_t piece = row * page.across() + column, a_plane = page.across() * page.down();
    for (int plane = 0; !has_data(column, row) && plane < (page.separate ? page.samples : 1); ++plane) {
        const uint32_t strip = piece + uint32_t(plane) * a_plane;
        if (is_cut(strip))
            region.height = int(std::min<size_t>(size_t(region.height),
                                                 handle_.stored_data(strip, stored_).size() / packed_row_bytes()));
        else if (!handle_.has_data(strip)) region.height = 0;
    }
    if (region.height > 0) read_region(piece, region, to, row_bytes);
    return region.height;
}

void TiffPieceReader::read_region(uint32_t piece, const SampleRegion& region, std::byte* to, size_t row_bytes) {
    const TiffPage& page = decoding_.page;
    if (goes_straight(region, row_bytes)) return read_packed(piece, to, row_bytes * size_t(region.height));
    if (copy_tile(piece, region, {to, row_bytes})) return;
    if (page.colours == TiffColours::as_stored) return read_samples(piece, region, {to, row_bytes});
    const size_t unpacked_row =
        size_t(region.width) * size_t(page.samples) * size_t(bytes_per_sample(decoding_.unpacker.type()));
    unpacked_.resize(unpacked_row * size_t(region.height));
    const Rows unpacked{unpacked_.data(), unpacked_row};
    read_samples(piece, region, unpacked);
    for (int y = 0; y < region.height; ++y)
        decoding_.colours.row(unpacked.at(y), region.width, to + size_t(y) * row_bytes);
}

std::unique_ptr<TiffPieceReader> TiffReaders::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            auto reader = std::move(free_.back());
            free_.pop_back();
            return reader;
        }
    }
    return std::make_unique<TiffPieceReader>(decoding_);
}

void TiffReaders::give(std::unique_ptr<TiffPieceReader> reader) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(reader));
}

}  // namespace texelscope
