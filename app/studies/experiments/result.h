#pragma once
// What an experiment found, as plain data: every form of report is made from it.

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/drawing/plot.h"
#include "gpu/core/image.h"

namespace texelscope {

using ResultCell = std::variant<std::monostate, std::string, double>;  // nothing, text, a number

struct ResultColumn {
    std::string name;
    std::string unit = {};  // "ms"; empty: a plain number, or text
    int digits = 3;         // significant ones that are printed, 0: as few as needed; CSV and JSON have all
};

struct ResultTable {
    std::string title = {};
    std::vector<ResultColumn> columns = {};
    std::vector<std::vector<ResultCell>> rows = {};  // as many cells as there are columns
    std::string note = {};                           // a sentence below it
};

struct ResultPicture {
    std::string title, caption;
    Image image;  // u8 × 1 or 3
};

// An expectation, and what was found.
struct Verdict {
    enum class Outcome {
        agrees,
        differs,
        open  // cannot be decided here
    };
    std::string expected = {}, found = {};  // sentences
    Outcome outcome = Outcome::open;
    std::string why = {};  // why it is expected, why the result differs, or why it cannot be decided
};

inline constexpr NamedValue<Verdict::Outcome> outcomes[] = {
    {Verdict::Outcome::agrees, "agrees"}, {Verdict::Outcome::differs, "differs"}, {Verdict::Outcome::open, "open"}};
constexpr auto& names_table(Verdict::Outcome) { return outcomes; }

struct ExperimentResult {
    std::string experiment, title, question, expectation;  // of the experiment
    std::vector<ResultTable> tables;                       // the main one first
    std::vector<Plot> plots;
    std::vector<ResultPicture> pictures;
    std::vector<Verdict> verdicts;
    std::vector<std::pair<std::string, std::string>> facts;  // machine, backend, version, options

    bool all_agree() const;  // ignoring open ones
};

// As printed in a table: this many significant digits, 0: as few as needed; "1.2e-07" if it is tiny or huge.
std::string number_text(double value, int digits);
std::string cell_text(const ResultCell& cell, const ResultColumn& column);

// "RMS (of 255)".
std::string heading(const ResultColumn& column);

// Reports of a result, in every form.

// For a terminal: tables, verdicts and facts.
std::string result_as_text(const ExperimentResult& result);

// One table: a row of headings, then the values, numbers with all their digits.
std::string table_as_csv(const ResultTable& table);

// Everything but the pictures: tables, curves, verdicts, facts. Throws Error if a file's name in it is not UTF-8.
std::string result_as_json(const ExperimentResult& result);

// One self-contained page, including plots and pictures. Well-formed as XML, too.
std::string result_as_html(const ExperimentResult& result);

// A plot as .svg, or as an image by the name's extension; the main table; the whole result. Each file is written
// completely or not at all. Throw FileError or UsageError.
void write_plot(const Plot& plot, const std::filesystem::path& path);
void write_table(const ResultTable& table, const std::filesystem::path& path);

// All of it into a folder, which is created if it does not exist: report.html, result.json, and each table (.csv), plot
// (.svg, .png) and picture (.png) under its own name.
void write_folder(const ExperimentResult& result, const std::filesystem::path& folder);

// "rms-by-turn": a title as a part of a file's name.
std::string file_stem(const std::string& title);

}  // namespace texelscope
