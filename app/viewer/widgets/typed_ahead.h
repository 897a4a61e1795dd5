#pragma once
// Strokes on their way to the fields of panels, in the order they were typed. A dialog's field takes the keyboard a few
// frames after the dialog opened: what is typed until then waits for it.

#include <deque>
#include <optional>
#include <vector>

#include "app/state/dialogs.h"
#include "app/window/shortcut.h"

namespace texelscope::gui {

class TypedAhead {
public:
    struct Share {
        std::vector<char32_t> text;
        std::vector<KeyStroke> keys;  // the last one may act on the text
    };

    // `owner`: the dialog that owned the keyboard then.
    void add(const KeyStroke& stroke, std::optional<Dialog> owner) { strokes_.push_back({stroke, owner}); }

    // What the next frame may take. `owner`: the dialog that owns the keyboard now; what was typed for another one is
    // dropped. `in_field`: a text field has the keyboard.
    Share take(std::optional<Dialog> owner, bool in_field);

    bool waiting() const { return !strokes_.empty(); }
    template <class Visit> void for_each_waiting(Visit visit) const {
        for (const Waiting& waiting : strokes_) visit(waiting.stroke);
    }

private:
    struct Waiting {
        KeyStroke stroke;
        std::optional<Dialog> owner;
    };
    std::deque<Waiting> strokes_;
    std::optional<Dialog> owner_;
    int frames_ = 0;  // that it has owned the keyboard
};

}  // namespace texelscope::gui
