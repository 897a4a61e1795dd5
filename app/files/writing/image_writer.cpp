#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/jpeg.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/pfm.h"
#include "app/files/codecs/png.h"
#include "app/files/codecs/pnm.h"
#include "app/files/codecs/stb.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/fit.h"
#include "app/files/writing/written_profile.h"
#include "gpu/core/ascii.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

std::string lower_extension(const fs::path& path) { return lower_case(path.extension().string()); }

std::string joined(const std::vector<std::string>& words) { return fmt::format(".{}", fmt::join(words, " .")); }

const Format& output_format(const fs::path& path) {
    const Format* format = format_of_extension(path);
    const std::string extension = lower_extension(path);
    if (format && writable(*format) && extension != ".pbm") return *format;
    const std::string what = !path.has_filename() ? "the name of a file is missing"
                             : extension.empty()  ? "its name has no extension, which chooses the format"
                                                  : fmt::format("texelscope cannot write {} files", extension);
    throw UsageError(fmt::format("{}: {}; it writes {}", path.string(), what, joined(writable_extensions())));
}

void check_type(const Format& format, SampleType type, const fs::path& path) {
    if (writable_types(format) & bit_of(type)) return;
    std::string held;
    for (const SampleType each : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        if (writable_types(format) & bit_of(each)) held += fmt::format("{}{}", held.empty() ? "" : ", ", name_of(each));
    throw UsageError(fmt::format("{}: {} files do not hold {} samples; they hold {}", path.string(), format.name,
                                 name_of(type), held));
}

// `rows` are those of the file.
void check_room(const Format& format, const RowSource& rows, const fs::path& path) {
    const uint64_t pixels = uint64_t(rows.width) * uint64_t(rows.height), most = pixels * 4 * sizeof(float);
    const std::string why = why_no_room(format, rows.width, rows.height, rows.row_bytes() * uint64_t(rows.height));
    if (why.empty()) return;
    std::vector<std::string> roomy;  // the usual extension of each
    for (const Format& other : formats())
        if (writable(other) && why_no_room(other, rows.width, rows.height, most).empty())
            roomy.emplace_back(other.extensions.substr(0, other.extensions.find(' ')));
    throw UsageError(fmt::format("{}: {}, the picture has {}×{}{}", path.string(), why, rows.width, rows.height,
                                 roomy.empty() ? "" : fmt::format("; write {}", joined(roomy))));
}

std::string_view channels_held(const Format& format, const fs::path& path) {
    const std::string extension = lower_extension(path);
    return extension == ".pgm" ? "1" : extension == ".ppm" ? "3" : format.channels;
}

void check_band(const Image& band, int rows, const RowSource& picture) {
    if (band.width() != picture.width || band.height() != rows || band.channels() != picture.channels ||
        band.type() != picture.type || band.alpha() != picture.alpha)
        throw Error(fmt::format("{} rows were promised, {} came", rows, describe(band)));
}

// What goes into the file. The picture need not fit the format; it must outlive the result.
RowSource fitted_rows(const Format& format, const RowSource& picture, SampleType type, std::string_view channels,
                      const std::function<void(double)>& progress = {}) {
    const Image pixel = fitted(format, Image(1, 1, picture.channels, picture.type, picture.alpha), type, channels);
    const auto rows = [=, &format, &picture](int first, int last) {
        if (progress) progress(double(first) / picture.height);
        const Image band = picture.rows(first, last);
        check_band(band, last - first, picture);
        return fitted(format, band, type, channels);
    };
    return {picture.width,
            picture.height,
            pixel.channels(),
            pixel.type(),
            pixel.alpha(),
            rows,
            written_profile(format, picture)};
}

void encode(const Format& format, const RowSource& rows, OutputFile& file) {
    const ByteSink sink = [&](ByteSpan bytes) { file.write(bytes); };
    switch (format.id) {
        case FormatId::png: return encode_png(rows, sink);
        case FormatId::jpeg: return encode_jpeg(rows, sink);
        case FormatId::npy: return encode_npy(rows, sink);
        case FormatId::pfm: return encode_pfm(rows, file);
        case FormatId::pnm: return encode_pnm(rows, sink);
        case FormatId::pam: return encode_pam(rows, sink);
        default: break;
    }
    if (written_by_oiio(format)) oiio_module().encode(format, rows, file);
    else file.write(encode_with_stb(format, whole_of(rows)));
}

// What goes into a file of this name, whose format is checked first. The picture must outlive the result.
RowSource planned(const RowSource& picture, const fs::path& path, const WriteOptions& options) {
    if (picture.width < 1 || picture.height < 1) throw FileError(path.string(), "there is no image to write");
    const Format& format = output_format(path);
    const SampleType type = options.type.value_or(default_type(format, picture.type));
    check_type(format, type, path);
    return naming(path, [&] {
        RowSource rows = fitted_rows(format, picture, type, channels_held(format, path), options.progress);
        check_room(format, rows, path);
        return rows;
    });
}

}  // namespace

void check_output_name(const fs::path& path, const WriteOptions& options) {
    const Format& format = output_format(path);
    if (options.type) check_type(format, *options.type, path);
}

SampleType written_type(const fs::path& path, const WriteOptions& options) {
    return options.type.value_or(default_type(output_format(path), SampleType::f32));
}

bool writes_integers(const fs::path& path, const WriteOptions& options) {
    const SampleType type = written_type(path, options);
    return type == SampleType::u8 || type == SampleType::u16;
}

void check_rows(const RowSource& picture, const fs::path& path, const WriteOptions& options) {
    static_cast<void>(planned(picture, path, options));
}

void write_rows(const RowSource& picture, const fs::path& path, const WriteOptions& options) {
    const RowSource rows = planned(picture, path, options);
    naming(path, [&] {
        OutputFile output(path);  // first: report problems with writing before the work
        encode(output_format(path), rows, output);
        if (options.last_check) options.last_check();
        output.commit();
    });
}

void write_image(const Image& image, const fs::path& path, const WriteOptions& options) {
    write_rows(rows_of(image), path, options);
}

WriteOptions options_for(const fs::path& path, SampleType stored, std::optional<SampleType> chosen) {
    if (chosen || stored != SampleType::u16) return {chosen};
    try {
        check_output_name(path, {stored});
        return {stored};
    } catch (const UsageError&) {
        return {};
    }
}

std::vector<std::byte> encoded_png(const Image& image) {
    const Format& format = output_format("image.png");
    const RowSource picture = rows_of(image);
    std::vector<std::byte> bytes;
    encode_png(fitted_rows(format, picture, default_type(format, image.type()), format.channels),
               [&](ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
    return bytes;
}

std::vector<std::string> writable_extensions() {
    std::vector<std::string> result = extensions_where(writable);
    std::erase(result, "pbm");
    return result;
}

}  // namespace texelscope
