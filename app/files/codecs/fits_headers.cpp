#include "app/files/codecs/fits_headers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/files/codecs/fits_cards.h"

namespace texelscope {
namespace {

constexpr uint64_t most_axes = 999;

// `name`: NAXIS, or ZNAXIS of a packed image.
std::vector<uint64_t> axes_of(const FitsCards& header, const std::string& name) {
    const uint64_t count = header.count(name);
    if (count > most_axes) throw Error(fmt::format("the FITS is damaged: it has {} axes", count));
    std::vector<uint64_t> axes;
    for (uint64_t i = 1; i <= count; ++i) axes.push_back(header.count(fmt::format("{}{}", name, i)));
    return axes;
}

// The product, capped far beyond the size of any file.
uint64_t product(uint64_t a, uint64_t b) { return b != 0 && a > farthest_in_fits / b ? farthest_in_fits : a * b; }

uint64_t data_bytes(const FitsCards& header, const std::vector<uint64_t>& axes, int bits) {
    if (axes.empty()) return 0;
    const bool groups = axes[0] == 0 && header.text("GROUPS") == "T";
    uint64_t values = 1;
    for (size_t i = groups ? 1 : 0; i < axes.size(); ++i) values = product(values, axes[i]);
    values = std::min(values + (header.count("PCOUNT", 0)), farthest_in_fits);
    values = product(values, header.count("GCOUNT", 1));
    const uint64_t bytes = product(values, uint64_t(std::abs(bits)) / 8);
    return (bytes + fits_block - 1) / fits_block * fits_block;
}

int bits_of(const FitsCards& header, const std::string& name) {
    const int64_t bits = header.integer(name).value_or(0);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != -32 && bits != -64)
        throw Error(fmt::format("the FITS is damaged: its {} is {}; 8, 16, 32, 64, -32 and -64 are known", name, bits));
    return int(bits);
}

FitsImage image_of(const FitsCards& header, const std::vector<uint64_t>& axes, int bits, uint64_t at) {
    FitsImage image{header.text("EXTNAME"), bits, axes[0], axes.size() > 1 ? axes[1] : 1};
    for (size_t i = 2; i < axes.size(); ++i) image.pictures = product(image.pictures, axes[i]);
    image.scale = header.real("BSCALE").value_or(1);
    image.zero = header.real("BZERO").value_or(0);
    if (!std::isfinite(image.scale) || !std::isfinite(image.zero) || image.scale == 0)
        throw Error("the FITS is damaged: its BSCALE and BZERO make numbers of nothing");
    if (bits > 0) image.blank = header.integer("BLANK");
    image.at = at;
    return image;
}

bool holds_some(const std::vector<uint64_t>& axes) {
    return !axes.empty() && std::find(axes.begin(), axes.end(), uint64_t(0)) == axes.end();
}

// Adds the image of the unit at `at`, which is moved to the next one. Returns whether the unit is a table, no image.
bool take_unit(ByteSpan file, uint64_t& at, std::vector<FitsImage>& images) {
    const bool first = at == 0;
    const FitsCards header(file, at);
    const int bits = bits_of(header, "BITPIX");
    const std::vector<uint64_t> axes = axes_of(header, "NAXIS");
    const std::string kind = header.text("XTENSION");
    const bool packed = kind == "BINTABLE" && header.text("ZIMAGE") == "T";
    if ((first || kind == "IMAGE") && holds_some(axes)) images.push_back(image_of(header, axes, bits, at));
    if (packed)
        if (const auto its = axes_of(header, "ZNAXIS"); holds_some(its)) {
            FitsImage image = image_of(header, its, bits_of(header, "ZBITPIX"), at);
            image.tiles = std::make_shared<const FitsTiles>(FitsTiles::of(header, at));
            images.push_back(std::move(image));
        }
    at += data_bytes(header, axes, bits);
    return !packed && (kind == "TABLE" || kind == "BINTABLE");
}

}  // namespace

std::vector<FitsImage> fits_images(ByteSpan file) {
    std::vector<FitsImage> images;
    bool tables = false;
    for (uint64_t at = 0; at < file.size();) {
        // Bytes after the last unit mean nothing, and a damaged unit does not spoil the images before it.
        if (at > 0 && !text_of(file).substr(size_t(at)).starts_with("XTENSION=")) break;
        try {
            tables = take_unit(file, at, images) || tables;
        } catch (const Error&) {
            if (images.empty()) throw;
            break;
        }
    }
    if (images.empty()) throw Error(tables ? "the FITS holds tables, no image" : "the FITS holds no image");
    return images;
}

}  // namespace texelscope
