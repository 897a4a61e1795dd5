#include "app/state/scene.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

namespace {

std::string file_name(const std::string& source) {
    if (const auto pushed = pushed_name(source)) return *pushed;
    if (source.starts_with('@')) return source;
    const auto [file, choice] = parse_picture_source(source);
    std::string name = std::filesystem::path(file).filename().string();
    if (!choice.part.empty() && choice.part != "1") name += " · part " + choice.part;
    if (!choice.channels.empty()) name += fmt::format(" · {}", fmt::join(choice.channels, ","));
    return name;
}

}  // namespace

std::string Document::title() const {
    if (const auto shrunk = parse_shrunk_source(source))
        return fmt::format("{} shrunk by {:g}", file_name(shrunk->original), shrunk->factor);
    if (const auto resized = parse_resized_source(source))
        return fmt::format("{} at {}×{}", file_name(resized->original), resized->size.width, resized->size.height);
    if (const auto made = parse_program_source(source))
        return fmt::format("{} ×{:g} by {}", file_name(made->original), made->factor,
                           made->command.substr(0, made->command.find(' ')));
    if (const auto turned = parse_turned_source(source))
        return fmt::format("{} turned {} × {:g}°", file_name(turned->original), turned->turns, turned->degrees);
    return file_name(source);
}

void Document::take_samples_of(const Document& open) {
    image = open.image;
    look = open.look;
    loaded = open.loaded;
    seen = open.seen;
}

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

namespace {

constexpr std::string_view prefix = "@shrunk:", resized_prefix = "@resized:", program_prefix = "@program:",
                           turned_prefix = "@turned:", stored = "stored", linear = "linear", aliased = ",aliased";

// Up to the next mark, which is dropped as well.
std::string_view taken(std::string_view& text, char mark = ':') {
    const size_t end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return part;
}

// A whole number up to the longest side of an image.
std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < 0 || number > max_image_side) return {};
    return number;
}

// "224x96"; empty if it is no size.
Extent size_in(std::string_view text) {
    const auto width = whole_number(taken(text, 'x')), height = whole_number(text);
    return width && height && *width > 0 && *height > 0 ? Extent{*width, *height} : Extent{};
}

// Within the size; empty if it is none.
SampleRegion part_in(std::string_view text, Extent size) {
    const auto x = whole_number(taken(text, ',')), y = whole_number(taken(text, ','));
    const Extent part = size_in(text);
    if (!x || !y || part.width == 0 || *x > size.width - part.width || *y > size.height - part.height) return {};
    return {*x, *y, part.width, part.height};
}

}  // namespace

std::string ShrunkSource::text() const {
    // As many digits as the factor needs, so that it is read back exactly.
    return fmt::format("{}{}:{}:{}{}:{}", prefix, factor, filter, light == Light::linear ? linear : stored,
                       antialias ? "" : aliased, original);
}

std::string original_source(const std::string& source) {
    if (const auto shrunk = parse_shrunk_source(source)) return shrunk->original;
    if (const auto made = parse_program_source(source)) return made->original;
    if (const auto turned = parse_turned_source(source)) return turned->original;
    const auto resized = parse_resized_source(source);
    return resized ? resized->original : source;
}

std::string ProgramSource::text() const {
    return fmt::format("{}{}:{}:{}:{}", program_prefix, factor, command.size(), command, original);
}

std::optional<ProgramSource> parse_program_source(std::string_view source) {
    if (!source.starts_with(program_prefix)) return {};
    source.remove_prefix(program_prefix.size());
    ProgramSource result;
    const std::string_view factor = taken(source);
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), result.factor);
    const auto bytes = whole_number(taken(source));
    const bool counts =
        error == std::errc{} && end == factor.data() + factor.size() && result.factor >= 1 && result.factor <= 64;
    if (!counts || !bytes || size_t(*bytes) + 1 >= source.size() || source[size_t(*bytes)] != ':') return {};
    result.command = source.substr(0, size_t(*bytes));
    result.original = source.substr(size_t(*bytes) + 1);
    return result;
}

std::string ResizedSource::text() const {
    const std::string of = part.empty() ? "" : fmt::format(",{},{},{}x{}", part.x, part.y, part.width, part.height);
    return fmt::format("{}{}x{}{};{};{};{};{}", resized_prefix, size.width, size.height, of, recipe, towards, changed,
                       original);
}

std::string TurnedSource::text() const {
    return fmt::format("{}{}x{};{};{}", turned_prefix, turns, degrees, spec, original);
}

std::optional<TurnedSource> parse_turned_source(std::string_view source) {
    if (!source.starts_with(turned_prefix)) return {};
    source.remove_prefix(turned_prefix.size());
    TurnedSource result;
    const auto turns = whole_number(taken(source, 'x'));
    const std::string_view degrees = taken(source, ';');
    const auto [end, error] = std::from_chars(degrees.data(), degrees.data() + degrees.size(), result.degrees);
    result.spec = taken(source, ';');
    result.original = source;
    const bool number =
        error == std::errc{} && end == degrees.data() + degrees.size() && std::abs(result.degrees) <= 360;
    if (!turns || *turns > TurnedSource::most_turns || !number || result.spec.empty() || result.original.empty())
        return {};
    result.turns = *turns;
    return result;
}

std::optional<ResizedSource> parse_resized_source(std::string_view source) {
    if (!source.starts_with(resized_prefix)) return {};
    source.remove_prefix(resized_prefix.size());
    ResizedSource result;
    std::string_view sizes = taken(source, ';');
    result.size = size_in(taken(sizes, ','));
    result.part = part_in(sizes, result.size);
    for (std::string* part : {&result.recipe, &result.towards, &result.changed}) *part = taken(source, ';');
    result.original = source;
    if (result.size.width == 0 || result.part.empty() != sizes.empty()) return {};
    if (result.recipe.empty() || result.original.empty()) return {};
    if (result.towards.empty() != result.changed.empty()) return {};
    return result;
}

std::optional<ShrunkSource> parse_shrunk_source(std::string_view source) {
    if (!source.starts_with(prefix)) return {};
    source.remove_prefix(prefix.size());
    ShrunkSource result;
    const std::string_view factor = taken(source);
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), result.factor);
    result.filter = taken(source);
    std::string_view light = taken(source);
    if (result.filter == "like") result.filter += ":" + std::string(light), light = taken(source);        // a recipe
    if (light.find('=') != light.npos) result.filter += ":" + std::string(light), light = taken(source);  // its options
    result.original = source;
    result.antialias = !light.ends_with(aliased);
    if (!result.antialias) light.remove_suffix(aliased.size());
    const bool whole = error == std::errc{} && end == factor.data() + factor.size() && result.factor >= 1;
    if (!whole || (light != stored && light != linear) || result.original.empty()) return {};
    result.light = light == linear ? Light::linear : Light::stored;
    return result;
}

namespace {

bool is_number(const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; }

// The channels of one layer as parts: the usual ones together, then each one alone.
std::vector<PictureFacts::Part> channels_as_parts(const PictureFacts::Part& whole, const std::string& layer) {
    const auto part = [&](std::string name, std::vector<std::string> channels) {
        return PictureFacts::Part{std::move(name), whole.width, whole.height, std::move(channels)};
    };
    const std::vector<std::string> usual = channels_of_layer(whole.channels, layer);
    std::vector<PictureFacts::Part> parts = {part(usual.front() + " to " + usual.back(), usual)};
    for (const std::string& channel : whole.channels) parts.push_back(part(channel, {channel}));
    return parts;
}

// Whether channels are shown one by one: more than are shown together, or plain data, whose channels have numbers.
bool has_single_channels(const std::vector<std::string>& channels) {
    constexpr size_t together = 4;
    return channels.size() > together || (channels.size() > 1 && std::ranges::all_of(channels, is_number));
}

}  // namespace

std::vector<PictureFacts::Part> layers_as_parts(const PictureFacts& facts) {
    std::vector<PictureFacts::Part> parts;
    if (facts.parts.size() != 1) return parts;
    const PictureFacts::Part& whole = facts.parts[0];
    const std::vector<ChannelLayer> layers = layers_of(whole.channels);
    if (layers.size() == 1 && (has_single_channels(whole.channels) || facts.layout != PictureFacts::Layout::fixed))
        return channels_as_parts(whole, layers[0].name);
    for (const ChannelLayer& layer : layers)
        parts.push_back({layer.name, whole.width, whole.height, channels_of_layer(whole.channels, layer.name)});
    if (parts.size() < 2) parts.clear();
    return parts;
}

std::vector<PictureFacts::Part> parts_to_step_through(const PictureFacts& facts) {
    std::vector<PictureFacts::Part> layers = layers_as_parts(facts);
    return layers.empty() ? facts.parts : layers;
}

int shown_layer(const PictureChoice& choice, const std::vector<PictureFacts::Part>& layers,
                const std::vector<std::string>& channels) {
    std::string name;
    if (!choice.channels.empty()) {
        const std::string& first = choice.channels.front();
        const bool numbered = is_number(first) && std::ranges::count(channels, first) == 0;
        const size_t number = numbered && first.size() < 6 ? size_t(std::stoi(first)) : 0;
        const std::string channel = number >= 1 && number <= channels.size() ? channels[number - 1] : first;
        const auto alone = std::ranges::find_if(
            layers, [&](const PictureFacts::Part& each) { return each.channels == std::vector{channel}; });
        if (choice.channels.size() == 1 && alone != layers.end()) return int(alone - layers.begin());
        name = layer_name(channel);
    } else if (!is_number(choice.part)) {
        name = choice.part;
    } else if (std::ranges::count(channels, "R") == 0) {
        name = layer_name(channels.front());
    }
    const auto found = std::ranges::find(layers, name, &PictureFacts::Part::name);
    return found == layers.end() ? 0 : int(found - layers.begin());
}

}  // namespace texelscope
