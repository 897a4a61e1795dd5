#pragma once
// The words that stand on the screen without an explanation: one table for tooltips, the help window and
// docs/glossary.md.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "gpu/core/view.h"
#include "gpu/method/spec.h"

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

// Methods and warps in words.

// A method's name within a sentence: "cubic B-spline", "Catmull–Rom".
std::string name_in_text(const MethodInfo& method);

// The parameters that are not the default: " · a = −0.61"; empty if all are.
std::string parameter_words(const MethodSpec& spec);

// A label: the method with those of its settings that are not its default, "Cubic B-spline",
// "Cubic B-spline · no prefilter · hardware"; the path only if it acts.
std::string words(const MethodSpec& spec, bool with_path = true);

// In full, with the prefilter even if it is the default: "Cubic B-spline · exact prefilter".
std::string full_words(const MethodSpec& spec, bool with_path = true);

// "trilinear", "anisotropic ×8"
std::string in_words(Mip mip);

// "swirl 180°", "barrel 0.3", "ripple 4 samples"
std::string words(const Warp& warp);

}  // namespace texelscope
