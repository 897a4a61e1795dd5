// Arbitrary bytes for the reader of TIFF, as a whole and by regions: it must fill the announced picture or throw Error.

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/companions.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/encoded_files.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

void read_regions(const EncodedFile& file) {
    const auto source = foreign_decoder().open_regions(file);
    const ImageInfo& info = source->info();
    const size_t pixel = size_t(info.channels) * size_t(bytes_per_sample(info.type));
    for (int level = 0; level < source->levels(); ++level) {
        const Extent extent = source->level_extent(level);
        const int width = std::min(extent.width, 100), height = std::min(extent.height, 100);
        std::vector<std::byte> samples(pixel * size_t(width) * size_t(height));
        source->read(level, {extent.width - width, extent.height - height, width, height}, samples.data(),
                     pixel * size_t(width));
    }
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    const Codec* codec = codec_of_signature(bytes);
    if (!codec || codec->name != "TIFF" || !readable(*codec)) return 0;
    const Descriptor file = file_of(bytes);
    const PictureChoice choices[] = {{}, {"2", {}, true}, {"", {"2", "1"}, false}};
    int count = 0;
    for (const PictureChoice& choice : choices) {
        const EncodedFile encoded{place_of(*codec), codec->name, "it", file.number(), bytes.size(), choice};
        SmallPicture target;
        count += fuzz::accepts([&] { foreign_decoder().decode(encoded, target); });
        count += fuzz::accepts([&] { read_regions(encoded); });
        PictureFacts facts;
        fuzz::accepts([&] { foreign_decoder().describe(encoded, facts); });
    }
    return count;
}

std::vector<std::string> fuzz::seeds() {
    using test::TiffText;
    const auto text = [](uint32_t width, uint32_t height, uint32_t bits, uint32_t photometric, uint32_t samples,
                         TiffText::Order order = {true, false}) {
        TiffText made(width, height, order);
        made.set(258, std::vector<uint32_t>(samples, bits)).set(262, {photometric}).set(277, {samples});
        return made;
    };
    const std::string bytes = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::vector<std::string> seeds = {
        TiffText(6, 2).set(262, {1}).file("\xb4\x4b"),
        text(4, 3, 12, 0, 1).file(bytes),
        text(3, 3, 8, 2, 4, {false, false}).set(338, {2}).set(278, {1}).file({bytes, bytes, bytes}),
        text(3, 3, 16, 2, 3, {true, true}).set(284, {2}).file({bytes, bytes, bytes}),
        text(5, 4, 2, 3, 1).set(320, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 65535}).file(bytes),
        text(5, 4, 8, 6, 3)
            .set(530, {2, 2})
            .set(532, {15, 1, 235, 1, 128, 1, 240, 1, 128, 1, 240, 1}, TiffText::rational_type)
            .file(bytes),
        text(3, 2, 8, 8, 3).file(bytes),
        text(3, 2, 8, 1, 1).set(330, {8, 26}, TiffText::long_type).file(bytes),
        text(3, 2, 8, 5, 4).file(bytes),
        text(3, 2, 24, 1, 1).set(339, {3}).file(bytes),
        text(2, 2, 64, 1, 1).set(339, {6}).file(bytes),
        text(16, 16, 8, 1, 1).set(259, {5}).set(317, {2}).file("\x80\x0b\x60\x50"s),
        text(16, 16, 1, 0, 1).set(259, {4}).file("\x26\xa1\xb2\x40\x04\x00\x10\x01"s),
        text(4, 4, 8, 1, 1).set(259, {32773}).set(274, {6}).file("\xf1\x41"s),
        text(4, 4, 8, 1, 1).set(259, {8}).file(test::stored(bytes.substr(0, 16))),
        text(4, 4, 32, 1, 1).set(259, {8}).set(317, {3}).set(339, {3}).file(test::stored(bytes.substr(0, 64))),
        text(2, 2, 16, 32844, 1).set(259, {34676}).file("\x02\x20\x02\x21"s),
        text(16, 16, 8, 1, 1)
            .set(322, {16})
            .set(323, {16})
            .set(324, {8}, TiffText::long_type)
            .set(325, {256}, TiffText::long_type)
            .file(std::string(256, 'x')),
    };
    return seeds;
}

FUZZ_TARGET
