// Going through a lesson: its steps, sliders and questions.

#include "app/viewer/lessons/lesson.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/json_text.h"
#include "app/state/panes.h"
#include "app/text/text.h"

namespace texelscope {

namespace {

// As short as it is exact enough: −0.61, 36.
std::string slider_text(double value) { return fmt::format("{:.6g}", value + 0.0); }

// "7.4", "−0,5", "9/16", "7.4 %": a unit behind the number is not read. Nothing if there is none.
std::optional<double> typed_number(std::string text) {
    std::replace(text.begin(), text.end(), ',', '.');
    const std::string_view typed = trimmed(text), number = typed.substr(0, typed.find_last_of("0123456789.") + 1);
    const size_t line = number.find('/');
    if (line == number.npos) return number_in(number);
    const auto above = number_in(trimmed(number.substr(0, line))), below = number_in(trimmed(number.substr(line + 1)));
    return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace

const LessonStep* current_step(const LessonState& lesson) {
    if (!lesson.lesson || lesson.step < 0 || size_t(lesson.step) >= lesson.lesson->steps.size()) return nullptr;
    return &lesson.lesson->steps[size_t(lesson.step)];
}

bool has_next_step(const LessonState& lesson) {
    return current_step(lesson) && size_t(lesson.step) + 1 < lesson.lesson->steps.size();
}

bool has_previous_step(const LessonState& lesson) { return current_step(lesson) && lesson.step > 0; }

void ask_for_step(const LessonState& lesson, Tasks& tasks, int step) {
    if (lesson.lesson && step >= 0 && size_t(step) < lesson.lesson->steps.size()) tasks.push_back(task::ShowStep{step});
}

bool has_left_step(const AppState& state) {
    const LessonState& now = state.lesson;
    if (!current_step(now) || !now.shown) return false;
    return now.sliders != now.first_sliders || !still_shows(state.scene, state.ui, *now.shown);
}

const Lesson* next_lesson(const LessonState& lesson) {
    const auto& now = lesson.lesson;
    if (!now || !now->path.empty()) return nullptr;
    const auto all = all_lessons();
    for (size_t i = 0; i + 1 < all.size(); ++i)
        if (all[i].name == now->name) return &all[i + 1];
    return nullptr;
}

void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson) {
    LessonState& now = state.lesson;
    if (!now.lesson) now.before = std::make_shared<const Session>(session_of(state.scene, state.ui));
    now.lesson = std::move(lesson);
    now.step = -1;
    now.shown.reset();
    now.wanted.reset();
    now.list = now.controls = false;
}

int step_to_show(const Lesson& lesson, int step, int from) {
    if (!lesson.steps[size_t(step)].state && from >= 0 && step == from + 1) return -1;
    while (step >= 0 && !lesson.steps[size_t(step)].state) --step;
    return step;
}

namespace {

// The reader's own view of the image that the step shows, unless the step itself has moved it.
void keep_view(const Scene& before, const Session& wanted_before, Session& wanted) {
    const auto shown = [](const Scene& scene) { return scene.document(); };
    const Document *had = shown(before), *asked = shown(wanted_before.scene);
    Document* now = wanted.scene.document();
    if (!had || !asked || !now || had->source != now->source || asked->source != now->source) return;
    const auto view = [](const Document& document) {
        return std::tie(document.view, document.keep_fit, document.region);
    };
    if (view(*asked) != view(*now)) return;
    std::tie(now->view, now->keep_fit, now->region) = view(*had);
}

// Sets the state of a step, as it is at first or with what its reader has done.
void set_state(AppState& state, const LessonStep& step, bool again) {
    LessonState& now = state.lesson;
    const StepState& chosen = again && now.answer && step.answer_state ? step.answer_state : step.state;
    Session session = session_of_state(*now.lesson, step, chosen, now.sliders, now.own_picture);
    const auto wanted = std::make_shared<const Session>(session);
    if (again && now.wanted) keep_view(state.scene, *now.wanted, session);
    const bool panels = state.ui.panels;
    restore(state, std::move(session));
    state.ui.panels = panels;  // the text is in a caption
    now.wanted = wanted;
}

}  // namespace

bool enter_step(AppState& state, int step, bool again) {
    LessonState& now = state.lesson;
    const Lesson& lesson = *now.lesson;
    step = std::clamp(step, 0, int(lesson.steps.size()) - 1);
    const LessonStep& next = lesson.steps[size_t(step)];
    if (again) {
        if (step != now.step || !(next.state || next.answer_state)) return false;
        set_state(state, next, true);
        return true;
    }
    const int shown = step_to_show(lesson, step, now.step);
    // A return, not a step of its own, from which a slider would keep its value.
    if (step != now.step) now.first_sliders = first_values(next, current_step(now), now.sliders);
    now.sliders = now.first_sliders;
    now.step = step;
    now.answer = now.scrolled = now.list = now.controls = now.replied = false;
    now.chosen = -1;
    now.typed.clear();
    if (shown == step) {
        set_state(state, next, false);
    } else if (shown >= 0) {
        const bool panels = state.ui.panels;
        restore(state, *lesson.steps[size_t(shown)].state);
        state.ui.panels = panels;
    }
    // A step that says nothing of plots does not mean those of the step before.
    const bool has_source = !lesson.steps[size_t(step)].sources.empty(),
               has_state = bool(lesson.steps[size_t(step)].state);
    Dock& dock = state.ui.dock;
    if (has_source && (dock == Dock::none || !has_state)) dock = Dock::source;
    if (!has_source && dock == Dock::source) dock = Dock::none;
    return shown >= 0;
}

ViewBefore view_before(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->image ? ViewBefore{document->source, shown_view(state)} : ViewBefore{};
}

void note_shown(AppState& state, const ViewBefore& before) {
    state.lesson.shown = std::make_shared<const Session>(session_of(state.scene, state.ui));
    const Document* document = state.scene.document();
    if (state.ui.animate && document && document->source == before.source)
        state.transition = Transition{before.view, state.now};
}

bool leave_lesson(AppState& state) {
    const auto before = state.lesson.before;
    const bool list = state.lesson.list;
    state.lesson = {};
    state.lesson.list = list;
    if (state.ui.dock == Dock::source) state.ui.dock = Dock::none;
    if (!before) return false;
    const bool panels = state.ui.panels;
    restore(state, *before);
    state.ui.panels = panels;
    return true;
}

// Sliders.

namespace {

// As part of a JSON string.
std::string json_escaped(std::string_view text) {
    const std::string quoted = json_text_of(text);
    return quoted.substr(1, quoted.size() - 2);
}

// Places of the lesson's own picture mean nothing in another one, which is shown whole.
void show_whole(Scene& scene, const std::string& picture) {
    for (Document& document : scene.documents) {
        if (!document.source.ends_with(picture)) continue;
        document.view = {};
        document.region.reset();
        document.keep_fit = true;
    }
    scene.selection.reset();
    scene.profile.pinned = false;
}

}  // namespace

Session session_of_state(const Lesson& lesson, const LessonStep& step, const StepState& state,
                         std::span<const double> values, const std::string& own_picture) {
    std::string json = state.json;
    bool changed = false, own = false;
    const auto put = [&](const std::string& slider, const std::string& text) {
        const std::string name = fmt::format("{{{}}}", slider);
        for (size_t at = json.find(name); at != json.npos; at = json.find(name, at + text.size()))
            json.replace(at, name.size(), text), changed = true;
    };
    for (size_t i = 0; i < step.sliders.size(); ++i)
        if (step.sliders[i].picture.empty()) put(step.sliders[i].name, slider_text(values[i]));
    for (const LessonSlider& slider : step.sliders) {  // last: a file's name may have braces
        if (slider.picture.empty()) continue;
        own = !own_picture.empty();
        put(slider.name, json_escaped(own ? own_picture : slider.picture));
    }
    if (!changed && state) return *state;
    Session session = step_from_json(json, lesson.folder);
    if (own) show_whole(session.scene, own_picture);
    if (own) session.appearance.cursor.reset();
    return session;
}

bool takes_picture(const LessonState& lesson) {
    const LessonStep* const step = current_step(lesson);
    return step && std::ranges::any_of(step->sliders, [](const auto& slider) { return !slider.picture.empty(); });
}

std::string picture_before(const LessonState& lesson) {
    const Document* const document = lesson.before ? lesson.before->scene.document() : nullptr;
    return document && document->is_file() ? document->source : "";
}

void use_picture(AppState& state, const std::string& source) {
    state.lesson.own_picture = source;
    state.tasks.push_back(task::ShowStep{state.lesson.step, true});
}

std::vector<double> first_values(const LessonStep& step, const LessonStep* before, std::span<const double> values) {
    std::vector<double> first;
    for (const LessonSlider& slider : step.sliders) {
        first.push_back(slider.first);
        if (!slider.kept || !before) continue;
        for (size_t i = 0; i < std::min(before->sliders.size(), values.size()); ++i)
            if (before->sliders[i].name == slider.name) first.back() = std::clamp(values[i], slider.low, slider.high);
    }
    return first;
}

// Live words.

namespace {

std::string time_words(const PaneReport& report) {
    std::vector<double> times = report.times;
    if (times.empty()) return "…";
    const auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return fmt::format("{:.2f}\u00a0ms", *middle);
}

}  // namespace

bool tells_times(const LessonState& lesson) {
    const LessonStep* const step = current_step(lesson);
    const auto tells = [](const TextBlock& block) {
        return std::ranges::any_of(block.spans, [](const TextSpan& span) {
            return span.style == TextSpan::Style::live && span.text.starts_with("time");
        });
    };
    return step && (std::ranges::any_of(step->text, tells) || std::ranges::any_of(step->question, tells) ||
                    std::ranges::any_of(step->answer, tells));
}

std::string live_text(const AppState& state, std::string_view word) {
    if (const LessonStep* step = current_step(state.lesson))
        for (size_t i = 0; i < std::min(step->sliders.size(), state.lesson.sliders.size()); ++i)
            if (const LessonSlider& slider = step->sliders[i]; slider.name == word) {
                if (slider.picture.empty()) return with_minus(slider_text(state.lesson.sliders[i]));
                const std::string& own = state.lesson.own_picture;
                return own.empty() ? slider.picture : std::filesystem::path(own).filename().string();
            }
    const std::string_view figure = word.substr(0, word.find(' '));
    const size_t pane = figure.size() < word.size() ? size_t(word.back() - 'A') : size_t(state.scene.active);
    const auto& panes = state.report.findings.panes;
    if (pane >= panes.size()) return "…";
    const PaneReport& report = panes[pane];
    if (figure == "time") return time_words(report);
    if (!report.metrics) return "…";
    if (figure == "ssim") return fmt::format("{:.4f}", report.metrics->ssim);
    if (figure == "rms") return fmt::format("{:.3g}", report.metrics->rmse);
    return fine_psnr_text(report.metrics->psnr) + "\u00a0dB";
}

std::vector<TextBlock> with_live_texts(std::span<const TextBlock> blocks, const AppState& state) {
    std::vector<TextBlock> texts(blocks.begin(), blocks.end());
    for (TextBlock& block : texts)
        for (TextSpan& span : block.spans)
            if (span.style == TextSpan::Style::live) span = {TextSpan::Style::bold, live_text(state, span.text)};
    return texts;
}

// Replies.

std::string answer_key(const Lesson& lesson, int step) { return fmt::format("{}#{}", lesson.name, step + 1); }

std::string results_text(const Preferences& kept) {
    std::string rows;
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            const auto found = kept.answered.find(answer_key(lesson, int(i)));
            if (found == kept.answered.end()) continue;
            const std::string replies =
                found->second > 0 ? std::to_string(found->second) : fmt::format("not yet, after {}", -found->second);
            rows += fmt::format("{}\t{}\t{}\t{}\n", lesson.title, i + 1, plain_text(lesson.steps[i].question), replies);
        }
    return rows.empty() ? rows : "lesson\tstep\tquestion\treplies up to the right one\n" + rows;
}

namespace {

// Only the first right reply ends the counting of tries.
void count_reply(AppState& state, bool right) {
    const LessonState& now = state.lesson;
    if (!now.lesson->path.empty() && now.lesson->name.empty()) return;
    int& replies = state.ui.answered[answer_key(*now.lesson, now.step)];
    if (replies <= 0) replies = right ? 1 - replies : replies - 1;
}

void take_reply(AppState& state, int index, bool right) {
    LessonState& now = state.lesson;
    now.replied = true;
    now.chosen = index;
    count_reply(state, right);
    if (right && !now.answer) toggle_answer(state);
}

}  // namespace

void choose_reply(AppState& state, int index) {
    const LessonStep& step = *current_step(state.lesson);
    if (index >= 0 && size_t(index) < step.replies.size()) take_reply(state, index, step.replies[size_t(index)].right);
}

void type_reply(AppState& state, const std::string& text) {
    const LessonStep& step = *current_step(state.lesson);
    LessonState& now = state.lesson;
    now.typed = text;
    const std::optional<double> number = typed_number(text);
    if (!number) {
        now.replied = false;
        return;
    }
    int found = -1;
    for (size_t i = 0; i < step.replies.size() && found < 0; ++i)
        if (std::abs(*number - step.replies[i].value) <= step.replies[i].tolerance) found = int(i);
    take_reply(state, found, found >= 0 && step.replies[size_t(found)].right);
}

void toggle_answer(AppState& state) {
    LessonState& now = state.lesson;
    now.answer = !now.answer;
    if (current_step(now)->answer_state) state.tasks.push_back(task::ShowStep{now.step, true});
}

}  // namespace texelscope
