// The dialog "Outside program": a command that enlarges the picture, how much, and examples.

#include <array>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/state/panes.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

struct Example {
    const char *name, *command;
};
constexpr std::array examples = {
    Example{"ImageMagick, Mitchell", "convert {in} -filter Mitchell -resize {width}x{height}! {out}"},
    Example{"ImageMagick, floats", "convert {in.tif} -filter Lanczos -resize {width}x{height}! {out.tif}"},
    Example{"ffmpeg, Lanczos", "ffmpeg -v error -i {in} -vf scale={width}:{height}:flags=lanczos {out}"},
    Example{"ffmpeg, hqx (×2, ×3, ×4)", "ffmpeg -v error -i {in} -vf hqx={factor},format=rgb24 {out}"},
    Example{"ffmpeg, xbr (×2, ×3, ×4)", "ffmpeg -v error -i {in} -vf xbr={factor},format=rgb24 {out}"},
    Example{"ffmpeg, Super 2×SaI (×2)", "ffmpeg -v error -i {in} -vf super2xsai,format=rgb24 {out}"},
    Example{"vips, cubic", "vips resize {in} {out} {factor} --kernel cubic"}};

void example_list(ProgramUi& ui) {
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (!gui::begin_combo("##examples", "Examples")) {
        gui::tooltip("Commands of programs that many systems have. What is not installed says so when it runs.");
        gui::note("program:examples");
        return;
    }
    for (const Example& example : examples) {
        if (ImGui::Selectable(example.name)) ui.command = example.command;
        gui::tooltip(example.command);
        gui::note(fmt::format("program:example-{}", example.name));
    }
    ImGui::EndCombo();
}

void factor_row(ProgramUi& ui) {
    constexpr std::array<double, 4> factors = {2, 3, 4, 8};
    std::array<gui::Segment, factors.size()> segments = {
        {{"×2", "Twice as wide and high."}, {"×3", "Three times."}, {"×4", "Four times."}, {"×8", "Eight times."}}};
    int chosen = -1;
    for (size_t k = 0; k < factors.size(); ++k)
        if (ui.factor == factors[k]) chosen = int(k);
    field_label("Enlarge",
                "How many times as wide and high the result is: {factor}, {width} and {height} of the command.");
    if (const int clicked = gui::segmented("program:factor", segments, chosen); clicked >= 0)
        ui.factor = factors[size_t(clicked)];
}

}  // namespace

void program(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::program)) return;
    ProgramUi& ui = state.ui.program;
    begins_anew(state.ui, Dialog::program);
    gui::wrapped_text(
        "The shell runs this command. {in} is a file with the picture of the active pane and {out} the one that it must write, "
        "PNG, or {in.npy} and {out.tif} with floats; {width} and {height} are those of the result.");
    ImGui::SetNextItemWidth(-FLT_MIN);
    focus_here(state.ui, Dialog::program);
    bool runs = ImGui::InputText("##command", &ui.command, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::note("program:command");
    example_list(ui);
    factor_row(ui);
    gui::remark("At most 60 seconds and 4 GiB. It runs with your rights.", false);
    if (!ui.refused.empty()) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::warning));
        gui::wrapped_text(ui.refused);
        ImGui::PopStyleColor();
        gui::note("program:refused");
    }
    ImGui::Dummy({0, gui::px(4)});
    runs = entered(state.ui, Dialog::program) || runs;
    {
        const gui::PrimaryButton primary;
        runs = gui::row_button("Run", 2, "The active pane shows what the program makes.") || runs;
    }
    gui::note("program:run");
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Esc")) state.ui.dialogs.close(Dialog::program);
    if (runs) try {
            program_method(ui.command, {});
            ui.refused.clear();
            state.ui.dialogs.close(Dialog::program);
            state.tasks.push_back(task::RunProgram{ui.command, ui.factor});
        } catch (const UsageError& error) {
            ui.refused = error.what();
        }
    end_dialog();
}

}  // namespace texelscope::panels
