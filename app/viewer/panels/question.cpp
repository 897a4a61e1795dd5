// The dialog that asks before something is done.

#include <imgui.h>

#include "app/viewer/editing/questions.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// Framed if Enter presses it.
bool answer_button(const char* text, const char* id, bool chosen) {
    const bool clicked = gui::row_button(text, 2, "");
    gui::note(id);
    if (chosen)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            gui::packed(gui::colour::accent), ImGui::GetStyle().FrameRounding, 0,
                                            gui::px(1.5f));
    return clicked;
}

}  // namespace

void question(AppState& state) {
    bool& yes_chosen = state.ui.memory.yes_chosen;
    if (!begin_dialog(state, Dialog::question, (state.question.title + "###question").c_str())) return;
    const Question& question = state.question;
    if (ImGui::IsWindowAppearing()) yes_chosen = question.enter_does_it;
    for (const int key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Tab})
        if (key_pressed(state, Dialog::question, key)) yes_chosen = !yes_chosen;
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(question.text.c_str());
    ImGui::PopTextWrapPos();
    gui::remark(question.details, false);
    ImGui::Dummy({0, gui::px(4)});
    const bool entered = key_pressed(state, Dialog::question, ImGuiKey_Enter);
    const bool yes = answer_button(question.yes.c_str(), "question:yes", yes_chosen);
    ImGui::SameLine();
    const bool no = answer_button("Cancel", "question:no", !yes_chosen);
    if (yes || no || entered) answer(state, yes || (entered && yes_chosen));
    end_dialog();
}

}  // namespace texelscope::panels
