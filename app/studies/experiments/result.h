#pragma once
// What an experiment found, as plain data: every form of report is made from it.

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

}  // namespace texelscope
