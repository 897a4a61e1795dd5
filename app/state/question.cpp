#include "app/state/question.h"

#include <utility>

#include "app/state/app_state.h"

namespace texelscope {

void ask(AppState& state, Question question) {
    state.question = std::move(question);
    state.ui.dialogs.open(Dialog::question);
}

}  // namespace texelscope
