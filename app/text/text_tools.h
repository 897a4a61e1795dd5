#pragma once
// Columns of text in a terminal.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

// Columns that a UTF-8 text takes in a terminal, one per character; and the text padded with blanks to that many.
size_t columns_of(std::string_view text);
std::string padded(std::string_view text, size_t columns);

using TextRow = std::vector<std::string>;

// Rows with equally many cells, columns two blanks apart; all but the first `left` right-aligned.
std::string aligned(const std::vector<TextRow>& rows, size_t left);

// Columns of numbers beside each other: how wide they are, and as many decimals as there is room for.

// "−0.5", "0.5"; "nan" and "inf" for what is not finite.
std::string signed_number(double value, int decimals);

struct NumberColumn {
    int least = 1;                 // characters that it takes in any case: its heading, or text in it
    int decimals = 0, fewest = 0;  // of its numbers, and how few will do
    double low = 0, high = 0;      // of its numbers

    void take(double value);
    int characters() const;
};

int characters_of(std::span<const NumberColumn> columns);

// Takes decimals away from the widest, until all columns together have at most so many characters or none can lose
// any more.
void fit_decimals(std::span<NumberColumn> columns, int characters);

// Words between tags, or as the value of an attribute, of XML and HTML.
std::string escaped(std::string_view text);

// Finding what has been typed.

// Ignores the case of ASCII letters. Every text contains an empty needle.
bool contains_ignoring_case(std::string_view text, std::string_view needle);

}  // namespace texelscope
