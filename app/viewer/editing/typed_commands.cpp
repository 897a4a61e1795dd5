#include "app/viewer/editing/typed_commands.h"

#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "app/text/typed_values.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/action_search.h"
#include "app/viewer/editing/view_edits.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr double most_degrees = 360;

// The number before or after one of these marks; empty if none of them is there.
std::optional<double> marked_number(std::string_view text, std::initializer_list<std::string_view> marks) {
    for (const std::string_view mark : marks) {
        if (text.ends_with(mark)) return number_in(text.substr(0, text.size() - mark.size()));
        if (text.starts_with(mark)) return number_in(text.substr(mark.size()));
    }
    return {};
}

std::optional<double> parse_zoom(std::string_view text) {
    text = trimmed(text);
    if (const size_t colon = text.find(':'); colon != text.npos) {
        const auto screen = number_in(text.substr(0, colon)), samples = number_in(text.substr(colon + 1));
        return screen && samples && *samples > 0 ? std::optional(*screen / *samples) : std::nullopt;
    }
    if (const auto factor = marked_number(text, {"x", "X", "×", "*"})) return factor;
    const auto percent = text.ends_with('%') ? number_in(text.substr(0, text.size() - 1)) : number_in(text);
    return percent ? std::optional(*percent / 100) : std::nullopt;
}

TypedCommand failing(std::string problem) { return {"", std::move(problem), {}}; }

TypedCommand rotate_command(std::string_view text) {
    const auto marked = marked_number(text, {"°"}), degrees = marked ? marked : number_in(text);
    if (!degrees) return failing(fmt::format("“{}” is no angle; type degrees, such as 15 or −7.5.", text));
    if (std::abs(*degrees) > most_degrees)
        return failing(fmt::format("The rotation can be from −{0:g}° to {0:g}°.", most_degrees));
    return {fmt::format("Rotate to {}{:.6g}°", *degrees < 0 ? "−" : "", std::abs(*degrees)), "",
            [to = *degrees](AppState& s) { rotate_to(s, to); }};
}

struct Kind {
    std::string_view word;
    TypedCommand (*make)(std::string_view number);
};
constexpr Kind kinds[] = {{"zoom", zoom_command}, {"rotate", rotate_command}};

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != text.npos; }

}  // namespace

TypedCommand zoom_command(std::string_view number) {
    const auto zoom = parse_zoom(number);
    if (!zoom)
        return failing(fmt::format("“{}” is no zoom; type a percentage such as 400, or a factor such as 4x.", number));
    if (!(*zoom >= min_zoom && *zoom <= max_zoom))
        return failing(fmt::format("The zoom can be from {:g} % to {:g} %.", 100 * min_zoom, 100 * max_zoom));
    return {"Zoom to " + zoom_text(*zoom), "", [to = *zoom](AppState& s) { set_zoom(s, to); }};
}

std::optional<TypedCommand> typed_command(const AppState& state, std::string_view text) {
    text = trimmed(text);
    size_t letters = 0;
    while (letters < text.size() && std::isalpha(static_cast<unsigned char>(text[letters]))) ++letters;
    std::string_view number = trimmed(text.substr(letters));
    if (number.starts_with("to ")) number = trimmed(number.substr(3));
    if (letters == 0 || !has_digit(number)) return {};
    if (!has_document(state) && !awaits_picture(state)) return {};
    const std::string word = lower_case(std::string(text.substr(0, letters)));
    for (const Kind& kind : kinds)
        if (kind.word.starts_with(word)) return kind.make(number);
    return {};
}

}  // namespace texelscope
