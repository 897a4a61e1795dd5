#include "app/files/codecs/fits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <zlib.h>

namespace texelscope {
namespace {

using Bytes = std::vector<std::byte>;

[[noreturn]] void throw_damaged(const char* what) { throw Error(fmt::format("the FITS is damaged: {}", what)); }

uint64_t big_endian(const std::byte* from, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | std::to_integer<uint64_t>(from[i]);
    return value;
}

void store_big_endian(uint64_t value, size_t bytes, std::byte* to) {
    for (size_t i = 0; i < bytes; ++i) to[i] = std::byte(value >> 8 * (bytes - 1 - i));
}

uint64_t bytes_of_kind(char kind) {
    switch (kind) {
        case 'L':
        case 'B':
        case 'A': return 1;
        case 'I': return 2;
        case 'J':
        case 'E': return 4;
        case 'K':
        case 'D':
        case 'C':
        case 'P': return 8;
        case 'M':
        case 'Q': return 16;
        default: throw_damaged("a column of its table is of no known kind");
    }
}

// TFORMn is a count, a letter, and for arrays on the heap more.
void take_columns(const FitsCards& header, FitsTiles& tiles) {
    const uint64_t count = std::min<uint64_t>(header.count("TFIELDS"), 999);
    uint64_t at = 0;
    for (uint64_t i = 1; i <= count; ++i) {
        const std::string form = header.text(fmt::format("TFORM{}", i)), name = header.text(fmt::format("TTYPE{}", i));
        const size_t letter = form.find_first_not_of("0123456789");
        if (letter == form.npos || letter > 6) throw_damaged("a column of its table is of no known kind");
        const uint64_t repeat = letter == 0 ? 1 : std::stoull(form.substr(0, letter));
        const FitsTiles::Column column{at, form[letter]};
        at += column.kind == 'X' ? (repeat + 7) / 8 : repeat * bytes_of_kind(column.kind);
        if (repeat == 0) continue;
        if (name == "COMPRESSED_DATA") tiles.packed = column;
        if (name == "GZIP_COMPRESSED_DATA") tiles.gzipped = column;
        if (name == "UNCOMPRESSED_DATA") tiles.plain = column;
        if (name == "ZSCALE") tiles.scales = column;
        if (name == "ZZERO") tiles.zeros = column;
        if (name == "ZBLANK") tiles.blanks = column;
    }
    if (at > tiles.row_bytes) throw_damaged("its table has more columns than its rows have room for");
    for (const auto* array : {&tiles.packed, &tiles.gzipped, &tiles.plain})
        if (*array && (*array)->kind != 'P' && (*array)->kind != 'Q') throw_damaged("its tiles are of no known kind");
    if (!tiles.packed) throw_damaged("its table has no tiles");
}

void take_method(const FitsCards& header, FitsTiles& tiles) {
    tiles.method = header.text("ZCMPTYPE");
    if (tiles.method == "RICE_ONE") tiles.method = "RICE_1";
    if (tiles.method != "RICE_1" && tiles.method != "GZIP_1" && tiles.method != "GZIP_2")
        throw Error(
            fmt::format("the FITS is packed by {}; RICE_1, GZIP_1 and GZIP_2 are read, and funpack of cfitsio "
                        "unpacks others",
                        tiles.method.empty() ? "no method that it names" : tiles.method.substr(0, 20)));
    for (int i = 1; i <= 9; ++i) {
        const std::string name = header.text(fmt::format("ZNAME{}", i)), value = fmt::format("ZVAL{}", i);
        if (name == "BLOCKSIZE") tiles.block = header.count(value);
        if (name == "BYTEPIX") tiles.stored_bytes = header.count(value);
    }
    const bool bytes_known = tiles.stored_bytes == 1 || tiles.stored_bytes == 2 || tiles.stored_bytes == 4;
    if (!bytes_known || tiles.block < 1 || tiles.block > 65536) throw_damaged("its tiles are packed in an unknown way");
    const std::string how = header.text("ZQUANTIZ");
    tiles.dither = how == "SUBTRACTIVE_DITHER_1" ? 1 : how == "SUBTRACTIVE_DITHER_2" ? 2 : 0;
    tiles.seed = std::clamp<uint64_t>(header.count("ZDITHER0", 1), 1, 10000);
    tiles.scale = header.real("ZSCALE").value_or(1);
    tiles.zero = header.real("ZZERO").value_or(0);
    tiles.quantised = tiles.bits < 0 && (tiles.scales || header.has("ZSCALE"));
    tiles.blank = header.integer("ZBLANK");
}

// Inflates a gzip or zlib stream to exactly `bytes` bytes.
Bytes inflated(ByteSpan packed, uint64_t bytes) {
    if (bytes > std::numeric_limits<uInt>::max()) throw_damaged("a tile is too large");
    Bytes result(bytes);
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 32) != Z_OK) throw OutOfMemory("not enough memory to read it");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = uInt(std::min<size_t>(packed.size(), std::numeric_limits<uInt>::max()));
    stream.next_out = reinterpret_cast<Bytef*>(result.data());
    stream.avail_out = uInt(bytes);
    inflate(&stream, Z_FINISH);
    const bool all = stream.avail_out == 0;
    inflateEnd(&stream);
    if (!all) throw_damaged("a packed tile is too short");
    return result;
}

// Undoes the shuffling by which the highest bytes of all numbers come first, then the second ones, and so on.
Bytes unshuffled(const Bytes& bytes, size_t size) {
    const size_t count = bytes.size() / size;
    Bytes result(bytes.size());
    for (size_t i = 0; i < count; ++i)
        for (size_t b = 0; b < size; ++b) result[i * size + b] = bytes[b * count + i];
    return result;
}

// Section 10.2: S. Park and K. Miller's generator, whose sequence each tile enters at another place.
class Dither {
public:
    Dither(uint64_t row, uint64_t seed) : start_((row + seed - 1) % count) { enter(); }
    double next() {
        const double value = sequence()[at_];
        if (++at_ == count) {
            start_ = (start_ + 1) % count;
            enter();
        }
        return value;
    }

private:
    static constexpr size_t count = 10000;

    void enter() { at_ = size_t(sequence()[start_] * 500); }
    static const std::array<float, count>& sequence() {
        static const std::array<float, count> all = [] {
            std::array<float, count> values{};
            uint64_t seed = 1;
            for (float& value : values) {
                seed = seed * 16807 % 2147483647;
                value = float(double(seed) / 2147483647.0);
            }
            return values;
        }();
        return all;
    }

    size_t start_, at_ = 0;
};

class Tiles {
public:
    Tiles(const FitsTiles& tiles, ByteSpan file) : tiles_(tiles), file_(file) {}

    // The numbers of a tile, big-endian, in the image's own type.
    Bytes tile(uint64_t row, uint64_t count) const {
        const size_t size = pixel_bytes();
        if (const ByteSpan packed = array(tiles_.packed, row); !packed.empty()) {
            if (!tiles_.quantised) return as_packed(packed, count, size);
            return floats(row, as_packed(packed, count, 4), count);
        }
        if (const ByteSpan packed = array(tiles_.gzipped, row); !packed.empty()) return inflated(packed, count * size);
        const ByteSpan plain = array(tiles_.plain, row, pixel_bytes());
        if (plain.size() != count * size) throw_damaged("a tile is missing");
        return Bytes(plain.begin(), plain.end());
    }

    size_t pixel_bytes() const { return size_t(std::abs(tiles_.bits)) / 8; }

private:
    const std::byte* field(const FitsTiles::Column& column, uint64_t row, size_t bytes) const {
        const uint64_t at = tiles_.table_at + row * tiles_.row_bytes + column.at;
        if (row >= tiles_.rows || at > file_.size() || file_.size() - at < bytes) throw_truncated(file_.size(), "FITS");
        return file_.data() + at;
    }

    // The heap array that a row refers to; empty: none.
    ByteSpan array(const std::optional<FitsTiles::Column>& column, uint64_t row, size_t size = 1) const {
        if (!column) return {};
        const size_t word = column->kind == 'P' ? 4 : 8;
        const std::byte* const descriptor = field(*column, row, 2 * word);
        const uint64_t count = big_endian(descriptor, word), offset = big_endian(descriptor + word, word);
        if (count > farthest_in_fits || offset > farthest_in_fits) throw_damaged("a tile is beyond its heap");
        const uint64_t at = tiles_.heap_at + offset;
        if (at > file_.size() || count * size > file_.size() - at) throw_truncated(file_.size(), "FITS");
        return file_.subspan(size_t(at), size_t(count * size));
    }

    Bytes as_packed(ByteSpan packed, uint64_t count, size_t size) const {
        if (tiles_.method == "GZIP_1") return inflated(packed, count * size);
        if (tiles_.method == "GZIP_2") return unshuffled(inflated(packed, count * size), size);
        if (tiles_.bits < 0 && !tiles_.quantised) throw_damaged("floats cannot be packed by RICE_1 as they are");
        Bytes result(count * size);
        const auto numbers = unpacked_rice(packed, count, tiles_.block, tiles_.stored_bytes);
        for (size_t i = 0; i < count; ++i)
            store_big_endian(uint64_t(int64_t(numbers[i])), size, result.data() + i * size);
        return result;
    }

    double of_row(const std::optional<FitsTiles::Column>& column, uint64_t row, double usual) const {
        if (!column) return usual;
        if (column->kind == 'D') return std::bit_cast<double>(big_endian(field(*column, row, 8), 8));
        if (column->kind == 'E') return double(std::bit_cast<float>(uint32_t(big_endian(field(*column, row, 4), 4))));
        throw_damaged("its tiles have a scale that is no number");
    }

    Bytes floats(uint64_t row, const Bytes& integers, uint64_t count) const {
        constexpr int32_t exactly_zero = -2147483646;
        const double scale = of_row(tiles_.scales, row, tiles_.scale), zero = of_row(tiles_.zeros, row, tiles_.zero);
        const bool own_blank = tiles_.blanks && tiles_.blanks->kind == 'J';
        const auto blank = own_blank ? int64_t(int32_t(big_endian(field(*tiles_.blanks, row, 4), 4)))
                                     : tiles_.blank.value_or(std::numeric_limits<int32_t>::min());
        const size_t size = pixel_bytes();
        Dither dither(row, tiles_.seed);
        Bytes result(count * size);
        for (size_t i = 0; i < count; ++i) {
            const auto stored = int32_t(big_endian(integers.data() + 4 * i, 4));
            const double shift = tiles_.dither > 0 ? 0.5 - dither.next() : 0;
            double value = (stored + shift) * scale + zero;
            if (tiles_.dither == 2 && stored == exactly_zero) value = 0;
            if (stored == blank) value = std::numeric_limits<double>::quiet_NaN();
            const uint64_t bits = size == 4 ? std::bit_cast<uint32_t>(float(value)) : std::bit_cast<uint64_t>(value);
            store_big_endian(bits, size, result.data() + i * size);
        }
        return result;
    }

    const FitsTiles& tiles_;
    ByteSpan file_;
};

}  // namespace

FitsTiles FitsTiles::of(const FitsCards& header, uint64_t table_at) {
    FitsTiles tiles;
    tiles.bits = int(header.integer("ZBITPIX").value_or(0));
    const uint64_t axes = header.count("ZNAXIS");
    if (axes < 1 || axes > 6) throw Error(fmt::format("the FITS is packed with {} axes; 1 to 6 are read", axes));
    for (uint64_t i = 1; i <= axes; ++i) {
        tiles.axes.push_back(header.count(fmt::format("ZNAXIS{}", i)));
        const uint64_t usual = i == 1 ? tiles.axes[0] : 1;
        tiles.tile.push_back(std::clamp<uint64_t>(header.count(fmt::format("ZTILE{}", i), usual), 1,
                                                  std::max<uint64_t>(tiles.axes.back(), 1)));
    }
    tiles.row_bytes = header.count("NAXIS1");
    tiles.rows = header.count("NAXIS2");
    const uint64_t all = tiles.rows != 0 && tiles.row_bytes > farthest_in_fits / tiles.rows
                             ? farthest_in_fits
                             : tiles.row_bytes * tiles.rows;
    tiles.table_at = table_at;
    tiles.heap_at = table_at + header.count("THEAP", all);
    take_columns(header, tiles);
    take_method(header, tiles);
    return tiles;
}

std::vector<std::byte> unpacked_fits(const FitsTiles& tiles, uint64_t picture, ByteSpan file) {
    const size_t dimensions = tiles.axes.size();
    const uint64_t width = tiles.axes[0], height = dimensions > 1 ? tiles.axes[1] : 1;
    std::vector<uint64_t> slice(dimensions, 0), columns(dimensions);  // indices beyond the second axis; tiles of each
    for (size_t d = 0; d < dimensions; ++d) {
        columns[d] = (tiles.axes[d] + tiles.tile[d] - 1) / tiles.tile[d];
        if (d < 2) continue;
        slice[d] = picture % tiles.axes[d];
        picture /= tiles.axes[d];
    }
    const Tiles source(tiles, file);
    const size_t size = source.pixel_bytes();
    Bytes result(width * height * size);
    const uint64_t tile_height = dimensions > 1 ? tiles.tile[1] : 1, down = dimensions > 1 ? columns[1] : 1;
    for (uint64_t ty = 0; ty < down; ++ty)
        for (uint64_t tx = 0; tx < columns[0]; ++tx) {
            const uint64_t x = tx * tiles.tile[0], y = ty * tile_height;
            const uint64_t w = std::min(tiles.tile[0], width - x), h = std::min(tile_height, height - y);
            uint64_t row = tx + ty * columns[0], before = 0, count = w * h, step = columns[0] * down, inside = w * h;
            for (size_t d = 2; d < dimensions; ++d) {
                const uint64_t t = slice[d] / tiles.tile[d], first = t * tiles.tile[d];
                const uint64_t depth = std::min(tiles.tile[d], tiles.axes[d] - first);
                row += t * step;
                step *= columns[d];
                before += (slice[d] - first) * inside;
                inside *= depth;
                count = inside;
            }
            check_sides(w, h, 1);
            check_plausible(file.size(), std::max<uint64_t>(w, 1),
                            std::max<uint64_t>(count / std::max<uint64_t>(w, 1), 1), 1, SampleType::f64);
            const Bytes numbers = source.tile(row, count);
            for (uint64_t i = 0; i < h; ++i)
                std::memcpy(result.data() + ((y + i) * width + x) * size, numbers.data() + (before + i * w) * size,
                            w * size);
        }
    return result;
}

namespace {

// R. White and P. Greenfield's variant of Rice's code, from section 10.4.1 of the FITS Standard: differences between
// neighbours, in blocks that share a number of low bits.
class Bits {
public:
    explicit Bits(ByteSpan bytes) : bytes_(bytes) {}

    uint32_t take(uint32_t count) {
        uint64_t value = 0;
        for (uint32_t i = 0; i < count; ++i) value = value << 1 | next();
        return uint32_t(value);
    }
    uint32_t zeros_before_one() {
        uint32_t count = 0;
        while (next() == 0) ++count;
        return count;
    }

private:
    uint32_t next() {
        if (at_ / 8 >= bytes_.size()) throw Error("the FITS is damaged: a packed tile is too short");
        const uint32_t bit = byte_at(bytes_, at_ / 8) >> (7 - at_ % 8) & 1;
        ++at_;
        return bit;
    }

    ByteSpan bytes_;
    size_t at_ = 0;
};

}  // namespace

std::vector<int32_t> unpacked_rice(ByteSpan packed, uint64_t count, uint64_t block, uint64_t bytes) {
    const uint32_t width = uint32_t(8 * bytes), code_bits = bytes == 1 ? 3 : bytes == 2 ? 4 : 5;
    const uint32_t raw = bytes == 1 ? 6 : bytes == 2 ? 14 : 25;  // `raw` + 1 is the code for unpacked differences
    const auto number = [&](uint32_t value) {
        return bytes == 1 ? int32_t(uint8_t(value)) : bytes == 2 ? int32_t(int16_t(value)) : int32_t(value);
    };
    Bits bits(packed);
    std::vector<int32_t> numbers;
    numbers.reserve(count);
    uint32_t last = bits.take(width);
    while (numbers.size() < count) {
        const uint32_t code = bits.take(code_bits);
        for (uint64_t i = 0; i < block && numbers.size() < count; ++i) {
            uint32_t folded = 0;  // 0, −1, 1, −2, …
            if (code == raw + 1) folded = bits.take(width);
            else if (code > 0) folded = bits.zeros_before_one() << (code - 1) | bits.take(code - 1);
            last += folded & 1 ? ~(folded >> 1) : folded >> 1;
            numbers.push_back(number(last));
        }
    }
    return numbers;
}

}  // namespace texelscope
