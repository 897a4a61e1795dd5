#pragma once
// A request of a live view with what it reads. For the sources of LiveWindows only.

#include "gpu/tiles/live_windows.h"

namespace texelscope {

struct LiveWindows::Reading {
    Reading(const PlannedRequest& of, const ImageInfo& info, Light light)
        : planned(of),
          border(border_of(info, of.resampling.spec.address, light)),
          blocks(planned, info, light == Light::linear, !border.is_zero()),
          all(blocks.of(blocks.all())) {}

    const PlannedRequest& planned;
    BorderPixel border;
    BlockWindows blocks;
    BlockWindow all;

    const Resampling& request() const { return planned.resampling; }
    Level level() const { return request().reading.level; }
    SourceKey key() const { return key_of(request()); }

    static BorderPixel border_of(const ImageInfo& info, const AddressPair& address, Light light) {
        if (!address.has_border()) return {};
        return border_pixel(address.border, info.channels, info.alpha != Alpha::none, light == Light::linear);
    }
};

}  // namespace texelscope
