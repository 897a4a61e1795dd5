#include "app/viewer/loop/spectrum_pictures.h"

#include <algorithm>

#include "app/picture/inspect/spectrum.h"
#include "app/viewer/loop/interface_texture.h"

namespace texelscope {

bool SpectrumPictures::fill(AppState& state) {
    SpectrumReport& report = state.report.findings.spectrum;
    if (report.of.empty() || !report.of.front().spectrum) {
        for (Entry& entry : entries_) entry.drawn = {};
        return false;
    }
    const double reach = spectrum_reach(report, state.ui.inspect.spectrum_reach),
                 top = report.of.front().spectrum->largest();
    const int side = std::clamp(state.ui.spectrum_side, 16, 2048);
    bool changed = false;
    if (entries_.size() < report.of.size()) entries_.resize(report.of.size());
    for (size_t i = 0; i < report.of.size(); ++i) {
        SpectrumReport::Shown& shown = report.of[i];
        Entry& entry = entries_[i];
        if (!shown.spectrum) {
            shown.picture = {};
            continue;
        }
        if (Drawn now{shown.spectrum, reach, top, side}; entry.drawn != now) {
            const bool repeats = shown.pane == SpectrumReport::Shown::samples;
            entry.picture = upload(entry.texture, spectrum_picture(*shown.spectrum, reach, side, top, repeats), true);
            entry.drawn = std::move(now);
            changed = true;
        }
        shown.picture = entry.picture;
    }
    return changed;
}

}  // namespace texelscope
