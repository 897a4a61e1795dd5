#include "app/picture/inspect/stored_samples.h"

namespace texelscope {

Image stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region) {
    RenderRequest request;
    request.spec = default_spec(parse_method("nearest"));
    request.spec.address = address;
    request.width = region.width;
    request.height = region.height;
    request.positions = Affine{1, 0, double(region.x), 0, 1, double(region.y)};
    return source.render_to_image(request);
}

}  // namespace texelscope
