#include "app/viewer/loop/first_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace texelscope {

void FirstUse::begin(bool compiled_by_driver) {
    compiled_by_driver_ = compiled_by_driver;
    used_.clear();
}

std::string FirstUse::announce(const FramePlan& plan) {
    if (!compiled_by_driver_) return "";
    std::vector<std::string_view> names;
    for (const PlacedPicture& item : plan.pictures)
        for (const Rendition* each : {&item.picture.shown, item.picture.against ? &*item.picture.against : nullptr})
            if (each && used_.insert(each->request.spec.method).second)
                names.push_back(each->request.spec.method->name);
    if (names.empty()) return "";
    return fmt::format("The GPU driver compiles {} for this GPU, which can take ten seconds; the result is cached.",
                       fmt::join(names, ", "));
}

}  // namespace texelscope
