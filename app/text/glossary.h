#pragma once
// The words that stand on the screen without an explanation: one table for tooltips, the help window and
// docs/glossary.md.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace texelscope {

struct GlossaryEntry {
    std::string_view term;
    std::string_view also;     // other spellings, separated by commas; empty: none
    std::string_view meaning;  // whole sentences
};

// In alphabetical order.
std::span<const GlossaryEntry> glossary();

// The entry for a word as it stands in a heading, a label or a list: "PSNR (dB)", "Taps", "iir". Null if there is none.
const GlossaryEntry* find_term(std::string_view word);

// A tooltip, followed by what these words in it mean; each must be in the glossary.
std::string with_terms(std::string_view tip, std::initializer_list<std::string_view> words);

// docs/glossary.md.
std::string glossary_page();

}  // namespace texelscope
