#include "app/files/codecs/openexr/exr_files.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "app/files/codecs/openexr/exr_picture.h"

namespace texelscope {
namespace {

// Rows decoded at a time: enough for all threads.
constexpr int band_rows = 256;

class Decoding {
public:
    Decoding(ExrPicture& picture, Image& image, DecodingTarget& target)
        : picture_(picture), level_(picture.levels()[0]), image_(image), target_(target) {}

    void run() {
        const int band = std::max(1, band_rows / level_.piece_height) * level_.piece_height;
        for (int y = 0; y < image_.height(); y += band) {
            if (!read(y, band)) return read_what_is_there(y);
            target_.rows_done(std::min(y + band, image_.height()));
        }
    }

private:
    // Reads some rows. False if they cannot be read; the first problem is kept.
    bool read(int y, int most_rows) {
        const int rows = std::min(most_rows, image_.height() - y);
        try {
            picture_.read(level_, {0, y, image_.width(), rows}, image_.row(y), image_.row_bytes());
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& error) {
            if (!problem_) problem_ = error;
            return false;
        }
        return true;
    }

    // A file that ends early lacks all rows from one on. One that lacks others, or all, is damaged.
    void read_what_is_there(int y) {
        if (picture_.made_of_luminance()) throw *problem_;  // rows need those around them
        while (y < image_.height() && read(y, level_.piece_height)) y += level_.piece_height;
        const int there = y;
        while ((y += level_.piece_height) < image_.height())
            if (read(y, level_.piece_height)) throw *problem_;
        if (there == 0) throw *problem_;
        std::memset(image_.row(there), 0, size_t(image_.height() - there) * image_.row_bytes());
        image_.set_missing({0, there, image_.width(), image_.height() - there});
    }

    ExrPicture& picture_;
    const ExrLevel& level_;
    Image& image_;
    DecodingTarget& target_;
    std::optional<Error> problem_;
};

}  // namespace

void decode_exr(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    ContentStream stream(content);
    const auto picture = in_our_words([&] { return std::make_unique<ExrPicture>(stream, file); });
    const PictureShape& shape = picture->facts().shape;
    check_plausible(content.size(), uint64_t(shape.width), uint64_t(shape.height), uint64_t(shape.channels),
                    shape.type);
    Decoding(*picture, target.begin(shape, picture->facts()), target).run();
}

}  // namespace texelscope
