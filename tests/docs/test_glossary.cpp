// The words of the window are explained, in the program and in docs/glossary.md alike.

#include "app/text/glossary.h"

#include <set>

#include <gtest/gtest.h>

#include "gpu/backend/backend.h"
#include "gpu/core/ascii.h"
#include "gpu/core/errors.h"
#include "gpu/method/paths.h"
#include "tests/docs/markdown.h"

namespace texelscope::test {
namespace {

TEST(Glossary, PageIsWhatTheProgramSays) {
    EXPECT_TRUE(read_text(docs_folder() / "glossary.md") == glossary_page())
        << "glossary.md is stale; build make_methods_page and run it from the project's root";
}

TEST(Glossary, TermsAreInOrderAndSaidInWholeSentences) {
    std::string before;
    for (const GlossaryEntry& entry : glossary()) {
        const std::string term = lower_case(std::string(entry.term));
        EXPECT_LT(before, term);
        before = term;
        EXPECT_TRUE(entry.meaning.ends_with('.')) << term;
        EXPECT_EQ(find_term(entry.term), &entry) << term << " is found as another";
    }
}

TEST(Glossary, HasTheWordsThatLabelsAndTablesUse) {
    for (const char* word : {"prefilter", "taps",         "fetches",    "path",
                             "iir",       "fir",          "RMSE",       "PSNR (dB)",
                             "SSIM",      "ΔE",           "ΔE2000",     "Reference",
                             "antialias", "address mode", "Nyquist",    "weight function",
                             "kernel",    "Coefficients", "code value", "linear light"})
        EXPECT_NE(find_term(word), nullptr) << word;
    for (const FetchPath path : all_fetch_paths) EXPECT_NE(find_term(name_of(path)), nullptr) << name_of(path);
    for (const AddressMode mode : all_address_modes) EXPECT_NE(find_term(name_of(mode)), nullptr) << name_of(mode);
    EXPECT_EQ(find_term("PSNR"), find_term("psnr (dB)"));
    EXPECT_EQ(find_term("bicubix"), nullptr);
    EXPECT_EQ(find_term(""), nullptr);
}

TEST(Glossary, ATooltipIsFollowedByWhatItsWordsMean) {
    const std::string tip = with_terms("Prefer this.", {"tap", "fetch"});
    EXPECT_TRUE(tip.starts_with("Prefer this.\n\ntap: One sample"));
    EXPECT_NE(tip.find("\n\nfetch: One read"), tip.npos);
    EXPECT_THROW(with_terms("", {"bicubix"}), Error);
}

}  // namespace
}  // namespace texelscope::test
