#include "app/cli/command_table.h"

#include <algorithm>

#include "app/files/test_images/test_images.h"
#include "gpu/core/address.h"
#include "gpu/method/method_info.h"
#include "gpu/method/paths.h"

namespace texelscope {
namespace {

bool plain_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == text.npos;
}

}  // namespace

std::vector<std::string> words_for(const OptionText& option) {
    std::vector<std::string> words;
    if (option.value == "PATH") {
        for (const FetchPath path : all_fetch_paths) words.emplace_back(name_of(path));
    } else if (option.value == "MODE[,MODE]") {
        for (const AddressMode mode : all_address_modes) words.emplace_back(name_of(mode));
    } else if (option.value == "IMAGE" || option.value == "IN") {
        for (const TestImage& image : test_images()) words.push_back("@" + std::string(image.id));
    } else {
        std::string_view rest = option.value;
        const bool several = rest.find('|') != rest.npos;
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find('|'));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            if (word.starts_with("SPEC"))
                for (const MethodInfo* method : all_methods()) words.emplace_back(method->id);
            else if (several && plain_word(word)) words.emplace_back(word);
        }
    }
    return words;
}

std::string first_words(std::string_view description) {
    const size_t end = std::min({description.find(';'), description.find(": "), description.find(". "),
                                 description.find(" ("), description.find(", as ")});
    std::string words(description.substr(0, end));
    if (words.ends_with('.')) words.pop_back();
    return words;
}

}  // namespace texelscope
