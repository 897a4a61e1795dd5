#include "app/picture/rendered_rows.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/backend/least_squares.h"
#include "gpu/core/colour.h"
#include "gpu/core/errors.h"

namespace texelscope {

struct RenderedRows::State {
    State(TiledImage& image, const RenderRequest& request, std::function<void(double)> progress)
        : info(image.info()),
          alpha(info.alpha == Alpha::none || request.derivative != Derivative::none ? Alpha::none
                                                                                    : Alpha::premultiplied),
          width(request.width),
          height(request.height) {
        thread = std::jthread([this, &image, request, progress = std::move(progress)](const std::stop_token& stop) {
            const RowSink hand_over = [&](const Image& rows, int first) {
                std::unique_lock lock(mutex);
                band = &rows;
                band_first = first;
                changed.notify_all();
                if (!changed.wait(lock, stop, [&] { return band == nullptr; })) throw Cancelled("cancelled");
            };
            std::exception_ptr thrown;
            try {
                image.render(request, RenderTarget::Format::floats, hand_over, {progress, stop});
            } catch (...) {
                thrown = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            failure = thrown;
            ended = true;
            band = nullptr;
            changed.notify_all();
        });
    }

    ~State() {
        thread.request_stop();
        thread.join();  // before what it uses
    }

    Image rows(int first, int last) {
        Image result(width, last - first, info.channels, SampleType::f32, alpha);
        for (int row = first; row < last;) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return band || ended; });
            if (!band) {
                if (failure) std::rethrow_exception(failure);
                throw Error("there are no more rows");
            }
            const int end = std::min(last, band_first + band->height());
            std::memcpy(result.row(row - first), band->row(row - band_first), size_t(end - row) * result.row_bytes());
            row = end;
            if (end < band_first + band->height()) continue;
            band = nullptr;
            changed.notify_all();
        }
        return result;
    }

    const ImageInfo info;
    const Alpha alpha;
    const int width, height;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    const Image* band = nullptr;  // until it has been handed over
    int band_first = 0;
    bool ended = false;
    std::exception_ptr failure;
    std::jthread thread;
};

RenderedRows::RenderedRows(TiledImage& image, const RenderRequest& request, std::function<void(double part)> progress)
    : state_(std::make_unique<State>(image, request, std::move(progress))) {}

RenderedRows::~RenderedRows() = default;

RowSource RenderedRows::source() const {
    const State& s = *state_;
    return {s.width,         s.height, s.info.channels,
            SampleType::f32, s.alpha,  [&state = *state_](int first, int last) {
                return state.rows(first, last); }};
}

std::exception_ptr RenderedRows::failure() const {
    const std::lock_guard lock(state_->mutex);
    return state_->failure;
}

namespace {

int scaled_side(int samples, double factor) {
    const double side = std::max(1.0, std::round(samples * factor));
    if (!(side <= double(max_image_side)))
        throw UsageError(fmt::format("--factor {:.6g}: the output would be {:.6g} pixels wide or high; the limit is {}",
                                     factor, side, max_image_side));
    return int(side);
}

double factor_y(const WholePicture& picture, const ImageShape& image) {
    return image.one_dimensional ? 1 : picture.factor.y;
}

constexpr double samples_at_once =
    1 << 20;  // that a band of rows reads or writes: a CPU takes some hundredths of a second

}  // namespace

Extent extent_of(const WholePicture& picture, const ImageShape& image) {
    if (picture.size) return *picture.size;
    return {scaled_side(image.width, picture.factor.x), scaled_side(image.height, factor_y(picture, image))};
}

RenderRequest request_for(const WholePicture& picture, const ImageShape& image) {
    const Extent size = extent_of(picture, image);
    RenderRequest request;
    request.spec = picture.spec;
    request.antialias = picture.antialias;
    request.pyramid = picture.pyramid;
    request.width = size.width;
    request.height = size.height;
    // A factor steps by exactly 1/F from the origin, however the size is rounded.
    request.positions = picture.align == Align::origin && !picture.size
                            ? affine_of_factor(picture.factor.x, factor_y(picture, image))
                            : aligned_affine(picture.align, image.width, image.height, size.width, size.height);
    return request;
}

Image render_in_bands(SourceImage& source, const RenderRequest& request,
                      const std::function<void(int row, int rows)>& progress) {
    const Affine& positions = *request.positions;
    const double samples_per_pixel = std::max(1.0, std::abs(positions.xx * positions.yy - positions.xy * positions.yx));
    const bool jumps = request.spec.method->smoothness < 0 || request.spec.path == FetchPath::hardware;
    const int at_once =
        jumps ? request.height : int(std::clamp(samples_at_once / (samples_per_pixel * request.width), 16.0, 4096.0));
    Image whole(request.width, request.height, source.samples().channels(), SampleType::f32, source.samples().alpha());
    if (at_once < request.height) source.prepare(request);  // for all bands
    for (int row = 0; row < request.height; row += at_once) {
        progress(row, request.height);
        RenderRequest band = request;
        band.height = std::min(at_once, request.height - row);
        band.positions->x0 += positions.xy * row;
        band.positions->y0 += positions.yy * row;
        const Image part = source.render_to_image(band);
        std::memcpy(whole.row(row), part.data(), part.size_bytes());
    }
    return whole;
}

void check_least_squares(const WholePicture& picture) {
    if (!picture.least_squares || has_least_squares(*picture.spec.method)) return;
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods())
        if (has_least_squares(*method)) ids.push_back(method->id);
    throw UsageError(fmt::format("{} cannot shrink by least squares: choose one of {}", picture.spec.method->id,
                                 fmt::join(ids, ", ")));
}

Image rendered(SourceImage& source, const WholePicture& picture, const RenderRequest& request) {
    check_least_squares(picture);
    return picture.least_squares ? least_squares_image(source, request) : source.render_to_image(request);
}

void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values) {
    const bool has_alpha = image.alpha() != Alpha::none;
    const int colours = image.channels() - (has_alpha ? 1 : 0);
    const float alpha = has_alpha ? image.value(x, y, colours) : 1.0f;
    const auto append = [&](double value) {
        if (std::isfinite(value)) values.push_back(value);
    };
    if (shown == ChannelView::alpha) return append(double(alpha));
    if (alpha < least_alpha) return;
    const float share = image.alpha() == Alpha::premultiplied ? alpha : 1.0f;
    const auto colour = [&](int c) {
        return colours == 1  ? double(image.value(x, y, 0) / share)
               : c < colours ? double(image.value(x, y, c) / share)
                             : 0.0;
    };
    switch (shown) {
        case ChannelView::first: return append(colour(0));
        case ChannelView::second: return append(colour(1));
        case ChannelView::third: return append(colour(2));
        case ChannelView::luma: return append(luma(colour(0), colour(1), colour(2)));
        default: break;
    }
    for (int c = 0; c < std::min(colours, 3); ++c) append(colour(c));
}

namespace {

bool reads_in_place(const RenderRequest& request, int width, int height) {
    return request.width == width && request.height == height && request.derivative == Derivative::none &&
           request.warp.kind == Warp::Kind::none && positions_of(request, width, height) == Affine();
}

void take_hidden_colours(Image& result, const Image& source) {
    constexpr float none = 4e-6f;  // the alpha that rounding leaves in prefiltered methods
    const int alpha = source.channels() - 1;
    result = unpremultiplied(result);
    for (int y = 0; y < result.height(); ++y) {
        float* pixel = result.row_as<float>(y);
        for (int x = 0; x < result.width(); ++x, pixel += alpha + 1)
            if (std::abs(pixel[alpha]) <= none && source.value(x, y, alpha) == 0)
                for (int c = 0; c <= alpha; ++c) pixel[c] = float(source.value(x, y, c));
    }
}

}  // namespace

void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request) {
    if (source.alpha() == Alpha::straight && result.alpha() == Alpha::premultiplied &&
        reads_in_place(request, source.width(), source.height()))
        take_hidden_colours(result, source);
}

RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request) {
    const ImageInfo& info = source.info();
    RowSource rows = result;
    if (info.alpha != Alpha::straight || result.alpha != Alpha::premultiplied ||
        !reads_in_place(request, info.width, info.height))
        return rows;
    rows.alpha = Alpha::straight;
    rows.rows = [&result, &source](int first, int last) {
        const ImageInfo& stored = source.info();
        Image samples(stored.width, last - first, stored.channels, stored.type, stored.alpha);
        source.read(0, {0, first, stored.width, last - first}, samples.data(), samples.row_bytes());
        Image band = result.rows(first, last);
        take_hidden_colours(band, samples);
        return band;
    };
    return rows;
}

}  // namespace texelscope
