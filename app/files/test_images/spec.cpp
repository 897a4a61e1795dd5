// Parsing "@id:640x480", with helpful errors.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "app/files/test_images/test_images.h"

namespace texelscope {
namespace {

// Levenshtein distance: letters to insert, delete or change.
size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t changed = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

// The typed text, shortened to fit a message, unprintable bytes as '?'.
std::string shown(std::string_view text) {
    std::string result(text.substr(0, 40));
    for (char& c : result)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    return text.size() > 40 ? result + "…" : result;
}

// The id that was probably meant: one that begins with the typed text, else one a few edits away. Null if none is near.
const TestImage* nearest_to(std::string_view id) {
    if (id.size() > 40) return nullptr;
    const TestImage* best = nullptr;
    size_t fewest = std::max<size_t>(2, id.size() / 3) + 1;
    for (const TestImage& image : test_images()) {
        const size_t edits = id.size() >= 3 && image.id.starts_with(id) ? 0 : edits_between(id, image.id);
        if (edits < fewest) {
            fewest = edits;
            best = &image;
        }
    }
    return best;
}

[[noreturn]] void throw_unknown(std::string_view id) {
    std::string known;
    for (const TestImage& image : test_images()) known += fmt::format("{}@{}", known.empty() ? "" : ", ", image.id);
    const TestImage* near = nearest_to(id);
    const std::string hint = near ? fmt::format(" (did you mean @{}?)", near->id) : "";
    throw UsageError(fmt::format("@{}: there is no such test image{}; the known ones are {}", shown(id), hint, known));
}

// A whole number of 1 … max_image_side, else 0.
int parsed_side(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= 1 && value <= max_image_side ? int(value) : 0;
}

}  // namespace

TestImageRequest parse_test_image_of_any_size(std::string_view spec) {
    if (spec.starts_with('@')) spec.remove_prefix(1);
    const size_t colon = spec.find(':');
    const std::string_view id = spec.substr(0, colon);
    const TestImage* image = find_test_image(id);
    if (!image) throw_unknown(id);
    TestImageRequest request{image, image->width, image->height};
    if (colon != std::string_view::npos) {
        const std::string_view size = spec.substr(colon + 1);
        const size_t cross = size.find_first_of("xX");
        request.width = parsed_side(size.substr(0, cross));
        request.height = cross == std::string_view::npos ? request.width : parsed_side(size.substr(cross + 1));
        if (request.width == 0 || request.height == 0)
            throw UsageError(fmt::format("@{}: \"{}\" is not a size; write @{}:N or @{}:WxH with sides of 1 … {}", id,
                                         shown(size), id, id, max_image_side));
    }
    return request;
}

TestImageRequest parse_test_image(std::string_view spec) {
    const TestImageRequest request = parse_test_image_of_any_size(spec);
    const TestImage* image = request.image;
    const int64_t pixels = int64_t(request.width) * request.height;
    const int64_t most = max_test_image_bytes / (image->channels * bytes_per_sample(image->type));
    if (pixels > most) {
        const auto side = int64_t(std::sqrt(double(most)));
        throw UsageError(fmt::format(
            "@{}: {}×{} is too large; a test image may take up to {} GiB, so the limit for this one is {}×{} pixels",
            image->id, request.width, request.height, max_test_image_bytes >> 30, side, side));
    }
    return request;
}

std::optional<TestImageRequest> formula_of(std::string_view source) {
    if (!source.starts_with('@')) return {};
    const TestImage* image = find_test_image(source.substr(1, source.find(':') - 1));
    if (!image || !image->function) return {};
    return parse_test_image_of_any_size(source);
}

Image make_test_image(std::string_view spec) {
    const TestImageRequest request = parse_test_image(spec);
    try {
        const auto& [part, whole] = request.image->generator;
        return part ? part(PicturePart::whole(request.width, request.height)) : whole(request.width, request.height);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("@{}: not enough memory to make it at {}×{}", request.image->id, request.width,
                                      request.height));
    }
}

}  // namespace texelscope
