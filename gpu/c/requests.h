#pragma once
// Requests of the C interface as those of the engine, and where their results go.

#include "gpu/c/images.h"

namespace texelscope::c {

// A request without what depends on an image.
struct Request {
    ts_request all;
    MethodSpec spec;
    Outside outside = Outside::extend;
    Derivative derivative = Derivative::none;
};

// Throws Error.
Request checked_request(const ts_request* request);

// For an output of this size of an image.
RenderRequest render_request(const Request& request, Extent image, Extent output);
SampleRequest sample_request(const Request& request);

// How results become numbers of an array.
struct Destination {
    Array array;
    double scale = 1, instead = 0;
    bool replaces_nan = false, divides_by_alpha = false;
};

// Throws Error. `values`, `outside` and `outside_value` as in a request.
Destination destination(const ts_image& image, const ts_array* out, int32_t values, int32_t outside = TS_EXTEND,
                        double outside_value = 0);

// Where images of a part are computed, from number `first` on: in place if the array is packed floats of the backend, else in
// memory of it. finish() converts it.
class Place {
public:
    Place(ts_image& image, const ImagePart& part, int64_t first, int images, const Destination& to, bool doubles);

    void* values() const { return values_; }
    size_t row_bytes() const { return row_bytes_; }
    size_t image_bytes() const { return image_bytes_; }  // from one image to the next
    bool is_packed() const { return row_bytes_ == size_t(to_.width) * pixel_bytes(); }
    RenderTarget target() const {
        return {.pixels = values_,
                .row_bytes = row_bytes_,
                .format = RenderTarget::Format::floats,
                .timer = no_timer,
                .image_bytes = image_bytes_};
    }
    void finish();
    // Converts packed results that were computed elsewhere, in memory of the backend.
    void take(const std::shared_ptr<void>& results);

private:
    size_t pixel_bytes() const { return size_t(part_.resident_channels) * (doubles_ ? sizeof(double) : sizeof(float)); }
    bool is_in_place() const;

    ts_image& image_;
    const ImagePart& part_;
    int64_t first_;
    int images_;
    const Destination& destination_;
    Strided to_;
    int64_t step_;  // of the array, between images; 0: it varies
    bool doubles_;
    std::shared_ptr<void> memory_;
    void* values_ = nullptr;
    size_t row_bytes_ = 0, image_bytes_ = 0;
};

// Calls body(part, source, place) for all images of all parts, for those of a group together where renders_batch(source); in
// memory of the host the results are there afterwards.
void for_each_part(ts_image& image, const Destination& to, bool doubles, const Request* request,
                   const std::function<bool(const SourceImage&)>& renders_batch,
                   const std::function<void(const ImagePart&, SourceImage&, Place&)>& body);

}  // namespace texelscope::c
