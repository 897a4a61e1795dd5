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

// Where one part of one image is computed: in place if the array is packed floats of the backend, else in memory of it. finish()
// converts it.
class Place {
public:
    Place(ts_image& image, const ImagePart& part, int64_t number, const Destination& to, bool doubles);

    void* values() const { return values_; }
    size_t row_bytes() const { return row_bytes_; }
    bool is_packed() const { return row_bytes_ == size_t(to_.width) * pixel_bytes(); }
    RenderTarget target() const {
        return {.pixels = values_, .row_bytes = row_bytes_, .format = RenderTarget::Format::floats};
    }
    void finish();

private:
    size_t pixel_bytes() const { return size_t(part_.resident_channels) * (doubles_ ? sizeof(double) : sizeof(float)); }
    bool is_in_place() const;

    ts_image& image_;
    const ImagePart& part_;
    const Destination& destination_;
    Strided to_;
    bool doubles_;
    std::shared_ptr<void> memory_;
    void* values_ = nullptr;
    size_t row_bytes_ = 0;
};

// Calls body(part, source, place) for every part of every image; in memory of the host the results are there afterwards.
void for_each_part(ts_image& image, const Destination& to, bool doubles, const Request* request,
                   const std::function<void(const ImagePart&, SourceImage&, Place&)>& body);

}  // namespace texelscope::c
