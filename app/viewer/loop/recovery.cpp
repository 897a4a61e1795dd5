#include "app/viewer/loop/recovery.h"

#include <fmt/format.h>

namespace texelscope {
namespace {

std::string name_of_computer(const BackendInfo& info) {
    return info.kind == BackendKind::cpu ? "the CPU"
                                         : fmt::format("{} (CUDA device {})", info.device, info.device_index);
}

}  // namespace

bool Recovery::may_try_again(int device, double now, std::string_view why) {
    Losses& losses = losses_[device];
    const bool soon = losses.count > 0 && now - losses.last < soon_lost_seconds;
    losses = {losses.count + 1, now};
    if (!soon && losses.count < most_losses) return true;
    avoid(device, fmt::format("it stopped answering{} ({})", losses.count > 1 ? " again" : "", last_words(why)));
    return false;
}

void Recovery::avoid(int device, std::string_view why) { avoided_.push_back({device, std::string(why)}); }

std::string last_words(std::string_view error) {
    const size_t colon = error.rfind(": ");
    return std::string(colon == error.npos ? error : error.substr(colon + 2));
}

std::string lost_message(std::string_view error, const BackendInfo& before, const BackendInfo& now) {
    const bool same =
        before.kind == now.kind && now.kind == BackendKind::cuda && before.device_index == now.device_index;
    return fmt::format("The GPU stopped answering ({}); {}.", last_words(error),
                       same ? "it was started again" : "the pictures are now computed by " + name_of_computer(now));
}

std::string no_room_message(std::string_view error, const BackendInfo& now) {
    return fmt::format("The GPU has too little memory for this picture ({}); it is computed by {}.", error,
                       name_of_computer(now));
}

}  // namespace texelscope
