#include <algorithm>
#include <memory>

#include "gpu/method/method_check.h"
#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

// Filled by static objects of other files, so it must exist at first use.
std::vector<std::unique_ptr<const MethodInfo>>& records() {
    static std::vector<std::unique_ptr<const MethodInfo>> all;
    return all;
}

}  // namespace

RegisterMethod::RegisterMethod(MethodInfo info) {
    check_method(info);  // an exception ends the program before main, with the message
    records().push_back(std::make_unique<const MethodInfo>(std::move(info)));
}

MethodParameters MethodInfo::standard_parameters() const {
    MethodParameters result;
    for (size_t i = 0; i < parameters.size(); ++i) result.value[i] = parameters[i].standard;
    return result;
}

std::span<const MethodInfo* const> all_methods() {
    static const std::vector<const MethodInfo*> by_rank = [] {
        std::vector<const MethodInfo*> result;
        for (const auto& record : records()) result.push_back(record.get());
        std::sort(result.begin(), result.end(), [](auto* a, auto* b) { return a->rank < b->rank; });
        return result;
    }();
    return by_rank;
}

const MethodInfo* find_method(std::string_view id) {
    for (const MethodInfo* method : all_methods())
        if (method->id == id) return method;
    return nullptr;
}

}  // namespace texelscope
