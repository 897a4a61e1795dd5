// Radiance HDR: G. Ward, "The RADIANCE picture file format", https://radsite.lbl.gov/radiance/refer/filefmts.pdf: a header of
// lines, of which an empty one is the last, a line with the order of the scanlines, and pixels of four bytes, in runs or not.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

namespace texelscope {
namespace {

constexpr int most_scanlines = 64, most_pixels = 1 << 20;  // decoded before they are placed

struct Header {
    bool xyz = false;
    std::array<double, 3> factors = {1, 1, 1};  // by which the values were multiplied
    uint64_t length = 0, scanlines = 0;         // pixels of a scanline
    int orientation = 1;                        // as in EXIF
    size_t raster = 0;                          // where the pixels begin
};

std::string_view without_blanks(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// Takes the line at `at`, which is moved to the next one.
std::string_view take_line(std::string_view text, size_t& at) {
    const size_t end = text.find('\n', at);
    if (end == text.npos) throw_truncated(text.size(), "Radiance HDR");
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// Takes a finite factor above 0; unset for anything else, which programs ignore.
std::optional<double> take_factor(std::string_view& text) {
    text = without_blanks(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value) || value <= 0) return {};
    text.remove_prefix(size_t(end - text.data()));
    return value;
}

void take_variable(std::string_view line, Header& header) {
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = line.substr(0, equals);
    std::string_view value = without_blanks(line.substr(std::min(equals + 1, line.size())));
    if (name == "FORMAT") {
        header.xyz = value == "32-bit_rle_xyze";
        if (!header.xyz && value != "32-bit_rle_rgbe")
            throw Error(fmt::format("its Radiance FORMAT is '{}'; 32-bit_rle_rgbe and 32-bit_rle_xyze are read",
                                    value.substr(0, 40)));
    } else if (name == "EXPOSURE") {
        const double factor = take_factor(value).value_or(1);
        for (double& each : header.factors) each *= factor;
    } else if (name == "COLORCORR") {
        const auto red = take_factor(value), green = take_factor(value), blue = take_factor(value);
        if (!red || !green || !blue) return;
        header.factors[0] *= *red;
        header.factors[1] *= *green;
        header.factors[2] *= *blue;
    }
}

struct Axis {
    bool rises = false;
    char name = 0;
    uint64_t count = 0;
};

Axis take_axis(std::string_view& text) {
    text = without_blanks(text);
    Axis axis;
    if (text.size() < 2 || (text[0] != '+' && text[0] != '-') || (text[1] != 'X' && text[1] != 'Y')) return axis;
    const std::string_view digits = without_blanks(text.substr(2));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), axis.count);
    if (error != std::errc()) return axis;
    axis.rises = text[0] == '+';
    axis.name = text[1];
    text = digits.substr(size_t(end - digits.data()));
    return axis;
}

// "-Y 480 +X 640": scanlines from above, each from the left. X rises to the right, Y upwards.
void take_resolution(std::string_view line, Header& header) {
    const Axis slow = take_axis(line), fast = take_axis(line);
    if (slow.name == 0 || fast.name == 0 || slow.name == fast.name || !without_blanks(line).empty())
        throw Error("its Radiance header has no size such as -Y 480 +X 640 after its empty line");
    header.scanlines = slow.count;
    header.length = fast.count;
    const bool columns = slow.name == 'X';
    const bool from_right = columns ? !slow.rises : !fast.rises, from_below = columns ? fast.rises : slow.rises;
    constexpr int rows_so[2][2] = {{1, 4}, {2, 3}}, columns_so[2][2] = {{5, 8}, {6, 7}};
    header.orientation = (columns ? columns_so : rows_so)[from_right][from_below];
}

Header header_of(ByteSpan bytes) {
    const std::string_view text = text_of(bytes);
    Header header;
    size_t at = 0;
    for (std::string_view line = take_line(text, at); !line.empty(); line = take_line(text, at))
        take_variable(line, header);
    take_resolution(take_line(text, at), header);
    header.raster = at;
    return header;
}

using Pixel = std::array<uint8_t, 4>;

// The scanlines one after the other, each in one of the three codes.
class Scanlines {
public:
    explicit Scanlines(ByteSpan bytes) : bytes_(bytes) {}

    // Takes the next scanline. False if the file ends within it. Throws Error for data that cannot be one.
    bool take(std::vector<Pixel>& scanline) {
        const ByteSpan rest = bytes_.subspan(at_);
        const bool fits = scanline.size() >= 8 && scanline.size() < 32768;
        if (fits && rest.size() >= 4 && be16(rest, 0) == 0x0202 && byte_at(rest, 2) < 128) return take_runs(scanline);
        return take_pixels(scanline);
    }

private:
    std::optional<uint8_t> byte() {
        if (at_ == bytes_.size()) return {};
        return uint8_t(byte_at(bytes_, at_++));
    }

    [[noreturn]] static void throw_run() { throw Error("the Radiance HDR is damaged: a run has an impossible length"); }

    // Each of the four components separately: 128 + n and a byte that is repeated n times, or n and n bytes.
    bool take_runs(std::vector<Pixel>& scanline) {
        if (be16(bytes_, at_ + 2) != scanline.size())
            throw Error("the Radiance HDR is damaged: a scanline has another length than the picture");
        at_ += 4;
        for (size_t component = 0; component < 4; ++component)
            for (size_t x = 0; x < scanline.size();) {
                const auto code = byte();
                if (!code) return false;
                const bool repeated = *code > 128;
                const size_t count = repeated ? *code - 128u : *code;
                if (count == 0 || count > scanline.size() - x) throw_run();
                std::optional<uint8_t> value;
                for (size_t i = 0; i < count; ++i) {
                    if (i == 0 || !repeated) value = byte();
                    if (!value) return false;
                    scanline[x++][component] = *value;
                }
            }
        return true;
    }

    // Plain pixels; 1, 1, 1, n repeats the last one n times, directly after such a run 256 · n times, and so on.
    bool take_pixels(std::vector<Pixel>& scanline) {
        int shift = 0;
        for (size_t x = 0; x < scanline.size();) {
            if (bytes_.size() - at_ < 4) return false;
            Pixel pixel{};
            for (uint8_t& each : pixel) each = *byte();
            if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
                scanline[x++] = pixel;
                shift = 0;
                continue;
            }
            const uint64_t count = uint64_t(pixel[3]) << shift;
            if (x == 0 || shift > 24 || count > scanline.size() - x) throw_run();
            std::fill_n(scanline.begin() + ptrdiff_t(x), count, scanline[x - 1]);
            x += size_t(count);
            shift += 8;
        }
        return true;
    }

    ByteSpan bytes_;
    size_t at_ = 0;
};

// Converts pixels to numbers.
class Light {
public:
    explicit Light(const Header& header) : xyz_(header.xyz), factors_(header.factors) {
        constexpr int bias = 136;  // 128, and 8 bits of the mantissa
        for (int e = 1; e < 256; ++e) scale_[size_t(e)] = std::ldexp(1., e - bias);
    }

    void convert(const std::vector<Pixel>& scanline, float* to) const {
        for (const Pixel& pixel : scanline) {
            std::array<double, 3> light;
            for (size_t c = 0; c < 3; ++c) light[c] = pixel[c] * scale_[pixel[3]] / factors_[c];
            if (xyz_) light = rec709(light);
            for (const double each : light) *to++ = float(each);
        }
    }

private:
    // The conversion of IEC 61966-2-1, from the primaries and the white point D65 of Rec. 709.
    static std::array<double, 3> rec709(const std::array<double, 3>& xyz) {
        constexpr double matrix[3][3] = {{3.2409699419, -1.5373831776, -0.4986107603},
                                         {-0.9692436363, 1.8759675015, 0.0415550574},
                                         {0.0556300797, -0.2039769589, 1.0569715142}};
        std::array<double, 3> rgb{};
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < 3; ++i) rgb[c] += matrix[c][i] * xyz[i];
        return rgb;
    }

    bool xyz_;
    std::array<double, 3> factors_;
    std::array<double, 256> scale_{};  // an exponent of 0: black
};

// Delivers f32, linear light: mantissa · 2^(exponent − 136), divided by all EXPOSURE and COLORCORR, so that pictures
// that were made brighter agree again; CIE XYZ becomes RGB of Rec. 709. GAMMA changes nothing. A file that ends early
// gives its complete scanlines. Throws Error or OutOfMemory.
void decode(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target) {
    const Header header = header_of(bytes);
    check_plausible(bytes.size(), header.length, header.scanlines, 3, SampleType::f32);
    const int width = int(header.length), height = int(header.scanlines);
    ChosenPicture picture =
        chosen_picture(file.choice, {width, height, 3, SampleType::f32, Alpha::none}, 1, header.orientation);
    picture.facts.may_lack_samples = true;  // nothing marks the end
    const std::vector<int>& channels = picture.channels.which;
    const int orientation = turn_of(picture.facts);
    Image* const into = target.begin(
        turned_shape(width, height, picture.channels, SampleType::f32, Alpha::none, picture.facts), picture.facts);
    if (!into) return;
    Image& image = *into;

    const int band = std::clamp(most_pixels / width, 1, most_scanlines);
    Scanlines scanlines(bytes.subspan(header.raster));
    const Light light(header);
    std::vector<Pixel> scanline(header.length);
    std::vector<float> samples(3 * header.length * size_t(band));
    for (int first = 0; first < height;) {
        const int wanted = std::min(band, height - first);
        int count = 0;
        while (count < wanted && scanlines.take(scanline))
            light.convert(scanline, samples.data() + 3 * header.length * size_t(count++));
        place_rows({reinterpret_cast<std::byte*>(samples.data()), width, first, count, 3, channels}, orientation,
                   image);
        first += count;
        if (first == 0) throw_truncated(bytes.size(), "Radiance HDR");
        if (count < wanted) {
            image.set_missing(turned({0, first, width, height - first}, width, height, orientation));
            return;
        }
        target.rows_done(orientation <= 2 ? first : 0);
    }
}

}  // namespace

extern const Codec radiance_codec;
constinit const Codec radiance_codec{
    .name = "Radiance HDR",
    .extensions = "hdr rgbe pic",
    .samples =
        "32-bit floats, of 8 bits each with a common exponent, divided by EXPOSURE and COLORCORR; XYZE as RGB of "
        "Rec. 709; all eight orders",
    .signatures = {{{0, "#?"}}},
    .decode = decode,
    .oiio = "hdr",
    .writing = {.types = holds_f32,
                .channels = "3",
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .linear = true,
                .positive = true,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 0 : 1},
};

}  // namespace texelscope
