#include "app/window/shortcut.h"

#include <array>
#include <cctype>
#include <stdexcept>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr std::array<std::string_view, size_t(Key::f12) + 1> key_names = {
    "",     "Space", "Tab", "Esc",    "Enter",  "Left",      "Right", "Up", "Down", "PgUp",
    "PgDn", "Home",  "End", "Insert", "Delete", "Backspace", "F1",    "F2", "F3",   "F4",
    "F5",   "F6",    "F7",  "F8",     "F9",     "F10",       "F11",   "F12"};

bool is_letter(char32_t c) { return c >= U'a' && c <= U'z'; }

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

bool Shortcut::matches(const KeyStroke& stroke) const {
    if (key != Key::none) return !stroke.typed && stroke.key == key && stroke.modifiers == modifiers;
    if (stroke.character != character) return false;
    const bool by_key = is_letter(character) || modifiers.ctrl || modifiers.alt;
    return by_key ? !stroke.typed && stroke.modifiers == modifiers : stroke.typed;
}

Shortcut parse_shortcut(std::string_view text) {
    Shortcut result;
    std::string_view rest = text;
    for (;;) {
        if (take(rest, "Ctrl+")) result.modifiers.ctrl = true;
        else if (take(rest, "Shift+")) result.modifiers.shift = true;
        else if (take(rest, "Alt+")) result.modifiers.alt = true;
        else break;
    }
    if (rest.size() == 1 && std::isgraph(static_cast<unsigned char>(rest[0]))) {
        result.character = char32_t(lower_case(rest[0]));
        return result;
    }
    for (size_t i = 1; i < key_names.size(); ++i)
        if (key_names[i] == rest) {
            result.key = Key(i);
            return result;
        }
    throw std::invalid_argument("no such shortcut: " + std::string(text));
}

std::string to_string(const Shortcut& shortcut) {
    std::string text;
    if (shortcut.modifiers.ctrl) text += "Ctrl+";
    if (shortcut.modifiers.shift) text += "Shift+";
    if (shortcut.modifiers.alt) text += "Alt+";
    if (shortcut.key != Key::none) return text + std::string(key_names[size_t(shortcut.key)]);
    return text + char(std::toupper(int(shortcut.character)));
}

}  // namespace texelscope
