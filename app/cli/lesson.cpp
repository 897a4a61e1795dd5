// texelscope lesson NAME --handout FILE.html --slides FILE.html: a lesson as pages to print and to show.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command_line.h"
#include "app/drawing/plot.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/spectrum.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "gpu/backend/backend.h"

namespace texelscope {
namespace {

// Steps as pages show them.

constexpr Extent picture_size{960, 600};
constexpr int plot_width = 620, plot_height = 300;

struct ShownStep {
    std::string picture;             // "data:image/png;base64,…"; empty: none
    std::vector<std::string> plots;  // SVG
    AppState state;                  // for live words
};

std::vector<Plot> curve_plots(const CurvesReport& report) {
    const auto plot_of = [&](const char* title, CurvesReport::Curve CurvesReport::Method::*curve, PlotAxis x,
                             PlotAxis y) {
        Plot plot{.title = title, .x = std::move(x), .y = std::move(y)};
        for (const auto& method : report.methods)
            plot.series.push_back({.name = pane_name(method.pane),
                                   .x = (method.*curve).x,
                                   .y = (method.*curve).y,
                                   .style = pane_style(method.pane),
                                   .ink = pane_ink(method.pane)});
        if (plot.y.label.empty()) fit_axis(plot.y, plot.series, 1e-6);
        return plot;
    };
    using Method = CurvesReport::Method;
    return {plot_of("Weight function", &Method::weight,
                    {.label = "distance (samples)", .minimum = -weight_reach, .maximum = weight_reach}, {}),
            plot_of("Spectrum", &Method::spectrum,
                    {.label = "frequency (cycles per sample)", .minimum = 0, .maximum = highest_frequency},
                    {.label = "gain (dB)", .minimum = -80, .maximum = 10}),
            plot_of("Step response", &Method::step,
                    {.label = "position (samples)", .minimum = -step_reach, .maximum = step_reach}, {})};
}

// What the step's dock shows, as plots.
std::vector<Plot> plots_of(AppState& state, SourceCache& sources) {
    Inspector inspector;
    SpectrumWorker spectra;
    inspector.fill(state, sources);
    if (state.ui.dock == Dock::spectrum) {
        spectra.fill(state, sources);
        spectra.wait();
        spectra.fill(state, sources);
    }
    const Findings& found = state.report.findings;
    std::vector<Plot> plots;
    if (state.ui.dock == Dock::profile && found.profile.channels > 0)
        plots.push_back(profile_plot(found.profile, state.ui.inspect.channel));
    if (state.ui.dock == Dock::stage && found.stage.line.channels > 0) {
        plots = {line_plot(found.stage)};
        if (!found.stage.parts.empty()) plots.push_back(parts_plot(found.stage));
        plots.push_back(amplitude_plot(found.stage));
    }
    if (state.ui.dock == Dock::curves) plots = curve_plots(found.curves);
    if (state.ui.dock == Dock::order) plots = {order_plot(found.curves)};
    if (state.ui.dock == Dock::spectrum && !found.spectrum.of.empty())
        plots.push_back(radial_plot(found.spectrum, state.scene.active,
                                    spectrum_reach(found.spectrum, state.ui.inspect.spectrum_reach)));
    for (Plot& plot : plots) {
        plot.width = plot_width;
        plot.height = plot_height;
    }
    return plots;
}

// Steps without a state show that of the step before, as in the window.
std::vector<ShownStep> shown_steps(const std::shared_ptr<const Lesson>& lesson) {
    SourceCache sources(make_cpu_backend());
    AppState state;
    state.scene.panes = {{parse_spec("nearest")}};
    state.places.picture = {0, 0, picture_size.width, picture_size.height};
    state.ui.animate = false;
    begin_lesson(state, lesson);
    const AcceptImage accept = [](const std::shared_ptr<const Image>&) { return StillWanted(); };
    std::vector<ShownStep> steps;
    int plot_count = 0;
    for (int i = 0; i < int(lesson->steps.size()); ++i) {
        const ReadAtOnce at_once(state.read);
        if (enter_step(state, i)) {
            show_session(state, accept);
            if (state.scene.documents.empty()) open_document(state, default_source, accept);
            ask_for_documents(state);  // images of panes that do not show the current one
            for (const Task& task : std::exchange(state.tasks, {}))
                if (const auto* load = std::get_if<task::LoadDocument>(&task))
                    load_document(state, load->source, accept);
        }
        update_views(state);
        ShownStep& shown = steps.emplace_back();
        if (lesson->steps[size_t(i)].state) {
            sources.hold(state.scene.panes.size() + 1);
            SheetMaker maker(state);
            while (maker.done() < maker.total()) maker.step(sources);
            shown.picture = png_as_url(maker.sheet());
            for (const Plot& plot : plots_of(state, sources))
                shown.plots.push_back(to_svg(plot, fmt::format("inside-{}", ++plot_count)));
        }
        shown.state.lesson = state.lesson;
    }
    return steps;
}

// Text as HTML.

std::string html(std::span<const TextSpan> spans) {
    std::string text;
    for (const TextSpan& span : spans) {
        using Style = TextSpan::Style;
        const char* const mark = span.style == Style::bold     ? "b"
                                 : span.style == Style::italic ? "i"
                                 : span.style == Style::code   ? "code"
                                                               : nullptr;
        text += mark ? fmt::format("<{0}>{1}</{0}>", mark, escaped(span.text)) : escaped(span.text);
    }
    return text;
}

std::string table_html(std::span<const TextBlock> cells) {
    std::string text = "<table>\n";
    for (const TextBlock& cell : cells)
        text += fmt::format("{}<{}>{}</{}>{}", cell.column == 0 ? "<tr>" : "",
                            cell.kind == TextBlock::Kind::heading_cell ? "th" : "td", html(cell.spans),
                            cell.kind == TextBlock::Kind::heading_cell ? "th" : "td",
                            cell.column + 1 == cell.columns ? "</tr>\n" : "");
    return text + "</table>\n";
}

std::string html(std::span<const TextBlock> blocks, const AppState& state) {
    std::string text;
    bool list = false;
    const std::vector<TextBlock> texts = with_live_texts(blocks, state);
    for (size_t i = 0; i < texts.size(); ++i) {
        const TextBlock& block = texts[i];
        if (const size_t cells = cells_of_table(std::span(texts).subspan(i)); cells > 0) {
            if (std::exchange(list, false)) text += "</ul>\n";
            text += table_html(std::span(texts).subspan(i, cells));
            i += cells - 1;
            continue;
        }
        const bool item = block.kind == TextBlock::Kind::item;
        if (item != list) text += item ? "<ul>" : "</ul>\n";
        list = item;
        const char* const tag = item ? "li" : block.kind == TextBlock::Kind::note ? "blockquote" : "p";
        text += fmt::format("<{0}>{1}</{0}>\n", tag, html(block.spans));
    }
    return list ? text + "</ul>\n" : text;
}

std::string question_html(const LessonStep& step, int number, const AppState& state) {
    if (step.question.empty()) return "";
    std::string text =
        fmt::format("<div class=\"question\"><p><b>Question {}</b></p>{}", number, html(step.question, state));
    if (step.typed) {
        text += fmt::format("<p class=\"reply\">Answer: <span class=\"line\"></span> {}</p>",
                            escaped(step.replies[0].unit));
    } else if (!step.replies.empty()) {
        text += "<ul class=\"choices\">";
        for (const LessonReply& reply : step.replies) text += fmt::format("<li>{}</li>\n", html(reply.text));
        text += "</ul>";
    } else {
        text += "<p class=\"reply\"><span class=\"line\"></span></p>";
    }
    return text + "</div>\n";
}

std::string answer_html(const LessonStep& step, const AppState& state) {
    std::string right;
    for (const LessonReply& reply : step.replies)
        if (reply.right)
            right = step.typed ? fmt::format("<b>{:.6g} {}</b> ", reply.value, escaped(reply.unit))
                               : fmt::format("<b>{}</b> ", html(reply.text));
    return fmt::format("<p>{}</p>{}", right, html(step.answer, state));
}

std::string pictures_html(const ShownStep& shown, const LessonStep& step) {
    std::string text;
    if (!shown.picture.empty())
        text += fmt::format("<img src=\"{}\" alt=\"What the step shows: {}\"/>\n", shown.picture, escaped(step.title));
    for (const std::string& plot : shown.plots) text += "<div class=\"plot\">" + plot + "</div>\n";
    return text;
}

std::string sources_html(const LessonStep& step) {
    std::string text;
    for (const SourcePiece& piece : step.sources) {
        text += fmt::format("<p class=\"quiet\">{}, from line {} on</p><pre>", escaped(piece.file), piece.first_line);
        for (size_t i = 0; i < piece.lines.size(); ++i) {
            const bool marked = std::ranges::count(piece.marked, i) > 0;
            text += fmt::format("{}{}{}\n", marked ? "<mark>" : "", escaped(piece.lines[i]), marked ? "</mark>" : "");
        }
        text += "</pre>\n";
    }
    return text;
}

std::string head_html(const Lesson& lesson) {
    std::string text = fmt::format("<h1>{}</h1>\n", escaped(lesson.title));
    std::string facts = lesson.part.empty() ? "" : fmt::format("Part: {}", lesson.part);
    if (lesson.minutes > 0) facts += fmt::format("{}{} minutes", facts.empty() ? "" : " · ", lesson.minutes);
    if (!lesson.after.empty())
        facts += fmt::format("{}after {}", facts.empty() ? "" : " · ", fmt::join(lesson.after, ", "));
    if (!facts.empty()) text += fmt::format("<p class=\"quiet\">{}</p>\n", escaped(facts));
    if (!lesson.goal.empty()) text += fmt::format("<p><b>Goal:</b> {}</p>\n", escaped(lesson.goal));
    return text + fmt::format("<p>{}</p>\n", escaped(plain_text(lesson.summary)));
}

std::string page(const std::string& title, const char* style, const std::string& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        escaped(title), style, body);
}

constexpr const char* handout_style = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #1c1e21; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.7em; margin-bottom: .2em; } h2 { font-size: 1.2em; margin: 1.6em 0 .4em; break-after: avoid; }
img, .plot svg { max-width: 100%; height: auto; display: block; margin: .6em 0; break-inside: avoid; }
.quiet { color: #4d535b; font-size: .9em; } blockquote { margin: .6em 0; padding-left: 1em; border-left: 3px solid #d9dce0; }
table { border-collapse: collapse; margin: .6em 0; } th, td { text-align: left; vertical-align: top; padding: .25em .9em .25em 0; border-bottom: 1px solid #d9dce0; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; } mark { background: #fff0a8; } pre { background: #f4f5f7; padding: .8em; white-space: pre-wrap; }
.question { border: 1px solid #9aa0a8; border-radius: 6px; padding: .2em 1em; margin: 1em 0; break-inside: avoid; }
.choices { list-style: "☐  "; } .line { display: inline-block; min-width: 14em; border-bottom: 1px solid #1c1e21; height: 1.4em; }
.answers { break-before: page; }
@media print { body { font-size: 10.5pt; margin: 0; max-width: none; } img { max-height: 11cm; } }
)";

std::string handout(const Lesson& lesson, const std::vector<ShownStep>& shown) {
    std::string body = head_html(lesson), answers;
    int questions = 0;
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        if (!step.question.empty()) {
            ++questions;
            answers += fmt::format("<h3>Question {} · {}</h3>\n{}", questions, escaped(step.title),
                                   answer_html(step, shown[i].state));
        }
        body += fmt::format("<h2>{}. {}</h2>\n{}{}{}{}", i + 1, escaped(step.title), pictures_html(shown[i], step),
                            html(step.text, shown[i].state), sources_html(step),
                            question_html(step, questions, shown[i].state));
    }
    if (!lesson.sources.empty()) {
        body += "<h2>References</h2>\n<ul>";
        for (const auto& source : lesson.sources) body += fmt::format("<li>{}</li>\n", html(source));
        body += "</ul>\n";
    }
    if (!answers.empty()) body += fmt::format("<section class=\"answers\"><h2>Answers</h2>\n{}</section>\n", answers);
    return page(lesson.title, handout_style, body);
}

constexpr const char* slides_style = R"(
@page { size: 32cm 18cm; margin: 0; }
html { scroll-snap-type: y mandatory; background: #fff; } body { margin: 0; font: 2.1vh/1.45 system-ui, sans-serif; color: #1c1e21; }
section { box-sizing: border-box; height: 100vh; padding: 4vh 4vw; scroll-snap-align: start; display: grid; overflow: hidden;
  grid: auto 1fr / 2fr 3fr; gap: 2vh 3vw; break-after: page; }
section > h2 { grid-column: 1 / 3; margin: 0; font-size: 1.7em; } section.title { display: block; padding-top: 25vh; }
.pictures { display: flex; flex-direction: column; gap: 1vh; min-height: 0; align-items: center; }
.pictures img, .pictures .plot { flex: 1 1 0; min-height: 0; max-width: 100%; object-fit: contain; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2em .9em .2em 0; border-bottom: 1px solid #d9dce0; }
mark { background: #fff0a8; } .plot svg { max-width: 100%; height: 100%; } pre, code { font-family: ui-monospace, monospace; font-size: .9em; }
.choices { list-style: "☐  "; } .quiet { color: #4d535b; } .line { display: none; }
@media print { section { height: 18cm; } body { font-size: 11pt; } }
)";

std::string slides(const Lesson& lesson, const std::vector<ShownStep>& shown) {
    std::string body = fmt::format("<section class=\"title\">{}</section>\n", head_html(lesson));
    int questions = 0;
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep& step = lesson.steps[i];
        const auto slide = [&](const std::string& text) {
            body += fmt::format("<section><h2>{}</h2><div>{}</div><div class=\"pictures\">{}</div></section>\n",
                                escaped(step.title), text, pictures_html(shown[i], step));
        };
        slide(html(step.text, shown[i].state) + sources_html(step));
        if (step.question.empty()) continue;
        const std::string question = question_html(step, ++questions, shown[i].state);
        slide(question);
        slide(question + answer_html(step, shown[i].state));
    }
    return page(lesson.title, slides_style, body);
}

// What was answered in the built-in lessons, as a page with space for a name.
std::string results_page(const Preferences& kept) {
    const std::string results = results_text(kept);
    if (results.empty()) throw Error("no question of a built-in lesson was answered yet");
    std::string rows;
    const char* cell = "th";
    for (std::string_view line : lines_of(results)) {
        rows += "<tr>";
        for (size_t tab = 0; tab != line.npos; line.remove_prefix(tab == line.npos ? line.size() : tab + 1)) {
            tab = line.find('\t');
            rows += fmt::format("<{0}>{1}</{0}>", cell, escaped(std::string(line.substr(0, tab))));
        }
        rows += "</tr>\n";
        cell = "td";
    }
    return page(
        "Results", handout_style,
        fmt::format("<h1>Results</h1>\n<p>Name: <span class=\"line\"></span></p>\n<table>\n{}</table>\n", rows));
}

struct LessonCommand {
    std::string name, handout_file, slides_file, results_file;

    void run() const {
        if (!results_file.empty()) write_text(results_file, results_page(load_settings(settings_path())));
        if (name.empty() && !results_file.empty() && handout_file.empty() && slides_file.empty()) return;
        if (handout_file.empty() && slides_file.empty())
            throw UsageError(
                "lesson writes pages: give --handout FILE.html, --slides FILE.html or --results FILE.html");
        if (name.empty()) throw UsageError("which lesson? Name a built-in one, such as half-texel, or a file");
        const std::shared_ptr<const Lesson> lesson = find_lesson(name);
        const std::vector<ShownStep> shown = shown_steps(lesson);
        if (!handout_file.empty()) write_text(handout_file, handout(*lesson, shown));
        if (!slides_file.empty()) write_text(slides_file, slides(*lesson, shown));
    }
};

}  // namespace

void add_lesson(Command app) {
    Command command = app.add_subcommand("lesson", "Write a lesson as a handout or slides");
    auto options = std::make_shared<LessonCommand>();
    command.add_option("name", options->name, "A built-in lesson, such as half-texel, or the file of one of your own")
        .type_name("NAME");
    command
        .add_option("--handout", options->handout_file,
                    "A page to print: pictures, plots, questions, and the answers on a page of their own")
        .type_name("FILE.html");
    command
        .add_option(
            "--slides", options->slides_file,
            "A slide for each step, and one with the answer after each question; the browser shows and prints them")
        .type_name("FILE.html");
    command
        .add_option(
            "--results", options->results_file,
            "A page with what you have answered in the built-in lessons, and after how many tries; needs no NAME")
        .type_name("FILE.html");
    command.footer(
        "Examples:\n"
        "  texelscope lesson --results results.html\n"
        "  texelscope lesson half-texel --handout half-texel.html\n"
        "  texelscope lesson mine.md --handout mine.html --slides slides.html");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
