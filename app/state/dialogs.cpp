#include "app/state/dialogs.h"

#include <algorithm>

namespace texelscope {

bool Dialogs::has(Dialog dialog) const { return std::find(open_.begin(), open_.end(), dialog) != open_.end(); }

std::optional<Dialog> Dialogs::topmost() const {
    if (open_.empty()) return {};
    return open_.back();
}

std::optional<Dialog> Dialogs::keyboard_owner() const {
    const std::optional<Dialog> top = topmost();
    return top && row_of(*top).owns_keyboard ? top : std::nullopt;
}

void Dialogs::open(Dialog dialog) {
    if (!has(dialog)) {
        take_opening(dialog);
        opened_.push_back(dialog);
    }
    close(dialog);
    open_.push_back(dialog);
}

void Dialogs::close(Dialog dialog) { std::erase(open_, dialog); }

bool Dialogs::take_opening(Dialog dialog) { return std::erase(opened_, dialog) > 0; }

void Dialogs::toggle(Dialog dialog) {
    if (has(dialog)) close(dialog);
    else open(dialog);
}

}  // namespace texelscope
