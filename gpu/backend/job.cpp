#include "gpu/backend/job.h"

#include <algorithm>
#include <cstring>

#include "gpu/backend/interfaces.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

// Whether the image's samples become texels unchanged.
bool is_copied(const ImageView& image) { return image.alpha != Alpha::straight && is_texel_type(image.type); }

int resident_channels(int channels, ThreeChannels three) {
    return three == ThreeChannels::padded ? pixel_channels(channels) : channels;
}

}  // namespace

bool is_resident_form(const ImageView& image, ThreeChannels three) {
    return is_copied(image) && resident_channels(image.channels, three) == image.channels;
}

TexelArray resident_array(const ImageView& image, ThreeChannels three) {
    TexelArray a;
    a.type = is_copied(image) ? image.type : SampleType::f32;
    a.channels = resident_channels(image.channels, three);
    a.row_bytes = size_t(image.width) * size_t(a.channels) * size_t(bytes_per_sample(a.type));
    a.width = image.width;
    a.height = image.height;
    a.one_dimensional = image.one_dimensional;
    return a;
}

ImageView rows_of(const ImageView& image, int first, int last) {
    ImageView part = image;
    part.samples = static_cast<const std::byte*>(image.samples) + size_t(first) * image.stride();
    part.height = last - first;
    return part;
}

namespace {

// Copies of a constant size become single moves.
template <size_t Sample> void pad_row(const std::byte* from, int width, std::byte* to) {
    const std::byte zero[Sample] = {};
    for (int x = 0; x < width; ++x, from += 3 * Sample, to += 4 * Sample) {
        std::memcpy(to, from, 3 * Sample);
        std::memcpy(to + 3 * Sample, zero, Sample);
    }
}

void pad(const ImageView& source, std::byte* rows, size_t row_bytes) {
    const auto* from = static_cast<const std::byte*>(source.samples);
    for (int y = 0; y < source.height; ++y, from += source.stride(), rows += row_bytes) {
        switch (bytes_per_sample(source.type)) {
            case 1: pad_row<1>(from, source.width, rows); break;
            case 2: pad_row<2>(from, source.width, rows); break;
            default: pad_row<4>(from, source.width, rows);
        }
    }
}

Image padded(const ImageView& source) {
    Image result(source.width, source.height, 4, source.type);
    pad(source, result.row(0), result.row_bytes());
    return result;
}

Image as_floats(const ImageView& part) {
    if (part.alpha == Alpha::straight) return premultiplied(copied(part));
    return converted(copied(part), SampleType::f32);
}

// One copy only: memory that is had and given back for each strip costs as much as filling it.
Image padded_form(const ImageView& part) {
    if (is_copied(part)) return part.channels == 3 ? padded(part) : copied(part);
    Image floats = as_floats(part);
    return floats.channels() == 3 ? padded(view_of(floats)) : floats;
}

void copy_rows(const ImageView& from, std::byte* rows, size_t row_bytes) {
    const auto* row = static_cast<const std::byte*>(from.samples);
    const size_t bytes = size_t(from.width) * from.texel_bytes();
    for (int y = 0; y < from.height; ++y, row += from.stride(), rows += row_bytes) std::memcpy(rows, row, bytes);
}

}  // namespace

void write_resident_rows(const ImageView& image, int first, int last, std::byte* rows, size_t row_bytes) {
    const ImageView part = rows_of(image, first, last);
    if (is_copied(image)) copy_rows(part, rows, row_bytes);
    else copy_rows(view_of(as_floats(part)), rows, row_bytes);
}

void for_resident_strips(const ImageView& image, const std::function<void(int first_row, const Image& strip)>& take) {
    const size_t row_bytes = resident_array(image, ThreeChannels::padded).row_bytes;
    const int rows = int(std::clamp<size_t>(strip_bytes / row_bytes, 1, size_t(image.height)));
    for (int first = 0; first < image.height; first += rows)
        take(first, padded_form(rows_of(image, first, std::min(first + rows, image.height))));
}

TexelArray texels_of(const ImageView& view, ThreeChannels three) {
    if (three == ThreeChannels::padded || view.channels != 3) check_view(view);
    TexelArray a;
    a.texels = view.samples;
    a.row_bytes = view.stride();
    a.type = view.type;
    a.channels = view.channels;
    a.width = view.width;
    a.height = view.height;
    a.one_dimensional = view.one_dimensional;
    a.images = view.images;
    a.image_bytes = view.images > 1 ? view.image_bytes : 0;
    return a;
}

namespace {

// The images of a batch one after the other, as those that it is made of.
void lay_out_images(TexelArray& a) {
    if (a.images > 1) a.image_bytes = a.row_bytes * (size_t(a.height) + 2 * size_t(a.margin_y));
}

}  // namespace

bool needs_normalised_coordinates(const TexelArray& texels) {
    return is_periodic(texture_address(texels.address.x)) ||
           (!texels.one_dimensional && is_periodic(texture_address(texels.address.y)));
}

TexelArray coefficient_array(const TexelArray& samples, const MethodSpec& spec) {
    const AddressPair& address = spec.address;
    const InverseFilter inverse = spec.inverse_filter();
    TexelArray a = samples;
    a.texels = nullptr;
    a.channels = pixel_channels(samples.channels);
    a.type = spec.prefilter.half_float ? SampleType::f16 : SampleType::f32;
    a.margin_x = margin_for(address.x, inverse);
    a.margin_y = samples.one_dimensional ? 0 : margin_for(address.y, inverse);
    a.row_bytes =
        aligned_row((size_t(a.width) + 2 * size_t(a.margin_x)) * size_t(a.channels) * size_t(bytes_per_sample(a.type)));
    a.address = {coefficient_address(address.x), coefficient_address(address.y)};
    lay_out_images(a);
    return a;
}

TexelArray reduced_array(const TexelArray& samples, Reduction axes) {
    TexelArray a = samples;
    a.texels = nullptr;
    a.channels = pixel_channels(samples.channels);
    a.type = SampleType::f32;
    if (axes.x) a.width = (samples.width + 1) / 2;
    if (axes.y) a.height = (samples.height + 1) / 2;
    a.row_bytes = aligned_row(size_t(a.width) * size_t(a.channels) * sizeof(float));
    lay_out_images(a);
    return a;
}

TexelArray reduced_part_array(const TexelArray& region, const ReducedPart& part) {
    TexelArray a = reduced_array(region, {});
    a.width = part.region.width;
    a.height = part.region.height;
    a.row_bytes = aligned_row(size_t(a.width) * size_t(a.channels) * sizeof(float));
    return a;
}

TabulatedJob reduction_job(const TexelArray& region, const AddressPair& region_address, const AddressPair& address,
                           Reduction axes, const ReducedPart& part, const TexelArray& reduced, void* texels) {
    TexelArray whole = region;
    whole.width = part.width;
    whole.height = part.height;
    TabulatedJob tabulated = reduction_job(whole, address, reduced_array(whole, axes), texels);
    ResampleJob& job = tabulated.job;
    job.source = region;
    job.source.address = region_address;
    job.output.row_bytes = reduced.row_bytes;
    job.output.width = reduced.width;
    job.output.height = reduced.height;
    job.cut = cut_of(job.positions, part.width, part.height, double(part.region_x), double(part.region_y),
                     int(part.region.x), int(part.region.y));
    job.positions = cut_positions(job.positions, job.cut);
    return tabulated;
}

Cut cut_of(const Affine& positions, int width, int height, double x, double y, int i, int j) {
    return {.is_part = true,
            .width = width,
            .height = height,
            .x = x,
            .y = y,
            .i = i,
            .j = j,
            .x0 = positions.x0,
            .y0 = positions.y0};
}

Affine cut_positions(const Affine& whole, const Cut& cut) {
    const auto moved = [](double along, double i, double across, double j, double start, double origin) {
        return double((long double)(along)*i + (long double)(across)*j + start - origin);
    };
    Affine part = whole;
    part.x0 = moved(whole.xx, cut.i, whole.xy, cut.j, whole.x0, cut.x);
    part.y0 = moved(whole.yy, cut.j, whole.yx, cut.i, whole.y0, cut.y);
    return part;
}

TabulatedJob reduction_job(const TexelArray& samples, const AddressPair& address, const TexelArray& reduced,
                           void* texels) {
    TabulatedJob tabulated;
    ResampleJob& job = tabulated.job;
    job.source = samples;
    job.source.address = address;
    job.output.pixels = texels;
    job.output.row_bytes = reduced.row_bytes;
    job.output.width = reduced.width;
    job.output.height = reduced.height;
    job.output.channels = reduced.channels;
    job.output.image_bytes = reduced.image_bytes;
    const LevelAxis x(address.x, samples.width, reduced.width), y(address.y, samples.height, reduced.height);
    job.positions = {x.step(), 0, x.step() / 2 - x.before, 0, y.step(), y.step() / 2 - y.before};
    tabulated.x.radius = tabulated.y.radius = float(reduction_method().taps) / 2;
    tabulated.x.stretch = float(x.step());
    tabulated.y.stretch = float(y.step());
    return tabulated;
}

ResampleJob job_for(const ResidentImage& image, const TexelArray& texels, const Resampling& request,
                    const RenderTarget& target) {
    ResampleJob job(request);
    job.spec.path = request.spec.effective_path();
    job.source = texels;
    job.source.beyond_x = request.reading.level_x.beyond();
    job.source.beyond_y = request.reading.level_y.beyond();
    job.output.pixels = target.pixels;
    job.output.row_bytes = target.row_bytes;
    job.output.width = request.width;
    job.output.height = request.height;
    job.output.rgba8 = target.format == RenderTarget::Format::rgba8;
    job.output.levels = target.format == RenderTarget::Format::levels;
    job.output.channels = image.channels();
    job.output.image_bytes = texels.images > 1 ? target.image_bytes : 0;
    job.output.has_alpha = image.alpha() != Alpha::none;
    if (request.derivative != Derivative::none) job.output.background = 0;  // a slope has no background
    job.output.encode_srgb = request.encode_srgb;
    job.positions = request.reading.positions;
    job.cut = request.cut;
    job.points = request.points;
    const size_t pixel_bytes = size_t(image.channels()) * sizeof(float);
    job.output.whole_pixels = !job.output.levels && image.channels() != 3 && target.row_bytes % pixel_bytes == 0 &&
                              reinterpret_cast<uintptr_t>(target.pixels) % pixel_bytes == 0;
    job.simple = request.simple;
    return job;
}

WeightsFrom weights_of(const Resampling& request) {
    const MethodInfo& method = *request.spec.method;
    if (kernel_of(method)) return WeightsFrom::own_kernel;
    if (is_polar(method)) return WeightsFrom::distance;
    const bool by_pieces = method.custom && method.custom->weights(request.spec.parameters)->shared.taps == 0;
    return request.plain() && !by_pieces && !method.is_wide() ? WeightsFrom::method : WeightsFrom::table;
}

TabulatedJob tabulated_job(const ResampleJob& job, const ReadPlan& reading) {
    TabulatedJob tabulated{job, {}, {}, reading.local_stretch};
    tabulated.x.radius = tabulated.y.radius = float(radius_of(*job.spec.method));
    tabulated.x.stretch = float(reading.stretch_x);
    tabulated.y.stretch = float(reading.stretch_y);
    if (job.spec.method->custom && !reading.widened()) tabulated.x.normalise = tabulated.y.normalise = false;
    tabulated.x.derivative = job.derivative == Derivative::x;
    tabulated.y.derivative = job.derivative == Derivative::y;
    return tabulated;
}

LongTaps leave_rows_read(ResampleJob& job, const LongTaps& y) {
    TexelArray& a = job.source;
    if (a.one_dimensional || y.first.empty()) return y;
    const auto [first, last] = std::minmax_element(y.first.begin(), y.first.end());
    const int before = std::max(0, -*first), after = std::max(0, *last + y.taps - a.height);
    const bool outside = before > 0 || after > 0;
    if (outside && (a.address.y == AddressMode::wrap || std::max(before, after) >= a.height)) return y;
    // Mirrored at an edge, as many rows are read again, and one more.
    const int begin = after > 0 ? std::clamp(a.height - after - 1, 0, std::max(*first, 0)) : std::max(*first, 0),
              end = before > 0 ? std::max(before + 1, std::min(*last + y.taps, a.height))
                               : std::min(*last + y.taps, a.height);
    LongTaps rows = y;
    for (int& at : rows.first) at -= begin;
    a.texels = static_cast<const char*>(a.texels) + size_t(begin) * a.row_bytes;
    a.height = end - begin;
    return rows;
}

namespace {

FootprintKind footprint_kind(const ReadPlan& reading) {
    if (reading.local_stretch) return FootprintKind::points;
    return reading.widened() ? FootprintKind::view : FootprintKind::circle;
}

}  // namespace

PolarJob polar_job(const ResampleJob& job, const ReadPlan& reading) {
    const MethodInfo& method = *job.spec.method;
    PolarJob polar;
    polar.job = job;
    polar.radius = float(radius_of(method));
    polar.largest = float(largest_stretch(method));
    polar.kind = footprint_kind(reading);
    if (polar.kind == FootprintKind::view)
        polar.footprint = converted<float>(footprint_of(steps_of(job), largest_stretch(method)));
    return polar;
}

ReferenceJob reference_job(const ResidentImage& image, const TexelArray& samples, const Resampling& request,
                           double* values) {
    if (request.derivative != Derivative::none)
        throw Error("there is no float64 reference of a derivative: ask for values");
    if (samples.images > 1) throw Error("a batch has no float64 reference: ask for each of its images");
    const MethodInfo& method = *request.spec.method;
    ReferenceJob reference;
    reference.job = job_for(image, samples, request, {.pixels = values, .format = RenderTarget::Format::floats});
    reference.job.source.address = request.address();
    reference.weight.radius = radius_of(method);
    reference.weight.a_sample = piece_count(reference.weight.radius) / (2 * reference.weight.radius);
    if (is_polar(method)) {
        reference.polar = true;
        reference.largest_stretch = largest_stretch(method);
        reference.footprint_kind = footprint_kind(request.reading);
    }
    reference.stretch_x = request.reading.stretch_x;
    reference.stretch_y = request.reading.stretch_y;
    reference.local_stretch = request.reading.local_stretch;
    reference.normalise = !request.plain();
    if (request.reading.prefiltered) set_prefilter(reference, request.spec);
    for (int c = 0; c < 4; ++c) {
        reference.border.added[c] = double(request.border.v[c]);
        if (!request.minus_border) reference.border.subtracted[c] = reference.border.added[c];
    }
    return reference;
}

template <class Values> MethodTables::Memory MethodTables::stored(const Values& values) {
    const size_t bytes = values.size() * sizeof(values[0]);
    const std::shared_ptr<void> memory = backend_.allocate(bytes);
    backend_.write(memory.get(), values.data(), bytes);
    return memory;
}

const float* MethodTables::table(const MethodSpec& spec, WeightForm form) {
    const Memory& memory = tables_.get(spec, form, [&] {
        return stored(weight_table(*spec.method, spec.parameters, form == WeightForm::derivative));
    });
    return static_cast<const float*>(memory.get());
}

void MethodTables::set(TabulatedJob& tabulated, const MethodSpec& spec) {
    set(tabulated.x, spec);
    set(tabulated.y, spec);
}

void MethodTables::set(AxisFilter& filter, const MethodSpec& spec) {
    if (!spec.method->custom) {
        filter.table = table(spec, filter.form());
        return;
    }
    const PackedPieces<float> pieces = spec.method->custom->packed(spec.parameters, filter.form());
    const Memory& memory = tables_.get(spec, filter.form(), [&] { return stored(pieces.bytes); });
    filter.pieces = pieces.at(memory.get());
}

void MethodTables::set(ReferenceJob& reference, const MethodSpec& spec) {
    WeightPieces& weight = reference.weight;
    const WeightForm form = reference.normalise ? WeightForm::widened : WeightForm::own;
    if (spec.method->custom) {
        const auto weights = spec.method->custom->weights(spec.parameters);
        const auto& own = form == WeightForm::widened ? weights->widened() : weights->pieces;
        const PackedPieces<double> pieces = packed<double>(own, weights->packed.reach);
        const Memory& memory = pieces_.get(spec, form, [&] { return stored(pieces.bytes); });
        weight.pieces = pieces.at(memory.get());
        return;
    }
    const Memory& memory =
        pieces_.get(spec, form, [&] { return stored(weight_pieces(*spec.method, spec.parameters, form)); });
    weight.coefficients = static_cast<const double*>(memory.get());
}

const AxisWeights& MethodTables::weights(const MethodSpec& spec) {
    return weights_.get(spec, WeightForm::own, [&] {
        if (spec.method->custom) return spec.method->custom->weights(spec.parameters)->shared;
        return axis_weights(*spec.method, spec.parameters);
    });
}

}  // namespace texelscope
