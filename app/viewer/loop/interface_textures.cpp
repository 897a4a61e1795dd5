#include "app/viewer/loop/thumbnails.h"

#include <algorithm>

#include "app/picture/inspect/spectrum.h"

namespace texelscope {
namespace {

int64_t uploads = 0;

}  // namespace

int64_t upload_count() { return uploads; }

InterfacePicture upload(gl::Texture& texture, const Image& image, bool pixels) {
    ++uploads;
    if (!texture) texture = gl::Texture::create();
    const bool grey = image.channels() == 1, alpha = image.channels() == 4;
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0,
                 grey    ? GL_R8
                 : alpha ? GL_RGBA8
                         : GL_RGB8,
                 image.width(), image.height(), 0,
                 grey    ? GL_RED
                 : alpha ? GL_RGBA
                         : GL_RGB,
                 GL_UNSIGNED_BYTE, image.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, pixels ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const GLint second = grey ? GL_RED : GL_GREEN, third = grey ? GL_RED : GL_BLUE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, second);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, third);
    glBindTexture(GL_TEXTURE_2D, 0);
    return {texture.name(), image.width(), image.height()};
}

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
