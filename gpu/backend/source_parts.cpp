#include "gpu/backend/source_parts.h"

namespace texelscope {

SourceKey level_key(Level level, const AddressPair& address) { return {level, {}, {Prefilter::Kind::none}, address}; }

SourceKey coefficients_key(Level level, const MethodSpec& spec) {
    return {level, spec.inverse_filter(), spec.prefilter, spec.address};
}

SourceKey key_of(const Resampling& resampling) {
    const MethodSpec& spec = resampling.spec;
    const bool filtered = resampling.reading.prefiltered && spec.effective_prefilter().kind != Prefilter::Kind::none;
    return filtered ? coefficients_key(resampling.reading.level, spec)
                    : level_key(resampling.reading.level, spec.address);
}

Reduction last_step_to(Level level) { return {level.x > 0 && level.x >= level.y, level.y > 0 && level.y >= level.x}; }

Level before(Level level) {
    const Reduction axes = last_step_to(level);
    return {level.x - axes.x, level.y - axes.y};
}

double samples_of(Level level, const ResidentImage& image) {
    return double(halved(image.width(), level.x)) * double(halved(image.height(), level.y)) * image.channels();
}

}  // namespace texelscope
