// A lesson from its Markdown.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/text/text.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view headings = "use \"# \" for the lesson's title and \"## \" for that of a step";

class LessonParser {
public:
    LessonParser(std::string_view text, const std::string& file, const fs::path& folder)
        : text_(text), lines_(lines_of(text)), file_(file), folder_(folder) {
        lesson_.folder = folder;
    }

    Lesson parse() {
        if (const size_t valid = utf8_length(text_); valid < text_.size())
            complain(size_t(std::count(text_.begin(), text_.begin() + long(valid), '\n')),
                     "this is not UTF-8; save the file as UTF-8");
        for (; at_ < lines_.size(); ++at_) take_line(lines_[at_]);
        end_step();
        if (lesson_.title.empty()) complain(0, "there is no title; start with the line \"# Title of the lesson\"");
        if (lesson_.steps.empty())
            complain(lines_.size() - 1, "there is no step; start each one with \"## Title of the step\"");
        return std::move(lesson_);
    }

private:
    // A paragraph, item, note, question, answer or reply that is still being read.
    struct Open {
        std::string text;
        size_t line;
        std::function<void(const std::string& text, size_t line)> take;
        bool note = false;
    };

    // One that is still being read.
    struct Table {
        size_t line, columns;
        bool has_rows;
    };

    [[noreturn]] void complain(size_t line, const std::string& what) const {
        throw Error(fmt::format("{}:{}: {}", file_, line + 1, what));
    }

    LessonStep* step() { return lesson_.steps.empty() ? nullptr : &lesson_.steps.back(); }

    void take_line(std::string_view line) {
        if (line.starts_with("```")) return take_fence(trimmed(line.substr(3)));
        if (is_blank(line)) return end_block();
        if (!line.starts_with('|')) end_table();
        if (line.starts_with('#')) return take_heading(line);
        if (lesson_.title.empty())
            complain(at_, "there is text before the title; start with the line \"# Title of the lesson\"");
        if (line.starts_with("? ")) return begin_asking(true, line.substr(2));
        if (line.starts_with("! ")) return begin_asking(false, line.substr(2));
        if (line.starts_with("- [ ] ") || line.starts_with("- [x] "))
            return begin_choice(line.substr(6), line[3] == 'x');
        if (line.starts_with("= ")) return take_number(line.substr(2));
        if (!step() && take_head(line)) return;
        if (line.starts_with("- ")) return begin_text(TextBlock::Kind::item, line.substr(2));
        if (line.starts_with('|')) return take_row(line);
        if (line.starts_with('>')) {
            const std::string_view text = trimmed(line.substr(1));
            if (open_ && open_->note && !text.empty()) return go_on(text);
            return text.empty() ? end_block() : begin_text(TextBlock::Kind::note, text);
        }
        if (open_) return go_on(trimmed(line));
        begin_text(TextBlock::Kind::paragraph, line);
    }

    void take_heading(std::string_view line) {
        end_block();
        const size_t depth = line.find_first_not_of('#');
        const std::string title(depth == line.npos ? "" : trimmed(line.substr(depth)));
        if (depth == line.npos || depth > 2 || line[depth] != ' ' || title.empty())
            complain(at_, fmt::format("this is not a lesson heading: {}", headings));
        if (depth == 1) {
            if (!lesson_.title.empty()) complain(at_, fmt::format("the lesson already has a title: {}", headings));
            lesson_.title = title;
            return;
        }
        if (lesson_.title.empty())
            complain(at_, "there is a step before the title; start with the line \"# Title of the lesson\"");
        end_step();
        LessonStep next;
        next.line = int(at_) + 1;
        next.title = title;
        lesson_.steps.push_back(std::move(next));
    }

    void begin(TextBlock::Kind kind, std::vector<TextBlock>& into, std::string_view text) {
        end_block();
        const auto take = [this, kind, &into](const std::string& all, size_t line) {
            into.push_back({kind, spans_of(all, line)});
        };
        open_ = Open{std::string(trimmed(text)), at_, take, kind == TextBlock::Kind::note};
    }

    void begin_text(TextBlock::Kind kind, std::string_view text) {
        begin(kind, step() ? step()->text : lesson_.summary, text);
    }

    // A table's heading, the line below it, or a row.
    void take_row(std::string_view line) {
        const bool first = !table_;
        if (first) {
            end_block();
            table_ = Table{at_, 0, false};
        }
        const std::vector<std::string> cells = in_line(at_, [&] { return cells_of(line); });
        const auto is_rule = [](const std::string& cell) {
            return cell.size() >= 3 && cell.find_first_not_of('-') == cell.npos;
        };
        const bool rule = std::ranges::all_of(cells, is_rule);
        if (first) table_->columns = cells.size();
        if (rule != (at_ == table_->line + 1))
            complain(at_, "a table is a heading, \"| a | b |\", below it \"| --- | --- |\", and then its rows");
        if (cells.size() != table_->columns)
            complain(at_, fmt::format("this row has {} cells and the table's heading {}; write \\| for a literal bar",
                                      cells.size(), table_->columns));
        if (rule) return;
        table_->has_rows = !first;
        auto& into = step() ? step()->text : lesson_.summary;
        const auto kind = first ? TextBlock::Kind::heading_cell : TextBlock::Kind::cell;
        for (size_t i = 0; i < cells.size(); ++i) {
            into.push_back({kind, spans_of(cells[i], at_), int(i), int(cells.size())});
            for (TextSpan& span : into.back().spans)
                if (first && span.style == TextSpan::Style::plain) span.style = TextSpan::Style::bold;
        }
    }

    void end_table() {
        if (const auto table = std::exchange(table_, {}); table && !table->has_rows)
            complain(table->line,
                     "this table has no row; write \"| --- | --- |\" below its heading, and rows below that");
    }

    void begin_asking(bool question, std::string_view text) {
        if (!step()) complain(at_, "a question must be inside a step; start one with \"## Title of the step\"");
        end_block();
        auto& into = question ? step()->question : step()->answer;
        if (!into.empty())
            complain(at_, question ? "this step already has a question; only one is allowed"
                                   : "this question already has an answer");
        if (!question && step()->question.empty())
            complain(at_, "this answer has no question; write one before it, as \"? The question\"");
        begin(TextBlock::Kind::paragraph, into, text);
    }

    // The step, whose question a reply belongs to.
    LessonStep& asking_step(bool typed) {
        end_block();
        if (!step() || step()->question.empty() || !step()->answer.empty())
            complain(at_, "this reply has no question; write it between \"? The question\" and \"! The answer\"");
        if (!step()->replies.empty() && step()->typed != typed)
            complain(at_, "a question has either choices, \"- [ ] text\", or numbers, \"= 1.5\"");
        step()->typed = typed;
        return *step();
    }

    void begin_choice(std::string_view text, bool right) {
        LessonStep& asking = asking_step(false);
        const auto take = [this, &asking, right](const std::string& all, size_t line) {
            const size_t bar = all.find(" | ");
            LessonReply reply;
            reply.text = spans_of(all.substr(0, bar), line);
            reply.right = right;
            if (bar != all.npos) reply.hint = spans_of(all.substr(bar + 3), line);
            if (right && !reply.hint.empty())
                complain(line, "the right choice needs no hint: the answer is shown then");
            asking.replies.push_back(std::move(reply));
        };
        open_ = Open{std::string(trimmed(text)), at_, take};
    }

    // "7.4 ± 0.1 %", the right one; then "14.8 | a hint".
    void take_number(std::string_view text) {
        LessonStep& asking = asking_step(true);
        const double tolerance = asking.replies.empty() ? 0 : asking.replies[0].tolerance;
        asking.replies.push_back(in_line(at_, [&] { return parse_number(text, asking.replies.empty(), tolerance); }));
    }

    // A line of the lesson's head, as "Goal: …".
    bool take_head(std::string_view line) {
        const auto value_of = [&](std::string_view key) -> std::optional<std::string_view> {
            if (!line.starts_with(key)) return {};
            const std::string_view value = trimmed(line.substr(key.size()));
            if (value.empty()) complain(at_, fmt::format("nothing follows \"{}\"", key));
            return value;
        };
        const auto minutes = value_of("Minutes:"), part = value_of("Part:"), goal = value_of("Goal:"),
                   after = value_of("After:"), source = value_of("Source:");
        if (!(minutes || part || goal || after || source)) return false;
        end_block();
        if (part) lesson_.part = *part;
        if (goal) lesson_.goal = *goal;
        if (source) lesson_.sources.push_back(spans_of(std::string(*source), at_));
        if (minutes) {
            const std::optional<double> number = number_in(*minutes);
            if (!number || !(*number >= 1 && *number <= 1000)) complain(at_, "minutes are a number from 1 to 1000");
            lesson_.minutes = int(*number);
        }
        for (std::string_view names = after.value_or(""); !names.empty();) {
            const size_t end = std::min(names.find(','), names.size());
            if (const std::string_view name = trimmed(names.substr(0, end)); !name.empty())
                lesson_.after.emplace_back(name);
            names.remove_prefix(std::min(end + 1, names.size()));
        }
        return true;
    }

    void go_on(std::string_view text) { open_->text += fmt::format(" {}", text); }

    void end_block() {
        end_table();
        if (!open_) return;
        const Open block = *std::exchange(open_, {});
        block.take(block.text, block.line);
    }

    void end_step() {
        end_block();
        if (!step()) return;
        if (step()->text.empty())
            complain(size_t(step()->line) - 1, "this step has no text; add a paragraph below its title");
        if (!step()->question.empty() && step()->answer.empty())
            complain(size_t(step()->line) - 1,
                     "the question of this step has no answer; write one below it, as \"! The answer\"");
        const auto right = std::ranges::count(step()->replies, true, &LessonReply::right);
        if (!step()->replies.empty() && right != 1)
            complain(size_t(step()->line) - 1,
                     "of this step's choices, one must be right: \"- [x] text\"; the others are \"- [ ] text | hint\"");
        if (!step()->sliders.empty() && step()->state.json.empty())
            complain(size_t(step()->line) - 1,
                     "the sliders of this step need a state whose numbers they set, as {name}");
        check_live_words();
        read_state(step()->state);
        read_state(step()->answer_state);
    }

    // That live words name sliders of the step, or figures.
    void check_live_words() const {
        const LessonStep& last = lesson_.steps.back();
        for (const auto* blocks : {&last.text, &last.question, &last.answer})
            for (const TextBlock& block : *blocks)
                for (const TextSpan& span : block.spans) {
                    if (span.style != TextSpan::Style::live) continue;
                    if (std::ranges::count(last.sliders, span.text, &LessonSlider::name) > 0 ||
                        is_live_figure(span.text))
                        continue;
                    complain(
                        size_t(last.line) - 1,
                        fmt::format("{{{}}} is neither a slider of this step nor one of {{psnr}}, {{ssim}}, {{rms}}, "
                                    "{{time}}, also as {{psnr B}}; write \\{{ for a literal brace",
                                    span.text));
                }
    }

    void take_fence(std::string_view kind) {
        end_block();
        const size_t first = at_ + 1;
        if (kind != "state" && kind != "source" && kind != "sliders")
            complain(at_, fmt::format("a block must be ```state, ```sliders or ```source, not ```{}", kind));
        if (!step()) complain(at_, "a block must be inside a step; start one with \"## Title of the step\"");
        while (++at_ < lines_.size() && trimmed(lines_[at_]) != "```") {}
        if (at_ >= lines_.size()) complain(first - 1, "this block is not closed; end it with a line of ```");
        if (kind == "state") take_state(first);
        else if (kind == "sliders") take_sliders(first);
        else take_sources(first);
    }

    // Read at the step's end, when its sliders are known.
    void take_state(size_t first) {
        const bool second = !step()->state.json.empty();
        StepState& state = second ? step()->answer_state : step()->state;
        if (!state.json.empty() || (second && step()->answer.empty()))
            complain(first - 1, "this step already has a state; only one is allowed, and one more below its answer");
        for (size_t i = first; i < at_; ++i) try {
                state.json += (folder_.empty() ? std::string(lines_[i]) : with_method_texts(lines_[i], folder_)) + "\n";
            } catch (const Error& error) {
                complain(i, error.what());
            }
        if (state.json.empty()) state.json = "\n";
        state.line = int(first) + 1;
    }

    // With the sliders at their first values, after trying each at both of its ends.
    void read_state(StepState& state) {
        if (state.json.empty()) return;
        const std::vector<LessonSlider>& sliders = step()->sliders;
        std::vector<double> values = first_values(*step(), nullptr, {});
        const auto read = [&] {
            try {
                return session_of_state(lesson_, *step(), state, values);
            } catch (const StepError& error) {
                complain(size_t(state.line + error.line) - 2, error.what());
            }
        };
        state.session = std::make_shared<const Session>(read());
        const bool any_picture = std::ranges::any_of(sliders, [](const auto& each) { return !each.picture.empty(); });
        if (any_picture && state.session->scene.reference.kind == Reference::Kind::truth)
            complain(size_t(state.line) - 2,
                     "a picture of the reader's has no formula: take another reference than \"truth\"");
        for (size_t i = 0; i < sliders.size(); ++i) {
            if (!sliders[i].picture.empty()) continue;
            for (const double end : {sliders[i].low, sliders[i].high}) values[i] = end, read();
            values[i] = sliders[i].first;
        }
    }

    // Lines such as "a = -0.5 from -1 to 0", "turns = 3 from 1 to 36 by 1", "s = 1 from 1 to 4, kept".
    void take_sliders(size_t first) {
        const size_t before = step()->sliders.size();
        for (size_t i = first; i < at_; ++i)
            if (!is_blank(lines_[i])) take_slider(trimmed(lines_[i]), i);
        if (step()->sliders.size() == before)
            complain(first - 1, "this block has no slider; write \"a = -0.5 from -1 to 0\" in it");
    }

    void take_slider(std::string_view text, size_t line) {
        LessonSlider slider = in_line(line, [&] { return parse_slider(text); });
        if (std::ranges::count(step()->sliders, slider.name, &LessonSlider::name) > 0 || is_live_figure(slider.name))
            complain(line, fmt::format("{{{}}} has a meaning already; choose another name", slider.name));
        step()->sliders.push_back(std::move(slider));
    }

    void take_sources(size_t first) {
        const size_t before = step()->sources.size();
        for (size_t i = first; i < at_; ++i) try {
                const std::string_view line = trimmed(lines_[i]);
                if (line.starts_with("> ") && step()->sources.size() > before)
                    mark_lines(step()->sources.back(), trimmed(line.substr(2)));
                else if (!line.empty()) step()->sources.push_back(find_source_piece(line));
            } catch (const Error& error) {
                complain(i, error.what());
            }
        if (step()->sources.size() == before)
            complain(first - 1, "this block does not name a source; write \"FILE: NAME\" in it");
    }

    std::vector<TextSpan> spans_of(const std::string& text, size_t line) const {
        return in_line(line, [&] { return parse_spans(text); });
    }

    // What `parse` returns; its errors are those of the line.
    template <class Parse> auto in_line(size_t line, const Parse& parse) const -> decltype(parse()) {
        try {
            return parse();
        } catch (const Error& error) {
            complain(line, error.what());
        }
    }

    std::string_view text_;
    std::vector<std::string_view> lines_;
    const std::string& file_;
    const fs::path& folder_;
    size_t at_ = 0;
    std::optional<Open> open_;
    std::optional<Table> table_;
    Lesson lesson_;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const std::string& file, const fs::path& folder) {
    if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    Lesson lesson = LessonParser(text, file, folder).parse();
    lesson.name = lesson_name(fs::path(file).filename().string());
    return lesson;
}

}  // namespace texelscope
