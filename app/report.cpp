#include "app/report.h"

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {

Latency latency_of(const FrameHistory& history) {
    Latency latency;
    std::vector<double> all;
    for (int i = 0; i < history.count; ++i)
        if (const double ms = history.at(i).latency; ms > 0) all.push_back(ms);
    if (all.empty()) return latency;
    latency.last = all.back();
    latency.frames = int(all.size());
    const auto middle = all.begin() + long(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    latency.median = *middle;
    if (all.size() % 2 == 0) latency.median = (latency.median + *std::max_element(all.begin(), middle)) / 2;
    return latency;
}

std::string latency_words(const Latency& latency) {
    const char* meaning = "from the oldest mouse or key event that a picture answers, as the program hears of it, until "
                          "the picture was handed to the display";
    if (latency.frames == 0) return fmt::format("Latency, {}: none measured yet.", meaning);
    return fmt::format("Latency, {}:\n{:.2f} ms; median {:.2f} ms of the last {}.", meaning, latency.last,
                       latency.median, latency.frames);
}

}  // namespace texelscope
