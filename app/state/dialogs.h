#pragma once
// The dialogs that are open. The topmost one owns the keyboard: no key reaches the picture, or an action behind it. Some
// own the mouse as well.

#include <optional>
#include <string_view>
#include <vector>

namespace texelscope {

enum class Dialog {
    browser,
    save,
    exporting,
    keys,
    numbers,
    about,
    experiments,
    restoring,
    palette,
    question,
    information,
    kernel
};
constexpr std::string_view name_of(Dialog dialog) {
    constexpr std::string_view names[] = {"browser",     "save",      "exporting", "keys",     "numbers",     "about",
                                          "experiments", "restoring", "palette",   "question", "information", "kernel"};
    return names[size_t(dialog)];
}

// Whether the mouse acts on nothing else while it is the topmost, but on messages, which can be dismissed: it asks for one
// answer, unlike windows that are used beside the picture.
constexpr bool owns_mouse(Dialog dialog) {
    return dialog == Dialog::browser || dialog == Dialog::save || dialog == Dialog::exporting ||
           dialog == Dialog::palette || dialog == Dialog::question;
}

class Dialogs {
public:
    bool has(Dialog dialog) const;
    std::optional<Dialog> topmost() const;
    bool own_mouse() const { return topmost() && owns_mouse(*topmost()); }

    void open(Dialog dialog);  // on top of all others, even if it is open already
    void close(Dialog dialog);
    void toggle(Dialog dialog);

private:
    std::vector<Dialog> open_;  // the topmost last
};

}  // namespace texelscope
