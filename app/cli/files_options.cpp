#include "app/cli/files_options.h"

#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "app/files/file_io.h"
#include "app/text/typed_values.h"
#include "gpu/core/light.h"

namespace texelscope {
namespace {

constexpr std::array all_types = {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32};

}  // namespace

void InputOptions::add_to(Command command) {
    command
        .add_option("IN", name_,
                    "Image file, - for one from standard input, signal (.csv, 1-D .npy), or test image such as "
                    "@zone-plate:512; integers of .npy are scaled to [0, 1]")
        .required();
    command
        .add_option("--texels", texels_,
                    "Type in which samples are held for interpolation: stored, u8, u16, f16 or f32; default: stored")
        .type_name("TYPE")
        .group("Sampling");
}

std::optional<SampleType> InputOptions::texels() const {
    if (texels_ == "stored") return {};
    for (const SampleType type : all_types)
        if (name_of(type) == texels_) return type;
    constexpr std::array<std::string_view, 5> words = {"stored", "u8", "u16", "f16", "f32"};
    throw_unknown_choice("--texels", texels_, words);
}

void InputOptions::check(Light light) const {
    const auto type = texels();
    if (light == Light::linear && type && *type != SampleType::f32)
        throw UsageError("--linear-light stores the samples as f32 and cannot be combined with --texels " + texels_);
}

Input InputOptions::load() const {
    Input input;
    input.image = load_image(name_, &input.grid);
    input.stored = input.image.type();
    if (const auto type = texels()) input.image = converted(input.image, *type);
    return input;
}

void OutputOptions::add_to(Command command) {
    command.add_option("-o,--output", name_, "Image file; its extension chooses the format")
        .required()
        .type_name("OUT");
    command
        .add_option("--depth", depth_,
                    "Sample type of the output: u8, u16, f16 or f32; default: that of the image, if the format has it")
        .type_name("TYPE");
}

std::optional<SampleType> OutputOptions::depth() const {
    if (!depth_) return {};
    return parse_choice<SampleType>("--depth", *depth_, all_types);
}

void OutputOptions::check() const { check_output_name(name_, {depth()}); }

WriteOptions OutputOptions::options(SampleType stored) const { return options_for(name_, stored, depth()); }

bool OutputOptions::integers(SampleType stored) const { return writes_integers(name_, options(stored)); }

void OutputOptions::write(const Image& image, SampleType stored) const { write_image(image, name_, options(stored)); }

void check_outputs(std::span<const NamedOutput> outputs) {
    std::map<std::filesystem::path, const char*> taken;
    for (const auto& [option, file] : outputs) {
        if (file.empty() || file == "-") continue;
        OutputFile(std::filesystem::path(file));
        const auto [other, is_new] = taken.emplace(std::filesystem::absolute(file).lexically_normal(), option);
        if (!is_new)
            throw UsageError(
                fmt::format("{} and {} both name {}: give each its own file", other->second, option, file));
    }
}

}  // namespace texelscope
