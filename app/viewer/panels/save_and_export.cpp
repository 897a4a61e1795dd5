// The dialogs that save: Export, the whole image at any size by the active pane's method; Save, the view, a sheet, the profile, the
// session.

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/machine.h"
#include "gpu/prefilter/projection.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;

constexpr const char* writing_tip = "Write the file. An existing file is replaced only if you agree.";

fs::path folder_of(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::current_path(error) : folder;
}

void browse_button(UiState& ui, Dialog which) {
    auto& browse = ui.memory.save_files;
    if (ImGui::Button(browse.shown ? "Hide files" : "Browse…")) {
        browse.shown = !browse.shown;
        browse.list.folder.clear();
    }
    gui::tooltip("Show the folders and files there: a click chooses one.");
    gui::note(which == Dialog::save ? "save:browse" : "export:browse");
}

// A folder is entered by a click, a file gives its name.
void files_row(UiState& ui, Dialog which, std::string& path) {
    FileList& list = ui.memory.save_files.list;
    const fs::path folder = folder_of(path);
    if (folder.lexically_normal() != list.folder) read_folder(list, folder);
    ImGui::AlignTextToFramePadding();
    if (ImGui::Button("Up") && folder.has_parent_path())
        path = (list.folder.parent_path() / fs::path(path).filename()).string();
    gui::tooltip("Parent folder.");
    ImGui::SameLine();
    gui::elided(list.folder.string(), ImGui::GetContentRegionAvail().x);
    const float below = 4 * ImGui::GetFrameHeightWithSpacing();
    const float height =
        std::clamp(ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - below, gui::px(96), gui::px(240));
    if (!file_list(ui, which, list, height).clicked) return;
    const FolderEntry& entry = list.chosen();
    path = entry.folder ? (list.folder / entry.name / fs::path(path).filename()).string()
                        : (list.folder / entry.name).string();
}

// A path, which has the keyboard, with the button that shows the files there. True if Enter was pressed.
bool file_row(UiState& ui, Dialog which, std::string& path, const std::string& tip) {
    gui::label("File", tip);
    focus_here(ui, which);
    const float button = ImGui::CalcTextSize("Hide files").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
    const bool entered = ImGui::InputText("##path", &path, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip(tip);
    gui::note(which == Dialog::save ? "save:path" : "export:path");
    ImGui::SameLine();
    browse_button(ui, which);
    if (ui.memory.save_files.shown) files_row(ui, which, path);
    return entered;
}

void factor_rows(ExportUi& choice) {
    gui::label("Factor", "Output pixels per sample, for both axes; the size is rounded.");
    constexpr float field = 88;
    constexpr std::array factors = {0.25, 0.5, 2.0, 3.0, 4.0, 8.0};
    std::array<std::string, factors.size()> texts;
    std::array<gui::Segment, factors.size()> segments;
    int chosen = -1;
    for (size_t k = 0; k < factors.size(); ++k) {
        texts[k] = factors[k] < 1 ? fmt::format("1/{:g}", 1 / factors[k]) : fmt::format("×{:g}", factors[k]);
        segments[k] = {texts[k].c_str(), fmt::format("{:g} times as wide and as high.", factors[k])};
        if (choice.factor == factors[k]) chosen = int(k);
    }
    const float width = ImGui::GetContentRegionAvail().x - gui::px(field + 8);
    const int clicked = gui::segmented("export:factor", segments, chosen, width);
    if (clicked >= 0) choice.factor = factors[size_t(clicked)];
    ImGui::SameLine();
    ImGui::SetNextItemWidth(gui::px(field));
    gui::input_double("##export:factor", choice.factor, "%g");
    gui::tooltip(fmt::format("Any factor, {:g} to {:g}.", least_export_factor, most_export_factor));
    gui::note("export:factor");
}

void size_rows(ExportUi& choice, const Image& image) {
    gui::label("Pixels", "Width and height of the file in pixels.");
    const auto other = [](int side, int from, int to) {
        return int(std::clamp(std::round(double(side) * to / from), 1.0, double(most_pixels_per_side)));
    };
    const bool linked = choice.proportions && !image.one_dimensional();
    if (pixels_field("##export:width", choice.size.width, "Width in pixels, 1 … 65536.") && linked)
        choice.size.height = other(choice.size.width, image.width(), image.height());
    ImGui::SameLine();
    ImGui::TextUnformatted("×");
    ImGui::SameLine();
    if (pixels_field("##export:height", choice.size.height, "Height in pixels, 1 … 65536.") && linked)
        choice.size.width = other(choice.size.height, image.height(), image.width());
    ImGui::SameLine();
    if (gui::check("keep proportions", choice.proportions,
                   "Changing one side changes the other, so that the picture is not stretched.",
                   "export:proportions") &&
        choice.proportions)
        choice.size.height = other(choice.size.width, image.width(), image.height());
}

void size_choice(ExportUi& choice, const Image& image) {
    const std::array<gui::Segment, 2> segments = {
        {{"Factor", "So many times as large as the image."}, {"Width × height", "A size in pixels."}}};
    gui::label("Size", "How large the file's picture is.");
    const int clicked = gui::segmented("export:size", segments, choice.by_size ? 1 : 0);
    if (clicked >= 0) choice.by_size = clicked == 1;
    if (choice.by_size) size_rows(choice, image);
    else factor_rows(choice);
}

void depth_row(ExportUi& choice, SampleType stored) {
    struct Depth {
        const char *text, *tip;
        std::optional<SampleType> type;
    };
    std::vector depths = {Depth{"as the image", "The image's own type if the format has it.", {}},
                          Depth{"8 bits", "Integers of 8 bits.", SampleType::u8},
                          Depth{"16 bits", "Integers of 16 bits.", SampleType::u16},
                          Depth{"half", "Floats of 16 bits.", SampleType::f16},
                          Depth{"float", "Floats of 32 bits: neither clipped nor rounded.", SampleType::f32}};
    if (!is_texel_type(stored))
        depths.push_back(
            {name_of(stored).data(), "The type of the image: its numbers, which nearest keeps exactly.", stored});
    std::vector<gui::Segment> segments(depths.size());
    int chosen = 0;
    for (size_t k = 0; k < depths.size(); ++k) {
        segments[k] = {depths[k].text, depths[k].tip};
        if (depths[k].type == choice.depth) chosen = int(k);
        try {
            if (depths[k].type) check_output_name(choice.path, {depths[k].type});
        } catch (const UsageError& error) {
            segments[k].enabled = false;
            segments[k].tip = error.what();
        }
    }
    if (!segments[size_t(chosen)].enabled) choice.depth = {}, chosen = 0;
    gui::label("Depth", "The type of the file's samples.");
    const int clicked = gui::segmented("export:depth", segments, chosen);
    if (clicked >= 0) choice.depth = depths[size_t(clicked)].type;
}

// What "as the image" means for a format without that type, in the colour of warnings where the file says less.
void written_row(const ExportUi& exporting, const Image& image) {
    if (exporting.depth) return;
    try {
        const WrittenDepth depth = written_depth(export_path(exporting), image.type(), {});
        if (depth.type == image.type()) return;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gui::column());
        gui::wrapped_text(fmt::format("Writes {}.", depth.words),
                          depth.less ? gui::colour::warning : gui::colour::secondary);
        gui::note(depth.less ? "export:less-depth" : "export:other-depth");
    } catch (const UsageError&) {}  // told below
}

// Whether a side of the file has fewer pixels than the image has samples: only there does antialiasing act.
bool shrinks(Extent size, const Image& image) {
    return !size.empty() && (size.width < image.width() || size.height < image.height());
}

// "Writes the whole picture, enlarged by the method of pane A: Cubic B-spline."
std::string what_it_does(const Scene& scene, const ExportUi& choice, Extent size, const Image& image) {
    const MethodSpec& spec = scene.spec();
    const bool reduced = shrinks(size, image), enlarged = size.width > image.width() || size.height > image.height();
    const std::string how = size.empty()          ? "resized"
                            : reduced && enlarged ? "stretched"
                            : reduced             ? "reduced"
                            : enlarged            ? "enlarged"
                                                  : "at its own size,";
    const bool by_least_squares = choice.least_squares && has_least_squares(*spec.method);
    const bool widened = reduced && choice.antialias;
    std::string method = words(spec, !widened);
    if (widened && by_least_squares) method += " · least squares";
    if (choice.linear) method += " · linear light";
    return fmt::format("Writes the whole picture, {} by the method of pane {}: {}.", how, pane_name(scene.active),
                       method);
}

void sampling_row(ExportUi& choice, const MethodInfo& method, bool acts) {
    gui::label("Sampling", "How samples become pixels.");
    ImGui::BeginDisabled(!acts);
    gui::check("antialiasing", choice.antialias);
    ImGui::EndDisabled();
    gui::tooltip(acts ? "Widens the method's weights where the picture shrinks, so that fine detail does not alias."
                      : "Acts only where the picture shrinks: at this size no side does.");
    gui::note("export:antialias");
    ImGui::SameLine(0, gui::px(24));
    const bool able = acts && choice.antialias && has_least_squares(method);
    ImGui::BeginDisabled(!able);
    gui::check("least squares", choice.least_squares);
    ImGui::EndDisabled();
    gui::tooltip(
        able ? "Shrinks to the picture that the method enlarges to the nearest of this one: keeps more detail, and "
               "bilinear and the B-splines give back what they enlarged by an odd factor."
        : has_least_squares(method) ? "Acts only where the picture shrinks, and with antialiasing."
                                    : "For bilinear interpolation and splines, whose order is the highest of their "
                                      "support.");
    gui::note("export:least-squares");
    ImGui::SameLine(0, gui::px(24));
    gui::check("linear light", choice.linear,
               "Interpolates linear light instead of the stored, sRGB-coded values. Files of linear light are "
               "interpolated as they are stored.",
               "export:linear");
}

struct Estimate {
    Extent size;
    double file = 0, memory = 0;  // bytes: of the file without compression; while it is computed and written
    std::string problem;          // why it cannot be written; empty if it can
};

Estimate estimate_of(const Scene& scene, const ExportUi& choice, const Image& image) {
    Estimate estimate;
    try {
        estimate.size = extent_of(exported_picture(scene, choice), shape_of(image));
        const std::string path = export_path(choice);
        const WriteOptions options = options_for(path, image.type(), choice.depth);
        check_output_name(path, options);
        const double values = double(estimate.size.width) * estimate.size.height * image.channels();
        const double untyped = writes_integers(path, options) ? 1 : sizeof(float);
        const double stored = options.type ? bytes_per_sample(*options.type) : untyped;
        estimate.file = values * stored;
        // The floats, their copy in the file's type (some formats take it in parts), and the file before it is written.
        estimate.memory = values * (sizeof(float) + 2 * stored);
        if (const size_t available = available_host_memory(); values * sizeof(float) > double(available))
            estimate.problem = fmt::format("{}×{} pixels take {} of memory and more, {} are available.",
                                           estimate.size.width, estimate.size.height,
                                           words_of_bytes(values * sizeof(float)), words_of_bytes(double(available)));
    } catch (const Error& error) {
        estimate.problem = without_dashes(error.what());
    }
    return estimate;
}

void estimate_row(const Estimate& estimate) {
    if (estimate.problem.empty())
        return gui::remark(fmt::format("{}×{} pixels, {} before compression; takes {} of memory meanwhile.",
                                       estimate.size.width, estimate.size.height, words_of_bytes(estimate.file),
                                       words_of_bytes(estimate.memory)));
    gui::wrapped_text(estimate.problem, gui::colour::error);
    gui::note("export:problem");
}

}  // namespace

void export_picture(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::exporting)) return;
    ExportUi& choice = state.ui.exporting;
    const auto image = image_of(state.scene, state.scene.active);
    const Extent size = image ? estimate_of(state.scene, state.ui.exporting, *image).size : Extent{};
    if (image) gui::remark(what_it_does(state.scene, state.ui.exporting, size, *image), false);
    ImGui::Dummy({0, gui::px(4)});
    if (image) size_choice(choice, *image);
    format_row(choice.path, "export:format");
    depth_row(choice, image ? image->type() : SampleType::u8);
    if (image) written_row(state.ui.exporting, *image);
    sampling_row(choice, *state.scene.spec().method, image && shrinks(size, *image));
    const bool entered =
        file_row(state.ui, Dialog::exporting, choice.path, "Path of the new file; its extension chooses the format.");
    Estimate estimate;
    if (image) estimate = estimate_of(state.scene, state.ui.exporting, *image);
    else estimate.problem = "There is no picture: open an image first.";
    estimate_row(estimate);
    if (has_metadata(state.scene, state.report.file))
        gui::remark("EXIF and other metadata of the image's file are not written.");
    failure_row(state.ui, Dialog::exporting);
    ImGui::Dummy({0, gui::px(4)});
    const bool able = estimate.problem.empty() && !choice.path.empty();
    const bool pressed = ending_buttons(state.ui, Dialog::exporting, "Export", "export:export", writing_tip, able);
    if ((entered || pressed) && able) request_export(state);
    end_dialog();
}

namespace {

using Saving = UiState::Saving;

constexpr std::array saving_kinds = {Saving::view, Saving::sheet, Saving::profile, Saving::session, Saving::method};

void saved_kind_row(AppState& state) {
    const auto enabled = [&](Saving what) { return can_save(state, what); };
    const std::array<gui::Segment, 5> segments = {{
        {"View", "The active pane's picture.", enabled(Saving::view)},
        {"Sheet", "All panes with labels, figures and legend.", enabled(Saving::sheet)},
        {"Profile", "The plot's values as a table. Open the profile (I) first.", enabled(Saving::profile)},
        {"Session", "Images, panes, views and settings, to continue later.", enabled(Saving::session)},
        {"Method", "The active pane's weight function or CUDA kernel, as a text.", enabled(Saving::method)},
    }};
    const int chosen = int(std::find(saving_kinds.begin(), saving_kinds.end(), state.ui.saving) - saving_kinds.begin());
    const int clicked = gui::segmented("save:kind", segments, chosen);
    if (clicked >= 0) save_something_else(state.scene, state.ui, saving_kinds[size_t(clicked)]);
}

// True if Enter was pressed.
bool path_row(UiState& ui) {
    const bool picture = ui.saving == Saving::view || ui.saving == Saving::sheet;
    const std::string tip = picture
                                ? "Path of the new file; its extension chooses the format: png, jpg, tif, exr, npy, …"
                            : ui.saving == Saving::profile ? "Path of the new file, a table ending in .csv."
                            : ui.saving == Saving::method
                                ? "Path of the new file, ending in .weights for a weight function, in .cu for a kernel."
                                : "Path of the new file, ending in .json.";
    const bool entered = file_row(ui, Dialog::save, ui.save_path, tip);
    if (picture) format_row(ui.save_path, "save:format");
    return entered;
}

void size_row(AppState& state) {
    const Extent pane = output_extent(state, state.scene.active);
    std::optional<Extent>& size = state.ui.save_size;
    gui::label("Size", "Size of the file in pixels. Its width covers the same part of the image as the pane's width.");
    Extent edited = size.value_or(pane);
    pixels_field("##save:width", edited.width, "Width in pixels, 1 … 65536.");
    ImGui::SameLine();
    ImGui::TextUnformatted("×");
    ImGui::SameLine();
    pixels_field("##save:height", edited.height, "Height in pixels, 1 … 65536.");
    for (const int times : {1, 2, 4}) {
        ImGui::SameLine();
        const std::string text = times == 1 ? "pane" : fmt::format("× {}", times);
        if (ImGui::Button(text.c_str())) edited = {pane.width * times, pane.height * times};
        gui::tooltip(fmt::format("{}×{}: {} of the pane.", pane.width * times, pane.height * times,
                                 times == 1 ? "the size" : fmt::format("{} times the size", times)));
        gui::note(fmt::format("save:times-{}", times));
    }
    size = edited == pane ? std::nullopt : std::optional(edited);
}

std::string what_is_written(const AppState& state) {
    const Scene& scene = state.scene;
    switch (state.ui.saving) {
        case Saving::view: {
            const int pane = scene.active;
            const auto [width, height] = state.ui.save_size.value_or(output_extent(state, pane));
            const std::string what = shows_difference(state, pane) ? "the difference of " : "";
            return fmt::format("Pane {}: {}×{} pixels, {}{}", pane_name(pane), width, height, what,
                               pane_label(state, pane));
        }
        case Saving::sheet:
            return fmt::format("A picture of {} with label, errors against the reference, time and fetches",
                               scene.panes.size() == 1 ? "the pane" : fmt::format("all {} panes", scene.panes.size()));
        case Saving::profile: return "A table: position, stored sample, and each pane's value";
        case Saving::method:
            return fmt::format("A text: {}",
                               state.ui.dock == Dock::kernel ? "the kernel in the editor" : scene.spec().method->name);
        case Saving::session:
            return fmt::format("{} {}, {} {}, views and settings; pictures are named, not copied",
                               scene.documents.size(), scene.documents.size() == 1 ? "image" : "images",
                               scene.panes.size(), scene.panes.size() == 1 ? "pane" : "panes");
    }
    return "";
}

}  // namespace

void save(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::save)) return;
    saved_kind_row(state);
    ImGui::Dummy({0, gui::px(4)});
    const bool entered = path_row(state.ui);
    if (state.ui.saving == Saving::view) size_row(state);
    gui::remark(what_is_written(state));
    const bool sized = state.ui.saving != Saving::view || has_pixels(state.ui.save_size.value_or(Extent{1, 1}));
    if (!sized) gui::wrapped_text(size_limits, gui::colour::error);
    failure_row(state.ui, Dialog::save);
    ImGui::Dummy({0, gui::px(4)});
    const bool able = sized && can_save(state, state.ui.saving);
    const bool pressed = ending_buttons(state.ui, Dialog::save, "Save", "save:save", writing_tip, able);
    if ((entered || pressed) && able) request_saving(state);
    end_dialog();
}

}  // namespace texelscope::panels
