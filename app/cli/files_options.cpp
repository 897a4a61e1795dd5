#include "app/cli/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/cli/running.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/numbers.h"
#include "app/picture/rendered_rows.h"
#include "app/picture/rendition.h"
#include "app/text/text.h"

namespace texelscope {
void PictureOptions::add_to(Command command) {
    command
        .add_option("--part", part_,
                    "Page, frame, layer or subimage of the file, by its number from 1 or its name; default: the first. "
                    "texelscope info FILE lists them")
        .type_name("N|NAME")
        .group("Picture");
    command
        .add_option("--channels", channels_,
                    "1 to 4 channels of the file, by name or number from 1, such as R,G,B or 5; default: R, G, B and A "
                    "if it has them, else the first ones")
        .type_name("C[,C…]")
        .group("Picture");
    command
        .add_option("--orientation", orientation_,
                    "Turn the picture upright as its EXIF data say: on or off (the rows as stored); default: on")
        .type_name("on|off")
        .group("Picture");
}

std::optional<bool> PictureOptions::upright() const {
    if (!orientation_) return {};
    return parse_on_off("--orientation", *orientation_);
}

std::string PictureOptions::source_of(const std::string& name) const {
    const std::string source = typed_source(name);
    if (!given()) return source;
    auto [file, choice] = parse_picture_source(source);
    choice.upright = upright().value_or(choice.upright);
    if (part_ && part_->empty()) throw UsageError("--part must be a number from 1 or a name, not ''");
    if (part_) choice.part = *part_;
    if (channels_) choice.channels = parse_channels("--channels", *channels_);
    if (!name.starts_with('@')) return with_choice(file, choice);
    if (part_ || channels_)
        throw UsageError(fmt::format("--part and --channels choose from a file; {} is a test image", name));
    return name;
}

std::string PictureOptions::other_source_of(const std::string& name) const {
    const std::string source = typed_source(name);
    if (!orientation_ || name.starts_with('@')) return source;
    auto [file, choice] = parse_picture_source(source);
    choice.upright = *upright();
    return with_choice(file, choice);
}

std::shared_ptr<const TileSource> PictureOptions::tiles_of(const std::string& name) const {
    const std::string source = source_of(name);
    if (!source.starts_with('@')) {
        constexpr uint64_t least = 1 << 20;  // no file that is smaller holds a picture that is worth it
        const auto size = stored_bytes(parse_picture_source(source).file);
        if (size && *size < least) return nullptr;
    }
    constexpr size_t steps = 1000;
    Progress bar(steps);
    const TilesOrWhy opened = open_tiles(source, {.progress = [&](double part) { bar.show(size_t(part * steps)); }});
    if (opened.is_large) fmt::print(stderr, "texelscope: {}\n", opened.why);
    return opened.tiles;
}

void InputOptions::add_to(Command command, bool required) {
    Option name = command.add_option(
        "IN", name_,
        "Image file, - for one from standard input, signal (.csv, 1-D .npy), or test image such as "
        "@zone-plate:512; 8- and 16-bit unsigned integers count as 0 to 1, other numbers are as stored");
    if (required) name.required();
    picture_.add_to(command);
    add_partial(command, partial_);
    command
        .add_option(
            "--texels", texels_,
            "Type in which samples are held for interpolation: stored, u8, u16, f16 or f32; default: stored. Others "
            "than stored hold an image as a whole, however large it is")
        .type_name("TYPE")
        .group("Sampling");
}

std::optional<SampleType> InputOptions::texels() const {
    if (texels_ == "stored") return {};
    for (const SampleType type : all_sample_types)
        if (is_texel_type(type) && name_of(type) == texels_) return type;
    constexpr std::array<std::string_view, 5> words = {"stored", "u8", "u16", "f16", "f32"};
    throw_unknown_choice("--texels", texels_, words);
}

void InputOptions::check(Light light) const {
    static_cast<void>(picture_.source_of(name_));
    const auto type = texels();
    if (light == Light::linear && type && *type != SampleType::f32)
        throw UsageError("--linear-light stores the samples as f32 and cannot be combined with --texels " + texels_);
}

Input InputOptions::load() const {
    Input input;
    input.image = load_whole(picture_.source_of(name_), partial_, &input.grid);
    input.stored = input.image.type();
    if (const auto type = texels()) {
        const auto profile = input.image.profile();
        input.image = converted(input.image, *type);
        input.image.set_profile(profile);
    }
    return input;
}

std::shared_ptr<const TileSource> InputOptions::tiles() const {
    return texels() || partial_ ? nullptr : picture_.tiles_of(name_);
}

void add_partial(Command command, bool& partial) {
    command
        .add_flag(
            "--partial", partial,
            "Take a picture whose file ends early as far as it goes: missing samples are 0, transparent if there is "
            "alpha; those of an interlaced or progressive file are coarse")
        .group("Picture");
}

Image load_whole(const std::string& source, bool partial, SignalGrid* grid) {
    Image image = load_image(source, grid);
    if (image.missing().empty() || partial) return image;
    throw Error(fmt::format("{}: {}; --partial takes it as it is", words_of_source(source),
                            words_of_missing(image.missing(), image.width(), image.height())));
}

void OutputOptions::add_to(Command command) {
    command
        .add_option("-o,--output", name_,
                    "Image file, - for standard output, or a pipe; its extension chooses the format, without one PNG")
        .required()
        .type_name("OUT");
    command.add_option("--format", format_, "Format of the output, by an extension such as npy, whatever the name says")
        .type_name("EXT");
    command
        .add_option("--depth", depth_,
                    "Sample type of the output: u8, u16, f16 or f32, in .npy also i8, i16, i32, u32, i64, u64 or f64; "
                    "default: that of the image, if the format has it, in .npy f32")
        .type_name("TYPE");
    command.add_flag("--overwrite", overwrite_, "Let the output replace the file of the input");
}

std::optional<SampleType> OutputOptions::depth() const {
    if (!depth_) return {};
    return parse_choice<SampleType>("--depth", *depth_, all_sample_types);
}

void OutputOptions::check(const std::string& input) const {
    std::error_code none;
    const bool replaces =
        std::filesystem::is_regular_file(name_, none) && std::filesystem::equivalent(file_of(input), name_, none);
    if (replaces && !overwrite_)
        throw UsageError(
            fmt::format("{} is the file that is read: give -o another name, or --overwrite to replace it", name_));
    WriteOptions options;
    options.type = depth();
    options.format = format_;
    check_output_name(name_, options);
}

WriteOptions OutputOptions::options(SampleType stored) const { return options_for(name_, stored, depth(), format_); }

std::string OutputOptions::choosing_name() const { return format_.empty() ? name_ : "file." + format_; }

void OutputOptions::say(const Losses& losses) const {
    if (const std::string words = texelscope::words_of(losses); !words.empty())
        fmt::print(stderr, "texelscope: {}: {}\n", name_, words);
}

SampleType OutputOptions::type(SampleType stored) const { return written_type(name_, options(stored)); }

bool OutputOptions::integers(SampleType stored) const { return writes_integers(name_, options(stored)); }

void OutputOptions::write(const Image& image, SampleType stored) const {
    say(write_image(image, name_, options(stored)));
}

void OutputOptions::write_stored(Image& result, const Image& source, SampleType stored, std::string_view advice) const {
    const std::string lost = pass_profile(source, result, choosing_name());
    result.set_dimensions(source.dimensions());
    Losses losses = write_image(result, name_, options(stored));
    if (result.alpha() == Alpha::premultiplied) losses.unused = count_hidden_colours(source);
    if (result.type() != SampleType::f64) losses.too_large = count_too_large(source);
    say(losses);
    if (!lost.empty()) fmt::print(stderr, "texelscope: {}: {}{}\n", name_, lost, advice);
}

void OutputOptions::write_rows(RowSource result, const ImageInfo& source) const {
    const std::string lost = pass_profile(source.profile, result, choosing_name());
    result.dimensions = source.dimensions;
    say(texelscope::write_rows(result, name_, options(source.type)));
    if (!lost.empty()) fmt::print(stderr, "texelscope: {}: {}\n", name_, lost);
}

void OutputOptions::check_rows(const ImageInfo& source, int width, int height) const {
    const RowSource rows{width, height, source.channels, SampleType::f32, source.alpha, {}};
    texelscope::check_rows(rows, name_, options(source.type));
}

void check_outputs(std::span<const NamedOutput> outputs) {
    std::map<std::filesystem::path, const char*> taken;
    for (const auto& [option, file] : outputs) {
        if (file.empty()) continue;
        OutputFile(std::filesystem::path(file));
        const auto name = is_standard_output(file) ? "-" : std::filesystem::absolute(file).lexically_normal();
        const auto [other, is_new] = taken.emplace(name, option);
        if (!is_new)
            throw UsageError(
                fmt::format("{} and {} both name {}: give each its own file", other->second, option, file));
    }
}

bool is_one_printed(std::span<const NamedOutput> outputs) {
    return std::ranges::any_of(outputs, is_standard_output, &NamedOutput::file);
}

namespace {

size_t parse_bytes(std::string_view option, std::string_view text, size_t least) {
    constexpr std::string_view letters = "KMGT";
    std::string_view number = text;
    double unit = 1;
    if (!number.empty())
        if (const size_t at = letters.find(number.back()); at != letters.npos) {
            unit = std::ldexp(1.0, 10 * (int(at) + 1));
            number.remove_suffix(1);
        }
    double count = 0;
    try {
        count = parse_positive(option, number);
    } catch (const UsageError&) {
        throw UsageError(
            fmt::format("{} must be a number of bytes above 0, as in 4000000, 512M or 4G, not '{}'", option, text));
    }
    const double bytes = unit * count;
    if (bytes < double(least))
        throw UsageError(fmt::format("{} {}: at least {}M are needed", option, text, least >> 20));
    if (bytes > 0x1p50) throw UsageError(fmt::format("{} {}: no machine has so much", option, text));
    return size_t(bytes);
}

}  // namespace

void MemoryOption::add_to(Command command) {
    command
        .add_option(
            "--memory", memory_,
            "Memory for an image that is too large to be read as a whole and is read by regions: bytes, or with "
            "K, M or G; default: 1G. Other images are held in memory, whatever that takes")
        .type_name("SIZE")
        .group("Method");
}

size_t MemoryOption::bytes() const {
    return memory_ ? parse_bytes("--memory", *memory_, least_) : default_tiled_memory;
}

void LevelsOption::add_to(Command command) {
    command
        .add_option(
            "--keep-levels", keep_,
            "Keep on disk the smaller images that are made of a file that is too large to be read as a whole, so "
            "that the next run need not make them: on or off; default: on")
        .type_name("on|off")
        .group("Method");
}

void check_all(const InputOptions& input, const OutputOptions& output, const MemoryOption& memory,
               const LevelsOption& levels, Light light) {
    input.check(light);
    output.check(input.name());
    static_cast<void>(memory.bytes());
    levels.check();
}

bool LevelsOption::wanted() const { return parse_on_off("--keep-levels", keep_); }

std::shared_ptr<KeptLevels> LevelsOption::of(const TileSource& image) const {
    return wanted() ? kept_levels(image) : nullptr;
}

void write_large(const LargeRendering& rendering, const OutputOptions& output) {
    ImageInfo info = rendering.image->info();
    if (rendering.request.derivative != Derivative::none) info.alpha = Alpha::none;  // as RenderedRows
    output.check_rows(info, rendering.request.width, rendering.request.height);
    const bool moves = moves_numbers(rendering.request, info, rendering.light, output.type(info.type));
    on_backend(rendering.backend, [&](const std::shared_ptr<Backend>& backend) {
        Progress bar(progress_steps);
        const auto show = [&](double part) { bar.show(size_t(part * progress_steps)); };
        if (moves) {
            MovedRows rows(backend, rendering.image, rendering.request, rendering.memory, show);
            return output.write_rows(rows.source(), info);
        }
        TiledImage image(backend, rendering.image, {rendering.memory, rendering.light, rendering.levels});
        const RenderedRows rows(image, rendering.request, show);
        try {
            const RowSource rendered = rows.source();
            output.write_rows(with_hidden_colours(rendered, *rendering.image, rendering.request), info);
        } catch (const Error&) {
            if (const std::exception_ptr failure = rows.failure()) std::rethrow_exception(failure);
            throw;
        }
    });
    say_if_not_kept(rendering);
}

void say_if_not_kept(const LargeRendering& rendering) {
    if (!rendering.levels) return;
    if (const std::string why = rendering.levels->why_not(); !why.empty())
        fmt::print(stderr, "texelscope: the smaller images that were made cannot be kept: {}\n", why);
}

}  // namespace texelscope
