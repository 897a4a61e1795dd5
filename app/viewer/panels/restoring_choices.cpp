// What is done to the picture, and by which methods.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

using Test = RestoringChoice::Test;

constexpr std::array factors = {2.0, 3.0, 4.0, 8.0};

void cell_label(const char* text, const char* tip) { field_label(text, tip, 96); }

bool test_choice(RestoringChoice& choice) {
    const std::array<gui::Segment, 4> segments = {
        {{"Enlarge", "The picture is shrunk, and every method enlarges it again."},
         {"Reduce",
          "Every method makes the picture smaller, antialiased; compared with the ideal reduction, which has all "
          "detail that fits and nothing else."},
         {"Rotate", "Every method turns the picture again and again, until it is upright."},
         {"Shift", "Every method moves the picture by a part of a sample, again and again."}}};
    cell_label("Test",
               "What the methods have to do. Enlarging is what zooming in and scaling up ask for; turning and "
               "moving again and again show small losses that add up.");
    const int clicked = gui::segmented("restoring:test", segments, int(choice.test));
    if (clicked < 0 || clicked == int(choice.test)) return false;
    choice.test = Test(clicked);
    return true;
}

// What is not taken is said in place of what the test does.
bool number(RestoringUi& ui, const char* id, double& value, const NumberRange& range, float width,
            const std::string& tip) {
    ImGui::SetNextItemWidth(gui::px(width));
    const double before = value;
    gui::input_text(id, fmt::format("{:g}", value), [&](const std::string& text) {
        const TypedNumber typed = typed_number(text, range);
        ui.refused = typed.problem;
        value = typed.value.value_or(value);
        return typed.value.has_value();
    });
    gui::tooltip(tip);
    gui::note(id + 2);
    return value != before;
}

bool factor_choice(RestoringUi& ui) {
    RestoringChoice& choice = ui.choice;
    const bool enlarges = choice.test == Test::enlarge;
    cell_label("Factor", enlarges ? "How many times as wide and high the restored picture is as the shrunk one."
                                  : "How many times as wide and high the picture is as the reduced one.");
    std::array<gui::Segment, factors.size()> segments;
    std::array<std::string, factors.size()> texts;
    int chosen = -1;
    for (size_t k = 0; k < factors.size(); ++k) {
        const double f = factors[k];
        texts[k] = fmt::format("{}{:g}", enlarges ? "×" : "1/", f);
        segments[k] = {texts[k].c_str(),
                       enlarges ? fmt::format("Shrunk to 1/{0:g} of its width and height, enlarged {0:g} times.", f)
                                : fmt::format("Reduced to 1/{:g} of its width and height.", f)};
        if (choice.factor == factors[k]) chosen = int(k);
    }
    constexpr float field = 72;
    const float width = ImGui::GetContentRegionAvail().x - gui::px(field + 8);
    const int clicked = gui::segmented("restoring:factor", segments, chosen, width);
    ImGui::SameLine();
    const NumberRange range{.name = "factor", .low = 1, .high = 64};
    bool changed = number(ui, "##restoring:factor", choice.factor, range, field, "Any factor, 1 to 64.");
    if (clicked >= 0) ui.refused.clear();
    if (clicked >= 0 && factors[size_t(clicked)] != choice.factor) {
        choice.factor = factors[size_t(clicked)];
        changed = true;
    }
    return changed;
}

struct Repeated {
    int& times;
    double& step;
    const char* unit;
    NumberRange count, range;
};

bool times_choice(RestoringUi& ui, const Repeated& what, const std::string& tip) {
    cell_label("Times", tip.c_str());
    double count = what.times;
    bool changed = number(ui, "##restoring:times", count, what.count, 64, "How many times, 1 to 1000.");
    what.times = int(count);
    ImGui::SameLine();
    ImGui::TextUnformatted("× by");
    ImGui::SameLine();
    changed = number(ui, "##restoring:step", what.step, what.range, 72, tip) || changed;
    ImGui::SameLine();
    ImGui::TextUnformatted(what.unit);
    return changed;
}

bool how_far(RestoringUi& ui) {
    RestoringChoice& choice = ui.choice;
    switch (choice.test) {
        case Test::enlarge:
        case Test::reduce: break;
        case Test::rotate:
            return times_choice(ui,
                                {choice.turns,
                                 choice.degrees,
                                 "°",
                                 {.name = "number of turns", .low = 1, .high = 1000, .whole = true},
                                 {.name = "angle", .low = -360, .high = 360, .unit = "°", .zero = false}},
                                "Degrees of each turn, not 0. If the picture is not upright at the end, one more turn "
                                "makes it so.");
        case Test::shift:
            return times_choice(ui,
                                {choice.shifts,
                                 choice.samples,
                                 "samples",
                                 {.name = "number of shifts", .low = 1, .high = 1000, .whole = true},
                                 {.name = "shift", .low = -360, .high = 360, .unit = " samples", .zero = false}},
                                "Samples along both axes, each time, not 0. If that is not a whole number in the end, "
                                "one more shift makes it so.");
    }
    return factor_choice(ui);
}

bool filter_choice(RestoringChoice& choice) {
    const char* tip =
        "The method that shrinks the picture, ours or another library's. What it takes away no method brings back, so the "
        "figures depend on it.";
    cell_label("Shrink with", tip);
    const MethodInfo& current = choice.filter.empty() ? *usual_filter().method : *parse_spec(choice.filter).method;
    const std::string preview(current.name);
    if (!gui::begin_combo("##restoring:filter", preview.c_str()))
        return gui::tooltip(tip), gui::note("restoring:filter"), false;
    const std::string before = choice.filter;
    for (const MethodInfo* method : shrinking_methods()) {
        if (ImGui::Selectable(std::string(method->name).c_str(), method->id == current.id)) choice.filter = method->id;
        gui::note(fmt::format("restoring:filter-{}", method->id));
    }
    ImGui::EndCombo();
    return choice.filter != before;
}

bool antialias_choice(RestoringChoice& choice) {
    const std::array<gui::Segment, 2> segments = {
        {{"On", "Widened by the factor, so that no detail is left that the small picture cannot hold."},
         {"Off", "Only the samples around each pixel are read, as many programs do: the small picture is aliased."}}};
    cell_label("Antialiasing", "Whether the picture is shrunk with antialiasing.");
    const int clicked = gui::segmented("restoring:antialias", segments, choice.antialias ? 0 : 1);
    if (clicked < 0 || (clicked == 0) == choice.antialias) return false;
    choice.antialias = clicked == 0;
    return true;
}

bool methods_choice(const Scene& scene, RestoringUi& restoring) {
    RestoringChoice& choice = restoring.choice;
    const size_t panes = panes_in_view(scene).size();
    const std::string all = fmt::format("All {}", all_methods().size()),
                      some = panes == 1 ? "The pane's" : fmt::format("The {} panes'", panes);
    const std::array<gui::Segment, 2> segments = {
        {{all.c_str(), "Every method of this program, with its default settings."},
         {some.c_str(), "Only the methods of the panes in view, with their settings: path, prefilter, address mode."}}};
    cell_label("Methods", "Which methods are compared.");
    const int clicked = gui::segmented("restoring:methods", segments, choice.panes_only ? 1 : 0);
    if (clicked < 0 || (clicked == 1) == choice.panes_only) return false;
    choice.panes_only = clicked == 1;
    return true;
}

bool part_choice(RestoringUi& restoring) {
    const std::array<gui::Segment, 2> segments = {
        {{"Whole picture", "All of the picture is restored and compared."},
         {"Selection", "Only the part that was selected with the right button, as if it were the picture."}}};
    bool& only = restoring.choice.selection_only;
    cell_label("Part", "Which part of the picture is restored and compared.");
    const int clicked = gui::segmented("restoring:part-of", segments, only ? 1 : 0);
    if (clicked < 0 || (clicked == 1) == only) return false;
    only = clicked == 1;
    return true;
}

bool pictures_choice(const Scene& scene, RestoringChoice& choice) {
    const std::string every = fmt::format("All {} open", judged_documents(scene).size());
    const std::array<gui::Segment, 2> segments = {
        {{"This one", "The picture that the active pane shows."},
         {every.c_str(),
          "Every open picture, and what they say together: mean, spread, wins, and how sure the order is."}}};
    cell_label("Pictures", "Which pictures are restored and compared. One picture says little about others.");
    const int clicked = gui::segmented("restoring:pictures", segments, choice.every_picture ? 1 : 0);
    if (clicked < 0 || (clicked == 1) == choice.every_picture) return false;
    choice.every_picture = clicked == 1;
    return true;
}

bool judge_choice(RestoringChoice& choice) {
    const char* tip =
        "The figure that ranks the methods. PSNR counts how far values are off, FLIP what is seen of that.";
    cell_label("Rank by", tip);
    std::string preview = choice.judge;
    for (const auto& row : judges)
        if (row.name == choice.judge) preview = row.label();
    bool changed = false;
    if (!gui::begin_combo("##restoring:judge", preview.c_str())) {
        gui::tooltip(tip);
        gui::note("restoring:judge");
        return false;
    }
    for (const auto& row : judges) {
        if (ImGui::Selectable(std::string(row.label()).c_str(), row.name == choice.judge) && row.name != choice.judge) {
            choice.judge = row.name;
            changed = true;
        }
        gui::tooltip(row.meaning);
        gui::note(fmt::format("restoring:judge-{}", row.name));
    }
    ImGui::EndCombo();
    return changed;
}

}  // namespace

bool restoring_choices(const Scene& scene, RestoringUi& restoring) {
    RestoringChoice& choice = restoring.choice;
    const int columns = ImGui::GetContentRegionAvail().x >= gui::px(760) ? 2 : 1;
    if (!ImGui::BeginTable("##choices", columns, ImGuiTableFlags_NoSavedSettings)) return false;
    ImGui::TableNextColumn();
    bool changed = test_choice(choice);
    if (changed) restoring.refused.clear();
    ImGui::TableNextColumn();
    changed = how_far(restoring) || changed;
    ImGui::TableNextColumn();
    changed = methods_choice(scene, restoring) || changed;
    if (choice.test == Test::enlarge) {
        ImGui::TableNextColumn();
        changed = filter_choice(choice) || changed;
        if (choice.filter.empty() || !parse_spec(choice.filter).method->recipe) {  // a recipe says it itself
            ImGui::TableNextColumn();
            changed = antialias_choice(choice) || changed;
        }
    }
    ImGui::TableNextColumn();
    changed = judge_choice(choice) || changed;
    if (judged_documents(scene).size() > 1) {
        ImGui::TableNextColumn();
        changed = pictures_choice(scene, choice) || changed;
    } else {
        choice.every_picture = false;
    }
    if (scene.selection && !choice.every_picture) {  // without one there is nothing to choose
        ImGui::TableNextColumn();
        changed = part_choice(restoring) || changed;
    }
    ImGui::EndTable();
    return changed;
}

std::string restoring_words(const RestoringChoice& choice) {
    const auto fraction = [](double factor) -> std::string {
        if (factor == 2) return "half";
        if (factor == 3) return "a third";
        if (factor == 4) return "a quarter";
        if (factor == 8) return "an eighth";
        return fmt::format("1/{:g}", factor);
    };
    switch (choice.test) {
        case Test::enlarge: break;
        case Test::reduce:
            return fmt::format(
                "Every method reduces the picture to {} of its width and height, antialiased; the result is "
                "compared with the ideal reduction.",
                fraction(choice.factor));
        case Test::rotate:
            return fmt::format(
                "Every method turns the picture {} times by {:g}°; the result, upright again, is compared "
                "with the original.",
                choice.turns, choice.degrees);
        case Test::shift:
            return fmt::format(
                "Every method moves the picture {} times by {:g} samples; the result, put back in place, "
                "is compared with the original.",
                choice.shifts, choice.samples);
    }
    return fmt::format(
        "The picture is shrunk to {} of its width and height, enlarged again by every method, and compared "
        "with the original.",
        fraction(choice.factor));
}

std::string restoring_summary(const Scene& scene, const RestoringUi& restoring) {
    const RestoringChoice& choice = restoring.choice;
    std::string text;
    switch (choice.test) {
        case Test::enlarge: text = fmt::format("enlarge ×{:g}", choice.factor); break;
        case Test::reduce: text = fmt::format("reduce to 1/{:g}", choice.factor); break;
        case Test::rotate: text = fmt::format("rotate {} × {:g}°", choice.turns, choice.degrees); break;
        case Test::shift: text = fmt::format("shift {} × {:g} samples", choice.shifts, choice.samples); break;
    }
    if (choice.every_picture) text += " · all open pictures";
    text += choice.panes_only ? " · methods of the panes" : " · all methods";
    return restored_part(scene, restoring) ? text + " · selection" : text;
}

// Beside the figures: the pictures of the worst spot, and the row that saves.

namespace {

// How many pictures stand side by side, how many framebuffer pixels each of theirs takes, and the room for each.
struct Grid {
    int across = 1;
    float times = 1;
    ImVec2 cell = {};
};

// The largest whole multiple, so that nothing interpolates the interpolations; of equal ones the fewest rows. `words`:
// the height below each picture. For a larger one, up to a quarter of each side may be cut off.
Grid grid_for(int count, ImVec2 pixels, ImVec2 room, float gap, float words) {
    constexpr float least_shown = 0.75f;
    Grid best;
    best.times = 0;
    for (int across = count; across >= 1; --across) {
        const auto rows = float((count + across - 1) / across);
        const ImVec2 cell{(room.x - gap * float(across - 1)) / float(across), room.y / rows - words};
        const float times = std::floor(std::min(cell.x / pixels.x, cell.y / pixels.y) / least_shown);
        if (times > best.times) best = {across, times, cell};
    }
    if (best.times * pixels.x >= gui::px(160)) return best;
    // Rather than so small, they scroll.
    const int across = std::clamp(int((room.x + gap) / (std::max(gui::px(200), pixels.x) + gap)), 1, count);
    const float width = (room.x - gap * float(across - 1)) / float(across);
    const float high = std::max(room.y - words, gui::px(100));
    return {across, std::max(1.0f, std::floor(width / pixels.x)), {width, high}};
}

// The part of `side` pixels that is shown: as many as the room takes, around `middle`.
struct Shown {
    float first = 0, count = 0;
};
Shown shown_part(int side, float room, double middle) {
    const float count = std::clamp(std::floor(room), 1.0f, float(side));
    return {std::clamp(std::round(float(middle) - count / 2), 0.0f, float(side) - count), count};
}

}  // namespace

void restoring_pictures(const RestoringReport& report, float height) {
    if (report.spots.empty()) return;
    const float ratio = gui::theme().pixel_ratio, gap = 2 * ImGui::GetStyle().CellPadding.x,
                words = 4 * ImGui::GetTextLineHeightWithSpacing();
    const ImVec2 room{ImGui::GetContentRegionAvail().x - gap, height};
    const InterfacePicture& first = report.spots.front().picture;
    const Grid grid =
        grid_for(int(report.spots.size()), {float(first.width) / ratio, float(first.height) / ratio}, room, gap, words);
    const float pixel = grid.times / ratio;  // window coordinates of one
    const Shown x = shown_part(first.width, grid.cell.x / pixel, report.spot_middle.x),
                y = shown_part(first.height, grid.cell.y / pixel, report.spot_middle.y);
    const auto part = [](float at, int side) { return at / float(side); };
    const ImVec2 low{part(x.first, first.width), part(y.first, first.height)},
        high{part(x.first + x.count, first.width), part(y.first + y.count, first.height)};
    if (!ImGui::BeginTable("##spots", grid.across, ImGuiTableFlags_NoSavedSettings)) return;
    for (const RestoringReport::Spot& spot : report.spots) {
        ImGui::TableNextColumn();
        ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(spot.picture.name)), {x.count * pixel, y.count * pixel},
                     low, high);
        gui::note("restoring:spot");
        gui::wrapped_text(spot.title);
        gui::remark(spot.caption, false);
        ImGui::Dummy({0, gui::px(6)});
    }
    ImGui::EndTable();
}

void restoring_save_row(AppState& state) {
    constexpr std::array forms = {
        ReportForm{"Report", ".html",
                   "One page with the answer, the table, the plot and the pictures of the worst spot."},
        ReportForm{"Sheet", ".png",
                   "One picture, ready for a slide: the worst spot in the original and restored by the best."},
        ReportForm{"JSON", ".json", "All figures with all their digits, for programs."},
        ReportForm{"CSV", ".csv", "The table, for a spreadsheet."}};
    const auto& result = state.report.restoring.result;
    const Document* compared = result && !state.ui.restoring.choice.every_picture
                                   ? document_named(state.scene, result->plan.source)
                                   : restored_document(state.scene);
    ReportPath& to = state.ui.restoring.path;
    if (report_row("restoring", to, path_beside(compared, "-best.html"), forms))
        request_writing(state, to.text, task::SaveRestoring{to.text});
}

}  // namespace texelscope::panels
