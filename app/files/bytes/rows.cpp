#include "app/files/bytes/rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "gpu/core/image.h"

namespace texelscope {
namespace {

int rows_at_once(const RowSource& picture) {
    constexpr size_t most_bytes = size_t(1) << 24;
    return int(std::clamp<size_t>(most_bytes / picture.row_bytes(), 1, most_rows_at_once));
}

}  // namespace

void for_each_band(const RowSource& picture, const std::function<void(const Image&, int, int)>& work) {
    const int step = rows_at_once(picture);
    for (int first = 0, last = 0; first < picture.height; first = last) {
        last = first + std::min(step, picture.height - first);
        work(picture.rows(first, last), first, last);
    }
}

ByteSpan icc_of(const RowSource& picture) { return picture.profile ? ByteSpan(picture.profile->icc) : ByteSpan(); }

RowSource rows_of(const Image& image) {
    const auto rows = [&image](int first, int last) {
        Image part(image.width(), last - first, image.channels(), image.type(), image.alpha());
        std::memcpy(part.data(), image.row(first), part.size_bytes());
        return part;
    };
    return {image.width(), image.height(), image.channels(), image.type(),
            image.alpha(), rows,           image.profile(),  image.dimensions()};
}

Image whole_of(const RowSource& picture) {
    Image whole(picture.width, picture.height, picture.channels, picture.type, picture.alpha);
    for_each_band(picture, [&](const Image& band, int first, int) {
        std::memcpy(whole.row(first), band.data(), band.size_bytes());
    });
    return whole;
}

namespace {

constexpr int band_rows = 32;  // rows that are turned together, block by block

bool in_order(const std::vector<int>& which, int stored) {
    for (size_t i = 0; i < which.size(); ++i)
        if (which[i] != int(i)) return false;
    return int(which.size()) == stored;
}

}  // namespace

void check_enough_rows(int there, int height, size_t file_bytes, std::string_view format) {
    constexpr int least = 16;  // at least one row in 16 must be there
    if (there == 0 || there < height / least) throw_truncated(file_bytes, format);
}

void deliver_rows(const ChosenPicture& picture, const PictureShape& stored, DecodingTarget& target,
                  const MakeRow& make_row, const MissingRows& missing) {
    const auto& [width, height, stored_channels, type, alpha] = stored;
    const ChosenChannels& channels = picture.channels;
    PictureFacts facts = picture.facts;
    const int orientation = turn_of(facts);
    if (missing.count > 0) facts.missing = turned({0, missing.first, width, missing.count}, width, height, orientation);
    Image* const into = target.begin(turned_shape(width, height, channels, type, alpha, facts), facts);
    if (!into) return;
    Image& image = *into;
    const bool direct = orientation == 1 && in_order(channels.which, stored_channels);
    const size_t row_bytes = size_t(width) * size_t(stored_channels) * size_t(bytes_per_sample(type));
    const int band = std::min(band_rows, height);
    std::vector<std::byte> samples(direct ? 0 : row_bytes * size_t(band));
    for (int first = 0; first < height; first += band) {
        const int count = std::min(band, height - first);
        for (int y = first; y < first + count; ++y) {
            std::byte* const row = direct ? image.row(y) : samples.data() + size_t(y - first) * row_bytes;
            if (y < missing.first || y >= missing.first + missing.count) make_row(y, row);
            else std::fill_n(row, row_bytes, std::byte(0));
        }
        if (!direct)
            place_rows({samples.data(), width, first, count, stored_channels, channels.which}, orientation, image);
        target.rows_done(orientation <= 2 ? first + count : 0);
    }
}

void deliver_single(const PictureChoice& choice, const PictureShape& stored, int orientation, DecodingTarget& target,
                    const MakeRow& make_row, const MissingRows& missing) {
    deliver_rows(chosen_picture(choice, stored, 1, orientation), stored, target, make_row, missing);
}

namespace {

bool takes_all(const FileRows& rows) {
    bool all = int(rows.channels.size()) == rows.stored_channels;
    for (size_t c = 0; c < rows.channels.size(); ++c) all = all && rows.channels[c] == int(c);
    return all;
}

constexpr size_t largest_pixel = 4 * sizeof(double);  // bytes: four channels of 64 bits

// In place: no more channels are chosen than there are.
void leave_out(const FileRows& rows, size_t sample_bytes) {
    const size_t pixels = size_t(rows.width) * size_t(rows.count), kept = rows.channels.size() * sample_bytes;
    std::array<std::byte, largest_pixel> pixel;
    const std::byte* from = rows.samples;
    std::byte* to = rows.samples;
    for (size_t i = 0; i < pixels; ++i, from += size_t(rows.stored_channels) * sample_bytes, to += kept) {
        for (size_t c = 0; c < rows.channels.size(); ++c)
            std::memcpy(pixel.data() + c * sample_bytes, from + size_t(rows.channels[c]) * sample_bytes, sample_bytes);
        std::memcpy(to, pixel.data(), kept);
    }
}

// Where the file's pixels lie in the upright picture, in pixels from its first.
struct Steps {
    ptrdiff_t start, along_row, along_column;
};

Steps steps_of(int orientation, ptrdiff_t width, ptrdiff_t height) {
    switch (orientation) {
        case 2: return {width - 1, -1, width};
        case 3: return {width * height - 1, -1, -width};
        case 4: return {width * (height - 1), 1, -width};
        case 5: return {0, height, 1};
        case 6: return {height - 1, height, -1};
        case 7: return {width * height - 1, -height, -1};
        case 8: return {(width - 1) * height, -height, 1};
        default: return {0, 1, width};
    }
}

// In blocks, so that what is read and what is written both stay in the cache.
template <size_t Bytes> void scatter(const FileRows& rows, const Steps& steps, std::byte* image) {
    constexpr int block = 32;
    for (int y0 = 0; y0 < rows.count; y0 += block)
        for (int x0 = 0; x0 < rows.width; x0 += block)
            for (int x = x0; x < std::min(x0 + block, rows.width); ++x)
                for (int y = y0; y < std::min(y0 + block, rows.count); ++y) {
                    const ptrdiff_t to = steps.start + x * steps.along_row + (rows.first + y) * steps.along_column;
                    std::memcpy(image + to * ptrdiff_t(Bytes),
                                rows.samples + (size_t(y) * size_t(rows.width) + size_t(x)) * Bytes, Bytes);
                }
}

}  // namespace

SampleRegion turned(const SampleRegion& part, int width, int height, int orientation) {
    auto [x, y, w, h] = part;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    if (from_right) x = width - x - w;
    if (from_below) y = height - y - h;
    if (swaps_sides(orientation)) return {y, x, h, w};
    return {x, y, w, h};
}

void place_rows(const FileRows& rows, int orientation, Image& image) {
    const size_t sample_bytes = size_t(bytes_per_sample(image.type()));
    if (!takes_all(rows)) leave_out(rows, sample_bytes);
    if (orientation == 1) {
        std::memcpy(image.row(rows.first), rows.samples, image.row_bytes() * size_t(rows.count));
        return;
    }
    const bool swapped = swaps_sides(orientation);
    const Steps steps =
        steps_of(orientation, swapped ? image.height() : image.width(), swapped ? image.width() : image.height());
    switch (size_t(image.channels()) * sample_bytes) {
        case 1: return scatter<1>(rows, steps, image.data());
        case 2: return scatter<2>(rows, steps, image.data());
        case 3: return scatter<3>(rows, steps, image.data());
        case 4: return scatter<4>(rows, steps, image.data());
        case 6: return scatter<6>(rows, steps, image.data());
        case 8: return scatter<8>(rows, steps, image.data());
        case 12: return scatter<12>(rows, steps, image.data());
        case 16: return scatter<16>(rows, steps, image.data());
        case 24: return scatter<24>(rows, steps, image.data());
        default: return scatter<largest_pixel>(rows, steps, image.data());
    }
}

SampleRegion missing_of(const RawSamples& samples, uint64_t file_bytes) {
    check_dimensions(samples.width, samples.height, samples.channels, samples.type);
    const uint64_t after = file_bytes - std::min(samples.at, file_bytes);
    const auto rows = int(rows_present(after, samples.row_bytes(), samples.width, samples.height));
    const int width = int(samples.width), missing = int(samples.height) - rows;
    if (missing == 0) return {};
    return {0, samples.bottom_up ? 0 : rows, width, missing};
}

Image image_of(const RawSamples& samples, ByteSpan file) {
    const SampleRegion missing = missing_of(samples, file.size());
    Image image(int(samples.width), int(samples.height), int(samples.channels), samples.type, samples.alpha);
    image.set_missing(missing);
    image.set_dimensions(samples.dimensions);
    const std::byte* row = file.data() + samples.at;
    for (int y = 0; y < image.height() - missing.height; ++y, row += samples.row_bytes())
        samples.convert(row, size_t(samples.width), image.row(samples.bottom_up ? image.height() - 1 - y : y));
    return image;
}

void throw_truncated(size_t size, std::string_view format) {
    throw Error(fmt::format("the file ends after {} bytes; the {} is truncated", size, format));
}

void check_sides(uint64_t width, uint64_t height, uint64_t channels) {
    if (width < 1 || height < 1)
        throw Error(fmt::format("its header claims {}×{} pixels; an image has at least 1×1", width, height));
    if (channels < 1 || channels > 4)
        throw Error(fmt::format("its header claims {} channels; 1 to 4 are supported", channels));
    constexpr auto side = uint64_t(max_image_side);
    if (width > side || height > side)
        throw Error(fmt::format("its header claims {}×{} pixels; the limit is {} per side", width, height, side));
}

void check_dimensions(uint64_t width, uint64_t height, uint64_t channels, SampleType type) {
    constexpr auto side = uint64_t(max_image_side);
    check_sides(std::min(width, side), std::min(height, side), channels);
    if (width > side || height > side ||
        width * height * channels * uint64_t(bytes_per_sample(type)) > uint64_t(max_image_bytes))
        throw Error(fmt::format("its header claims {}×{} pixels; the limits are {} per side and {} GiB in all", width,
                                height, side, max_image_bytes >> 30));
}

void check_present(uint64_t available, uint64_t needed, uint64_t width, uint64_t height) {
    if (available < needed)
        throw Error(fmt::format("the file is truncated: its header claims {}×{} pixels in {} bytes, but only {} exist",
                                width, height, needed, available));
}

uint64_t rows_present(uint64_t available, uint64_t row_bytes, uint64_t width, uint64_t height) {
    constexpr uint64_t least = 16;  // at least one row in 16 must be there
    const uint64_t rows = std::min(available / row_bytes, height);
    if (rows == 0 || rows < height / least) check_present(available, row_bytes * height, width, height);
    return rows;
}

void check_plausible(uint64_t file_bytes, uint64_t width, uint64_t height, uint64_t channels, SampleType type) {
    check_dimensions(width, height, channels, type);
    // Deflate packs 1032 : 1 at most, LZW 2700 : 1; newer formats may pack a modest picture even more densely.
    constexpr uint64_t most_dense = 5000, always_taken = uint64_t(1) << 28;
    const uint64_t bytes = width * height * channels * uint64_t(bytes_per_sample(type));
    if (bytes > always_taken && bytes / most_dense > file_bytes)
        throw Error(fmt::format("its header claims {}×{} pixels, which a file of {} bytes cannot hold", width, height,
                                file_bytes));
}

FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind) {
    constexpr int most_boxes = 4096;
    for (int i = 0; i < most_boxes && part.begin + 8 <= part.end; ++i) {
        const Bytes head = read(part.begin, 16);
        if (head.size() < 8) break;
        uint64_t length = be32(head, 0), size_of_head = 8;
        if (length == 1 && head.size() == 16) {
            length = uint64_t(be32(head, 8)) << 32 | be32(head, 12);
            size_of_head = 16;
        }
        if (length < size_of_head || length > part.end - part.begin) break;
        const std::string_view text = text_of(head);
        if (text.substr(4, 4) == type && text.substr(8).starts_with(kind))
            return {part.begin + size_of_head, part.begin + length};
        part.begin += length;
    }
    return {};
}

}  // namespace texelscope
