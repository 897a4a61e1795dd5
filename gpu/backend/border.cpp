#include "gpu/backend/border.h"

#include <algorithm>

#include "gpu/backend/source_state.h"
#include "gpu/core/colour.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

BorderPixel border_pixel(const BorderValue& border, int channels, bool has_alpha, bool linear_light) {
    const int colours = channels - (has_alpha ? 1 : 0);
    const auto number = [&](int c) {
        if (c < border.count || border.count == 1) return double(border.value[std::min(c, border.count - 1)]);
        return c == colours ? 1.0 : double(border.value[border.count - 1]);
    };
    const double alpha = has_alpha ? number(colours) : 1.0;
    BorderPixel pixel;
    for (int c = 0; c < colours; ++c) pixel.v[c] = float(alpha * (linear_light ? srgb_decoded(number(c)) : number(c)));
    if (has_alpha) pixel.v[colours] = float(alpha);
    return pixel;
}

std::shared_ptr<const ResidentImage> BorderSum::ones(Resampler& backend, const Resampling& request,
                                                     bool one_dimensional) {
    if (!one_) {
        Image sample(1, 1, 1, SampleType::f32);
        *sample.row_as<float>(0) = 1;
        sample.set_one_dimensional(one_dimensional);
        one_ = backend.upload(sample);
    }
    const MethodSpec& spec = request.spec;
    const bool filtered = request.reading.prefiltered && spec.effective_prefilter().kind != Prefilter::Kind::none;
    if (!filtered) return one_;
    MethodSpec clamped = spec;
    clamped.address = {};
    return backend.prefilter(*one_, clamped);
}

void BorderSum::render(Backend& backend, const ResidentImage& source, const Resampling& request,
                       const RenderTarget& target, const Compute& compute) {
    const auto computed = [&](const ResidentImage& image, const Resampling& what, const RenderTarget& to) {
        return compute ? compute(image, what, to) : backend.resample(image, what, to);
    };
    const MethodSpec& spec = request.spec;
    const bool sums_vary = spec.method->custom && !spec.method->custom->function().file().normalise;
    if (request.border.is_zero() || kernel_of(*spec.method) || (request.derivative != Derivative::none && !sums_vary))
        return computed(source, request, target);
    const bool in_place = target.format == RenderTarget::Format::floats;
    BorderTerm term{.border = request.border};
    term.row_bytes = in_place ? target.row_bytes : size_t(request.width) * size_t(source.channels()) * sizeof(float);
    std::shared_ptr<void> values, weights;
    if (!in_place) values = unfinished_.at_least(backend, term.row_bytes * size_t(request.height));
    RenderTarget floats{in_place ? target.pixels : values.get(), term.row_bytes, RenderTarget::Format::floats, no_timer,
                        in_place ? target.image_bytes : 0};
    term.values = static_cast<const float*>(floats.pixels);
    backend.timed(target.timer, [&] {
        Resampling plain = request;
        plain.encode_srgb = false;
        computed(source, plain, floats);
        if (sums_vary) {
            plain.outside = Outside::extend;
            plain.spec.address = {};
            const size_t row_bytes = size_t(request.width) * sizeof(float);
            weights = sums_.at_least(backend, row_bytes * size_t(request.height));
            computed(*ones(backend, plain, source.one_dimensional()), plain,
                     {weights.get(), row_bytes, RenderTarget::Format::floats, no_timer});
            term.weights = static_cast<const float*>(weights.get());
        }
        backend.add_border(source, request, term,
                           {target.pixels, target.row_bytes, target.format, no_timer, target.image_bytes});
    });
}

}  // namespace texelscope
