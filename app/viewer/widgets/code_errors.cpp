#include "app/viewer/widgets/code_errors.h"

#include <algorithm>

#include "app/viewer/widgets/code_text.h"

namespace texelscope::gui {

CodeErrors moved_along(CodeErrors errors, std::string_view before, std::string_view after) {
    const CodeText old(before), now(after);
    const int shorter = std::min(old.lines(), now.lines());
    int first = 0, last = 0;  // how many lines are the same, from either end
    while (first < shorter && old.line(first) == now.line(first)) ++first;
    while (last < shorter - first && old.line(old.lines() - 1 - last) == now.line(now.lines() - 1 - last)) ++last;
    for (CodeError& error : errors) {
        if (error.line <= first) continue;
        if (error.line > old.lines() - last) error.line += now.lines() - old.lines();
        else error.line = std::clamp(error.line, 1, std::max(now.lines() - last, 1));
    }
    return errors;
}

}  // namespace texelscope::gui
