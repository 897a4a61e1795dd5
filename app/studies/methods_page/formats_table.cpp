#include "app/studies/methods_page/formats_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

constexpr std::string_view begin = "<!-- formats: begin; written by make_methods_page from app/files/codecs -->\n",
                           end = "<!-- formats: end -->\n";

std::string words_of_extensions(std::string_view extensions) {
    std::string words = ".";
    for (const char letter : extensions) words += letter == ' ' ? std::string(" .") : std::string(1, letter);
    return words;
}

std::string words_of_types(unsigned types) {
    std::vector<std::string_view> names;
    for (int type = 0; type <= int(SampleType::f64); ++type)
        if (types & bit_of(SampleType(type))) names.push_back(name_of(SampleType(type)));
    return names.empty() ? "–" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string with_formats_table(std::string_view page) {
    const size_t from = page.find(begin), to = page.find(end);
    if (from == page.npos || to == page.npos || to < from)
        throw Error("the page has no marks for the table of formats");
    std::string table =
        "\n| format | names | what is read | written as | channels |\n| --- | --- | --- | --- | --- |\n";
    for (const Codec* codec : codecs()) {
        const auto& [types, channels] = std::pair(codec->writing.types, codec->writing.channels);
        table += fmt::format("| {} | {} | {} | {} | {} |\n", codec->name, words_of_extensions(codec->extensions),
                             codec->samples, words_of_types(types), fmt::join(channels, ", "));
    }
    return fmt::format("{}{}\n{}", page.substr(0, from + begin.size()), table, page.substr(to));
}

}  // namespace texelscope
