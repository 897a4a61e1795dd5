#include "app/viewer/editing/key_hint.h"

#include <algorithm>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

void show(AppState& state, std::string text) {
    KeyHint& hint = state.presenter.key;
    const bool again = hint.text == text && key_hint_left(state) >= 0;
    hint = {std::move(text), again ? hint.count + 1 : 1, state.now};
}

// Letters and digits arrive as keys, other typing keys as the character typed.
std::string words_of(const KeyStroke& stroke) {
    const auto is_plain = [](char32_t c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const char32_t lower = lower_case(stroke.character);
    const bool symbol = stroke.typed && lower > ' ' && lower < 127 && !is_plain(lower);
    if (symbol) return std::string(1, char(lower));
    if (stroke.typed || (stroke.key == Key::none && !is_plain(lower))) return {};
    return to_string(Shortcut{stroke.key, lower, stroke.modifiers});
}

std::string modifier_words(const Modifiers& modifiers) {
    return std::string(modifiers.ctrl ? "Ctrl+" : "") + (modifiers.shift ? "Shift+" : "") +
           (modifiers.alt ? "Alt+" : "");
}

}  // namespace

void note_input(AppState& state, const InputEvent& event) {
    if (const auto* stroke = std::get_if<KeyStroke>(&event)) {
        if (std::string words = words_of(*stroke); !words.empty()) show(state, std::move(words));
    } else if (const auto* turned = std::get_if<WheelTurned>(&event)) {
        show(state, modifier_words(turned->modifiers) + (turned->notches > 0 ? "wheel ↑" : "wheel ↓"));
    } else if (std::holds_alternative<MousePressed>(event)) {
        state.presenter.pressed = true;
    } else if (std::holds_alternative<MouseReleased>(event)) {
        state.presenter.pressed = false;
    }
}

double key_hint_left(const AppState& state) {
    const KeyHint& hint = state.presenter.key;
    const double rest = hint.at + key_hint_seconds - state.now;
    return hint.count > 0 && rest > 0 ? rest : -1;
}

}  // namespace texelscope
