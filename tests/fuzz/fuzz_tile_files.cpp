// Arbitrary bytes for the header and the checksums of a file of cached tiles: what is accepted can be read without looking beyond its
// end.

#include <cstring>

#include "app/files/tiles/file_tiles.h"
#include "tests/fuzz/fuzz.h"

using namespace texelscope;

namespace {

TileFileHeader small_header() {
    TileFileHeader header;
    header.shape = {3, 2, 1, SampleType::u8, Alpha::none};
    header.origin = {"/a/b.png", "part=2", 77, 123456789};
    return header;
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    // The checksum would keep all others out: it is made right.
    std::vector<std::byte> file(bytes.begin(), bytes.end());
    if (file.size() >= TileFileHeader::bytes) {
        const uint32_t sum = sum_of(ByteSpan(file).first(TileFileHeader::bytes - sizeof(uint32_t)));
        std::memcpy(file.data() + TileFileHeader::bytes - sizeof sum, &sum, sizeof sum);
    }
    const auto header = parse_tile_file(file, file.size());
    if (!header) return 0;
    if (header->file_bytes() != file.size() || header->tiles() > file.size()) __builtin_trap();
    for (int row = 0; row < header->rows(); ++row)
        for (int column = 0; column < header->columns(); ++column) {
            const SampleRegion place = header->region(column, row);
            const size_t size = size_t(place.width) * size_t(place.height) * header->pixel_bytes();
            if (header->offset(column, row) + size > header->sums_offset()) __builtin_trap();
        }
    parse_sums(ByteSpan(file).subspan(header->sums_offset()), header->tiles());
    return 1;
}

std::vector<std::string> fuzz::seeds() {
    const TileFileHeader header = small_header();
    std::vector<std::byte> bytes = *encoded(header);
    bytes.resize(header.sums_offset());
    const auto sums = encoded_sums({sum_of(ByteSpan(bytes).subspan(TileFileHeader::bytes))});
    bytes.insert(bytes.end(), sums.begin(), sums.end());
    return {std::string(text_of(bytes))};
}

FUZZ_TARGET
