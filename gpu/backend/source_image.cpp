// SourceImage: an image on a backend with its coefficients, and the way to a picture in host memory.

#include <algorithm>
#include <deque>

#include "gpu/backend/backend.h"

namespace texelscope {

struct SourceImage::State {
    struct Coefficients {
        std::vector<double> poles;
        Prefilter prefilter;
        AddressPair address;
        std::shared_ptr<const ResidentImage> image;
    };

    std::shared_ptr<Backend> backend;
    std::shared_ptr<const ResidentImage> samples;
    std::deque<Coefficients> cache;  // the most recently used first
    std::shared_ptr<void> buffer;    // of the last read-back
    size_t buffer_bytes = 0;
};

namespace {

// Flipping between two settings must not compute anew; more than a few sets of coefficients would fill the memory.
constexpr size_t cached_coefficients = 4;

}  // namespace

SourceImage::SourceImage(std::shared_ptr<Backend> backend, const Image& image) : state_(std::make_unique<State>()) {
    state_->backend = std::move(backend);
    state_->samples = state_->backend->upload(image);
}
SourceImage::~SourceImage() = default;
SourceImage::SourceImage(SourceImage&&) noexcept = default;
SourceImage& SourceImage::operator=(SourceImage&&) noexcept = default;

const ResidentImage& SourceImage::samples() const { return *state_->samples; }
Backend& SourceImage::backend() const { return *state_->backend; }

const ResidentImage& SourceImage::prepared_for(const MethodSpec& spec) {
    if (spec.effective_prefilter().kind == Prefilter::Kind::none) return *state_->samples;
    auto& cache = state_->cache;
    const auto found = std::find_if(cache.begin(), cache.end(), [&](const State::Coefficients& c) {
        return c.poles == spec.method->poles && c.prefilter == spec.prefilter && c.address == spec.address;
    });
    if (found != cache.end()) {
        std::rotate(cache.begin(), found, found + 1);
        return *cache.front().image;
    }
    while (cache.size() >= cached_coefficients) cache.pop_back();
    std::shared_ptr<const ResidentImage> image;
    try {
        image = state_->backend->prefilter(*state_->samples, spec);
    } catch (const OutOfMemory&) {
        if (cache.empty()) throw;
        cache.clear();  // older coefficients make room
        image = state_->backend->prefilter(*state_->samples, spec);
    }
    cache.push_front({spec.method->poles, spec.prefilter, spec.address, std::move(image)});
    return *cache.front().image;
}

void SourceImage::render(const RenderRequest& request, const RenderTarget& target) {
    state_->backend->render(prepared_for(request.spec), request, target);
}

namespace {

// Renders into memory of the backend and copies it into the image's rows.
void render_into(SourceImage& source, const RenderRequest& request, RenderTarget target,
                 std::shared_ptr<void>& buffer, size_t& buffer_bytes, Image& image) {
    Backend& backend = source.backend();
    if (buffer_bytes < image.size_bytes()) {
        buffer.reset();
        buffer_bytes = 0;
        buffer = backend.allocate(image.size_bytes());
        buffer_bytes = image.size_bytes();
    }
    target.pixels = buffer.get();
    target.row_bytes = image.row_bytes();
    source.render(request, target);
    backend.read_back(image.data(), buffer.get(), image.size_bytes());
}

}  // namespace

Image SourceImage::render_to_image(const RenderRequest& request) {
    Image image(request.width, request.height, samples().channels(), SampleType::f32, samples().alpha());
    render_into(*this, request, {.format = RenderTarget::Format::floats}, state_->buffer, state_->buffer_bytes, image);
    return image;
}

Image SourceImage::render_to_rgba8(const RenderRequest& request) {
    Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    render_into(*this, request, {.format = RenderTarget::Format::rgba8}, state_->buffer, state_->buffer_bytes, image);
    return image;
}

std::array<float, 4> SourceImage::value_at(const MethodSpec& spec, Point point) {
    RenderRequest request;
    request.spec = spec;
    request.view.translate_x = point.x - (samples().width() - 1) / 2.0;
    request.view.translate_y = point.y - (samples().height() - 1) / 2.0;
    Image pixel(1, 1, samples().channels(), SampleType::f32);
    render_into(*this, request, {.format = RenderTarget::Format::floats, .timed = false}, state_->buffer,
                state_->buffer_bytes, pixel);
    std::array<float, 4> value{};
    for (int c = 0; c < pixel.channels(); ++c) value[size_t(c)] = pixel.value(0, 0, c);
    return value;
}

}  // namespace texelscope
