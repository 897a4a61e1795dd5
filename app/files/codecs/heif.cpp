#include "app/files/codecs/heif.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/files/codecs/modules.h"

namespace texelscope {
namespace {

// Empty if there are fewer bytes.
ByteSpan part(ByteSpan bytes, uint64_t at, uint64_t count) {
    return at <= bytes.size() && count <= bytes.size() - at ? bytes.subspan(size_t(at), size_t(count)) : ByteSpan{};
}

// Numbers one after the other; 0 behind the end.
class Numbers {
public:
    explicit Numbers(ByteSpan bytes) : rest_(bytes) {}

    uint64_t next(size_t bytes) {
        if (bytes > rest_.size()) ended_ = true;
        if (ended_) return 0;
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i) value = value << 8 | byte_at(rest_, i);
        rest_ = rest_.subspan(bytes);
        return value;
    }
    bool ended() const { return ended_; }
    ByteSpan rest() const { return rest_; }

private:
    ByteSpan rest_;
    bool ended_ = false;
};

struct Box {
    std::string_view type;
    ByteSpan content;
};

// Takes the first box off `rest`.
std::optional<Box> take_box(ByteSpan& rest) {
    const ByteSpan head = part(rest, 0, 8);
    if (head.empty()) return {};
    uint64_t size = be32(head, 0), header = 8;
    if (size == 1 && rest.size() >= 16) size = Numbers(rest.subspan(8)).next(8), header = 16;
    if (size == 0) size = rest.size();
    if (size < header || size > rest.size()) return {};
    const Box box{text_of(head.subspan(4)), rest.subspan(size_t(header), size_t(size - header))};
    rest = rest.subspan(size_t(size));
    return box;
}

ByteSpan content_of(ByteSpan boxes, std::string_view type) {
    while (const auto box = take_box(boxes))
        if (box->type == type) return box->content;
    return {};
}

// A box that begins with version and flags.
struct FullBox {
    explicit FullBox(ByteSpan content) : numbers(content) {
        version = int(numbers.next(1));
        flags = uint32_t(numbers.next(3));
    }
    Numbers numbers;
    int version = 0;
    uint32_t flags = 0;
};

ByteSpan meta_of(ByteSpan file) {
    const ByteSpan meta = content_of(file, "meta");
    return meta.size() < 4 ? ByteSpan{} : meta.subspan(4);  // version and flags
}

uint64_t main_item(ByteSpan meta) {
    FullBox box(content_of(meta, "pitm"));
    return box.numbers.next(box.version == 0 ? 2 : 4);
}

// From an orientation, as EXIF numbers it, to that with one more turn or mirroring after it.
constexpr std::array<int, 9> and_turned_left = {0, 8, 5, 6, 7, 4, 1, 2, 3};
constexpr std::array<int, 9> and_mirrored = {0, 2, 1, 4, 3, 6, 5, 8, 7};
constexpr std::array<int, 9> and_upside_down = {0, 4, 3, 2, 1, 8, 7, 6, 5};  // top and bottom change places

int with_property(int orientation, const Box& property) {
    const uint32_t value = property.content.empty() ? 0 : byte_at(property.content, 0);
    if (property.type == "imir") return (value & 1 ? and_mirrored : and_upside_down)[size_t(orientation)];
    for (uint32_t quarter = 0; property.type == "irot" && quarter < (value & 3); ++quarter)
        orientation = and_turned_left[size_t(orientation)];
    return orientation;
}

// The properties of an item, from 1, in their order.
std::vector<uint64_t> properties_of(ByteSpan associations, uint64_t item) {
    FullBox box(associations);
    const size_t index_bytes = box.flags & 1 ? 2 : 1;
    const uint64_t index_mask = box.flags & 1 ? 0x7fff : 0x7f;  // above: whether a reader must understand it
    const uint64_t entries = box.numbers.next(4);
    for (uint64_t i = 0; i < entries && !box.numbers.ended(); ++i) {
        const uint64_t id = box.numbers.next(box.version < 1 ? 2 : 4), count = box.numbers.next(1);
        std::vector<uint64_t> indices;
        for (uint64_t k = 0; k < count; ++k) indices.push_back(box.numbers.next(index_bytes) & index_mask);
        if (id == item) return indices;
    }
    return {};
}

// The properties of an item as boxes.
std::vector<Box> properties_of_item(ByteSpan meta, uint64_t item) {
    const ByteSpan properties = content_of(meta, "iprp");
    std::vector<Box> boxes, of_item;
    for (ByteSpan rest = content_of(properties, "ipco"); const auto box = take_box(rest);) boxes.push_back(*box);
    for (const uint64_t index : properties_of(content_of(properties, "ipma"), item))
        if (index >= 1 && index <= boxes.size()) of_item.push_back(boxes[size_t(index) - 1]);
    return of_item;
}

bool is_exif(std::string_view type, uint64_t) { return type.starts_with("Exif"); }

// A name follows the type, and the kind of content the name.
bool is_xmp(std::string_view type, uint64_t) {
    return type.starts_with("mime") &&
           type.substr(std::min(type.find('\0'), type.size() - 1) + 1).starts_with("application/rdf+xml");
}

bool is_coded(std::string_view type) { return type.starts_with("hvc1") || type.starts_with("av01"); }

// The number of the first item for which `is_such` accepts the type and what follows it; 0: there is none.
uint64_t item_that(const auto& is_such, ByteSpan information) {
    FullBox box(information);
    box.numbers.next(box.version == 0 ? 2 : 4);
    ByteSpan entries = box.numbers.rest();
    while (const auto entry = take_box(entries)) {
        FullBox about(entry->content);
        if (entry->type != "infe" || about.version < 2) continue;
        const uint64_t id = about.numbers.next(about.version == 2 ? 2 : 4);
        about.numbers.next(2);
        if (is_such(text_of(about.numbers.rest()), id)) return id;
    }
    return 0;
}

// The bytes of an item that lies in one piece.
ByteSpan content_of_item(ByteSpan file, ByteSpan meta, uint64_t item) {
    FullBox box(content_of(meta, "iloc"));
    Numbers& numbers = box.numbers;
    const uint64_t sizes = numbers.next(2);
    const auto bytes_of = [sizes](int shift) { return size_t(sizes >> shift & 15); };
    const size_t offset_bytes = bytes_of(12), length_bytes = bytes_of(8), base_bytes = bytes_of(4);
    const size_t index_bytes = box.version == 0 ? 0 : bytes_of(0);
    const bool has_pieces = offset_bytes + length_bytes + index_bytes > 0;
    const uint64_t items = numbers.next(box.version < 2 ? 2 : 4);
    for (uint64_t i = 0; i < items && !numbers.ended(); ++i) {
        const uint64_t id = numbers.next(box.version < 2 ? 2 : 4);
        const uint64_t place = box.version == 0 ? 0 : numbers.next(2) & 15;  // 0: the file, 1: the box idat
        numbers.next(2);
        const uint64_t base = numbers.next(base_bytes), pieces = numbers.next(2);
        uint64_t offset = 0, length = 0;
        for (uint64_t k = 0; k < pieces && has_pieces && !numbers.ended(); ++k) {
            numbers.next(index_bytes);
            offset = numbers.next(offset_bytes);
            length = numbers.next(length_bytes);
        }
        if (id != item) continue;
        if (numbers.ended() || pieces != 1 || place > 1 || base > file.size()) return {};
        return part(place == 1 ? content_of(meta, "idat") : file, base + offset, length);
    }
    return {};
}

}  // namespace

int orientation_in_heif(ByteSpan file) {
    int orientation = 1;
    for (const Box& property : properties_of_item(meta_of(file), main_item(meta_of(file))))
        orientation = with_property(orientation, property);
    return orientation;
}

std::optional<HeifCoding> coding_in_heif(ByteSpan file, uint32_t item) {
    const ByteSpan meta = meta_of(file);
    const auto is_it = [item](std::string_view type, uint64_t id) { return id == item && is_coded(type); };
    if (item == 0 || item_that(is_it, content_of(meta, "iinf")) != item) return {};
    std::optional<HeifCoding> found;
    for (const auto& [type, content] : properties_of_item(meta, item)) {
        if (type != "colr" || content.size() < 11 || text_of(content.first(4)) != "nclx") continue;
        if (found) return {};
        found = {uint16_t(be16(content, 4)), uint16_t(be16(content, 8)), (byte_at(content, 10) & 0x80) != 0,
                 size_t(content.data() - file.data()) + 8};
    }
    return found;
}

bool is_grey_in_heif(ByteSpan file, uint32_t item) {
    bool grey = false, known = false;
    for (const auto& [type, content] : properties_of_item(meta_of(file), item)) {
        constexpr size_t of_hvcc = 16, of_av1c = 2, of_pixi = 4;  // the byte that states it
        if (type == "hvcC" && content.size() > of_hvcc) grey = (byte_at(content, of_hvcc) & 3) == 0, known = true;
        if (type == "av1C" && content.size() > of_av1c) grey = (byte_at(content, of_av1c) & 0x10) != 0, known = true;
        if (type == "pixi" && content.size() > of_pixi && !known) grey = byte_at(content, of_pixi) == 1;
    }
    return grey;
}

ByteSpan exif_of_heif(ByteSpan file) {
    const ByteSpan meta = meta_of(file);
    const uint64_t item = item_that(is_exif, content_of(meta, "iinf"));
    const ByteSpan data = item ? content_of_item(file, meta, item) : ByteSpan{};
    if (data.size() < 4) return {};
    const uint64_t begin = 4 + uint64_t(be32(data, 0));  // behind "Exif\0\0", as a rule
    return begin < data.size() ? data.subspan(size_t(begin)) : ByteSpan{};
}

bool has_xmp_in_heif(ByteSpan head) { return item_that(is_xmp, content_of(meta_of(head), "iinf")) != 0; }

ByteSpan xmp_of_heif(ByteSpan file) {
    const ByteSpan meta = meta_of(file);
    const uint64_t item = item_that(is_xmp, content_of(meta, "iinf"));
    return item ? content_of_item(file, meta, item) : ByteSpan{};
}

const HeifModule& heif_module() { return module_named<HeifModule>("texelscope_heif", TEXELSCOPE_WITH_HEIF, "libheif"); }

namespace {

[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    heif_module().decode(file.choice, content, target);
}

// States the stored depth if it is neither 8 nor 16 bits, the depths of samples as read.
[[maybe_unused]] std::vector<MetadataRow> rows_of_depth(ByteSpan file, int part) {
    const int bits = heif_module().bits(file, part);
    if (bits == 8 || bits == 16) return {};
    return {{"Picture", "Depth", fmt::format("{} bits, spread over {}", bits, bits > 8 ? 16 : 8)}};
}

}  // namespace

extern const Codec heif_codec;
constinit const Codec heif_codec{
    .name = "HEIF",
    .extensions = "heic heif hif avif",
    .samples = "8 bits; 9 to 16 bits as 16, in which the largest number is 1",
    .signatures = {{{4, "ftypheic"},
                    {4, "ftypheix"},
                    {4, "ftypmif1"},
                    {4, "ftypavif"},
                    {4, "ftypheim"},
                    {4, "ftypheis"},
                    {4, "ftypmsf1"},  // sequences, from here on
                    {4, "ftyphevc"},
                    {4, "ftypavis"}}},
    .library = "libheif",
    .package = "libheif-dev",
    .modules = TEXELSCOPE_WITH_HEIF ? of_libheif : 0,
    .decode = TEXELSCOPE_WITH_HEIF ? decode : nullptr,
    .describe = TEXELSCOPE_WITH_HEIF ? rows_of_depth : nullptr,
    .oiio = "heif",
    .more_in_oiio = has_xmp_in_heif,
    .exif = exif_of_heif,
    .turned_by_library = true,
};

}  // namespace texelscope
