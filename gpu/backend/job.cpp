#include "gpu/backend/job.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace texelscope {

Image resident_form(const Image& image) {
    Image source = premultiplied(image);
    if (source.channels() != 3) return source;
    Image padded(source.width(), source.height(), 4, source.type());
    const size_t sample = size_t(bytes_per_sample(source.type()));
    for (int y = 0; y < source.height(); ++y)
        for (size_t x = 0; x < size_t(source.width()); ++x)
            std::memcpy(padded.row(y) + x * 4 * sample, source.row(y) + x * 3 * sample, 3 * sample);
    return padded;
}

TexelArray coefficient_array(int width, int height, int channels, const AddressPair& address) {
    TexelArray a;
    a.type = SampleType::f32;
    a.channels = resident_channels(channels);
    a.width = width;
    a.height = height;
    a.margin_x = margin_for(address.x);
    a.margin_y = margin_for(address.y);
    a.row_bytes = (size_t(width) + 2 * size_t(a.margin_x)) * size_t(a.channels) * sizeof(float);
    a.address = {coefficient_address(address.x), coefficient_address(address.y)};
    return a;
}

ResampleJob job_for(const ResidentImage& image, const TexelArray& texels, const RenderRequest& request,
                    const RenderTarget& target) {
    const View& view = request.view;
    if (request.width < 1 || request.height < 1)
        throw Error(fmt::format("cannot render {}×{} pixels: each side must be at least 1", request.width, request.height));
    if (!std::isfinite(view.translate_x) || !std::isfinite(view.translate_y) || !std::isfinite(view.rotate) ||
        !std::isfinite(view.scale) || !(view.scale > 0))
        throw Error("the view's translation, rotation and scale must be finite numbers, and the scale above 0");
    ResampleJob job;
    job.source = texels;
    job.output.pixels = target.pixels;
    job.output.row_bytes = target.row_bytes;
    job.output.width = request.width;
    job.output.height = request.height;
    job.output.rgba8 = target.format == RenderTarget::Format::rgba8;
    job.output.channels = image.channels();
    job.output.has_alpha = image.alpha() != Alpha::none;
    job.positions = sampling_affine(view, image.width(), image.height(), request.width, request.height);
    job.extend = request.outside == Outside::extend;
    job.parameters = request.spec.parameters;
    return job;
}

}  // namespace texelscope
