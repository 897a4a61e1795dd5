#include "app/files/codecs/fits_cards.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr size_t card_bytes = 80;

std::string_view without_blanks(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The value of a card; two quotes in a text stand for one.
std::string value_of(std::string_view card) {
    std::string_view text = without_blanks(card.substr(10));
    if (!text.starts_with('\'')) return std::string(without_blanks(text.substr(0, text.find('/'))));
    std::string value;
    for (size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\'' && (i + 1 == text.size() || text[++i] != '\'')) break;
        value += text[i];
    }
    value.resize(value.find_last_not_of(' ') + 1);
    return value;
}

template <class T> std::optional<T> number(std::string_view name, std::string_view word) {
    if (word.empty()) return {};
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw Error(fmt::format("the FITS is damaged: {} is '{}'", name, word.substr(0, 20)));
    return value;
}

}  // namespace

FitsCards::FitsCards(ByteSpan file, uint64_t& at) {
    const std::string_view text = text_of(file);
    bool ended = false;
    for (uint64_t card = at; !ended; card += card_bytes) {
        if (card > text.size() || text.size() - card < card_bytes) throw_truncated(text.size(), "FITS");
        const std::string_view line = text.substr(size_t(card), card_bytes);
        const std::string_view name = without_blanks(line.substr(0, 8));
        ended = name == "END";
        if (line.substr(8, 2) == "= ") values_.emplace(name, value_of(line));
        if (ended) at += (card - at) / fits_block * fits_block + fits_block;
    }
}

std::string FitsCards::text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

std::optional<int64_t> FitsCards::integer(std::string_view name) const { return number<int64_t>(name, text(name)); }

std::optional<double> FitsCards::real(std::string_view name) const {
    std::string word = text(name);
    std::replace(word.begin(), word.end(), 'D', 'E');
    return number<double>(name, word);
}

uint64_t FitsCards::count(const std::string& name) const {
    const auto value = integer(name);
    if (!value || *value < 0 || *value > int64_t(farthest_in_fits))
        throw Error(fmt::format("the FITS is damaged: {} is {}", name, value ? text(name) : "missing"));
    return uint64_t(*value);
}

}  // namespace texelscope
