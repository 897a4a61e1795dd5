#pragma once
// The dialogs that are open. The topmost one owns the keyboard: no key reaches the picture, or an action behind it. Some
// own the mouse as well. Others own neither: tool windows, which are used beside the picture.

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "gpu/core/names.h"

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
    identifying,
    explaining,
    palette,
    question,
    information,
    program
};

struct DialogInfo {
    Dialog value;
    std::string_view name;  // in the reports that tests read
    // While it is the topmost, the mouse acts on nothing else but on messages, which can be dismissed: it asks for one
    // answer, unlike windows that are used beside the picture.
    bool owns_mouse;
    // While it is the topmost, no key but those of its fields reaches anything else. Not of a tool window: keys that no
    // field takes act on the picture, all but Esc, Enter and Tab.
    bool owns_keyboard;
    const char* title;        // of its window; after ###, what ImGui knows it by
    float width, height = 0;  // units; 0: that of the contents
};
inline constexpr DialogInfo all_dialogs[] = {
    {Dialog::browser, "browser", true, true, "Open an image, a session or a method", 680, 540},
    {Dialog::save, "save", true, true, "Save###save", 600},
    {Dialog::exporting, "exporting", true, true, "Export###export", 640},
    {Dialog::keys, "keys", false, true, "Keys, mouse and words", 680, 640},
    {Dialog::numbers, "numbers", false, true, "What do these numbers mean?", 960, 660},
    {Dialog::about, "about", false, true, "About this machine", 560},
    {Dialog::experiments, "experiments", false, true, "Experiments", 1040, 700},
    {Dialog::restoring, "restoring", false, false, "Which is best for this picture?", 1240, 760},
    {Dialog::identifying, "identifying", false, false, "How was this made?", 900, 720},
    {Dialog::explaining, "explaining", false, false, "Explain the difference", 900, 640},
    {Dialog::palette, "palette", true, true, "##palette", 560},
    {Dialog::question, "question", true, true, "###question", 480},
    {Dialog::information, "information", false, true, "File information", 760, 620},
    {Dialog::program, "program", false, true, "Outside program", 640}};
constexpr auto& names_table(Dialog) { return all_dialogs; }

class Dialogs {
public:
    bool has(Dialog dialog) const { return std::find(open_.begin(), open_.end(), dialog) != open_.end(); }
    std::optional<Dialog> topmost() const { return open_.empty() ? std::nullopt : std::optional(open_.back()); }
    bool own_mouse() const { return topmost() && row_of(*topmost()).owns_mouse; }
    // The topmost, unless it is a tool window.
    std::optional<Dialog> keyboard_owner() const {
        const std::optional<Dialog> top = topmost();
        return top && row_of(*top).owns_keyboard ? top : std::nullopt;
    }

    // On top of all others, even if it is open already.
    void open(Dialog dialog) {
        if (!has(dialog)) {
            take_opening(dialog);
            opened_.push_back(dialog);
        }
        close(dialog);
        open_.push_back(dialog);
    }
    void close(Dialog dialog) { std::erase(open_, dialog); }
    void toggle(Dialog dialog) {
        if (has(dialog)) close(dialog);
        else open(dialog);
    }

    // True once for each time that it was opened: its panel begins anew. A dialog may close and open within a frame, which
    // the drawn windows do not show.
    bool take_opening(Dialog dialog) { return std::erase(opened_, dialog) > 0; }

private:
    std::vector<Dialog> open_;    // the topmost last
    std::vector<Dialog> opened_;  // those whose panels do not know yet
};

}  // namespace texelscope
