#include "app/viewer/widgets/typed_ahead.h"

namespace texelscope::gui {
namespace {

constexpr int frames_to_focus = 4;  // by then a dialog's field has the keyboard, or there is none

// Keys that only type something reach a field as text.
bool acts(const KeyStroke& stroke) {
    return stroke.modifiers.ctrl || (stroke.key != Key::none && stroke.key != Key::space);
}

}  // namespace

TypedAhead::Share TypedAhead::take(std::optional<Dialog> owner, bool in_field) {
    frames_ = owner == owner_ ? frames_ + 1 : 0;
    owner_ = owner;
    std::erase_if(strokes_, [&](const Waiting& waiting) { return waiting.owner != owner; });
    Share share;
    if (owner && !in_field && frames_ < frames_to_focus) return share;
    while (!strokes_.empty()) {
        const KeyStroke stroke = strokes_.front().stroke;
        if (stroke.modifiers.ctrl && !share.text.empty()) break;  // while Ctrl is held, fields take no text
        strokes_.pop_front();
        if (stroke.typed) share.text.push_back(stroke.character);
        else share.keys.push_back(stroke);
        if (!stroke.typed && acts(stroke)) break;  // what follows was typed after its effect
    }
    return share;
}

}  // namespace texelscope::gui
