// Arbitrary bytes for the readers of metadata, which never throw; and what they give, made printable.

#include <algorithm>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/metadata/metadata.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

// Independent of the code: no control character of ASCII, and not too long.
void check_printable(std::string_view text, size_t most) {
    const std::string shown = printable(text, most);
    const auto control = [](char c) { return uint8_t(c) < ' ' || c == 0x7f; };
    if (shown.size() > most || std::ranges::any_of(shown, control)) __builtin_trap();
    if (!is_utf8(shown) || printable(shown, most) != shown) __builtin_trap();
}

size_t check_rows(const std::vector<MetadataRow>& rows) {
    for (const MetadataRow& row : rows) {
        if (row.group.empty()) __builtin_trap();
        check_printable(row.name, 100);
        check_printable(row.value, 60);
    }
    return rows.size();
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    size_t rows = 0;
    for (const int part : {0, 1, 50}) rows += check_rows(exif_rows(bytes, "TIFF", part));
    if (const int lies = orientation_in_heif(bytes); lies < 1 || lies > 8) __builtin_trap();
    rows += check_rows(exif_rows(exif_of_heif(bytes)));
    if (!has_xmp_in_heif(bytes) && !xmp_of_heif(bytes).empty()) __builtin_trap();
    is_grey_in_heif(bytes, 1);
    rows += check_rows(png_texts(bytes)) + check_rows(jpeg_texts(bytes));
    for (const size_t most : {0u, 2u, 7u, 1000u}) check_printable(text_of(bytes), most);
    return rows > 0;
}

std::vector<std::string> fuzz::seeds() {
    using namespace texelscope::test;
    const auto entry = [](uint32_t tag, uint32_t type, uint32_t count, const std::string& value) {
        return little16(tag) + little16(type) + little32(count) + value;
    };
    // A directory at 8 with one number, a text at 62, the EXIF directory at 66 and the GPS directory at 96.
    const std::string tiff =
        "II*\0"s + little32(8) + little16(4) + entry(0x0112, 3, 1, little32(6)) + entry(0x010f, 2, 4, "abc\0"s) +
        entry(0x8769, 4, 1, little32(66)) + entry(0x8825, 4, 1, little32(96)) + little32(0) + "    " + little16(2) +
        entry(0x829a, 5, 1, little32(126)) + entry(0x9286, 7, 4, "abcd") + little32(0) + little16(2) +
        entry(1, 2, 2, "N\0\0\0"s) + entry(2, 5, 1, little32(126)) + little32(0) + little32(1) + little32(250);
    return {
        tiff,
        heif({{"irot", "\3"s}, {"imir", "\1"s}}, tiff),
        "\x89PNG\r\n\x1a\n" + chunk("tEXt", "Title\0text"s) + chunk("zTXt", "Title\0\0"s + test::stored("text")) +
            chunk("iTXt", "Title\0\1\0en\0Titel\0"s + test::stored("text")) + chunk("tIME", "\x07\xe8\1\2\3\4\5"s) +
            chunk("pHYs", big32(2835) + big32(2835) + "\1"),
        "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\1\0\x48\0\x48\0\0\xff\xfe\0\5abc\xff\xc2\0\x0b\x08\0\1\0\1\1\1\x11\0\xff\xda"s,
        "a\tb\x1b[31m\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80\xff\xc0\x80 \xed\xa0\x80\xc2\x85"s,
    };
}

FUZZ_TARGET
