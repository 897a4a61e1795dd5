#pragma once
// Recovery from a GPU that stops for good while the program runs: it may be retried once, then the next rung follows.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend/device_choice.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

class Recovery {
public:
    // The device was lost at `now`, seconds. True: it may be started again. False: it was also lost shortly before, or
    // for the third time, and is avoided from now on.
    bool may_try_again(int device, double now, std::string_view why);

    // Stops using it.
    void avoid(int device, std::string_view why);

    const std::vector<AvoidedDevice>& avoided() const { return avoided_; }

private:
    struct Losses {
        int count = 0;
        double last = 0;
    };
    std::map<int, Losses> losses_;  // by device
    std::vector<AvoidedDevice> avoided_;
};

inline constexpr double soon_lost_seconds = 20;
inline constexpr int most_losses = 3;

// CUDA's own words at the end of an error's text: "an illegal memory access was encountered".
std::string last_words(std::string_view error);

// One line for the user: what happened, and which device computes from now on.
std::string lost_message(std::string_view error, const BackendInfo& before, const BackendInfo& now);
std::string no_room_message(std::string_view error, const BackendInfo& now);

}  // namespace texelscope
