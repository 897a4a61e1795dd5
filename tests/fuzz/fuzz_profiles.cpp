// Arbitrary bytes as a colour profile, and as a question about one: what a decoder does with Little CMS. Each must give
// finite numbers, of as many as its kind has, or a sentence; a question may throw Error.

#include <algorithm>
#include <cmath>

#include "app/files/colour/icc_conversion.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/encoded_files.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

ColourProfile profile_of(ByteSpan icc) {
    ColourProfile profile;
    profile.icc.assign(icc.begin(), icc.end());
    return profile;
}

bool conversion(ByteSpan bytes, int channels) {
    const ProfileConversion made = make_conversion(profile_of(bytes), channels, {});
    if (made.values.size() != ColourConversion::value_count(made.conversion.kind)) __builtin_trap();
    if (!std::ranges::all_of(made.values, [](float v) { return std::isfinite(v); })) __builtin_trap();
    if (!made.problem.empty() && made.conversion.kind != ColourConversion::Kind::none) __builtin_trap();
    return made.problem.empty();
}

// The profile of four inks.
void inks(ByteSpan icc) {
    const ColourProfile profile = profile_of(icc);
    const uint8_t in[8] = {0, 50, 100, 200, 255, 255, 255, 255};
    uint8_t out[6] = {};
    for (const bool inverted : {false, true}) Inks(&profile, inverted).to_srgb(in, out, 2);
}

// The profile in the header of a JPEG of four inks.
void rows(ByteSpan icc) {
    if (icc.size() > 60000) return;
    const std::string mark = "ICC_PROFILE\0\1\1"s;
    const std::string file = "\xff\xd8\xff\xe2" + test::big16(uint32_t(2 + mark.size() + icc.size())) + mark +
                             std::string(text_of(icc)) + "\xff\xc0\0\x14\x08\0\1\0\1\4"s + std::string(12, '\1') +
                             "\xff\xda";
    colour_rows(test::span_of(file));
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) {
    const int count = conversion(bytes, 1) + conversion(bytes, 3);
    inks(bytes);
    rows(bytes);
    fuzz::accepts([&] { answer_profile_question(bytes); });
    fuzz::accepts([&] { name_of_screen({bytes.begin(), bytes.end()}); });
    return count;
}

// Tables take long: one that is damaged is worth the time, ten thousand of them are not (see driver.cpp).
std::vector<std::string> fuzz::seeds() {
    const auto text = [](const std::vector<std::byte>& bytes) { return std::string(text_of(bytes)); };
    return {text(test::bytes_of(test::adobe_like_profile().get())),
            text(test::bytes_of(test::grey_profile(2.2).get()))};
}

FUZZ_TARGET
