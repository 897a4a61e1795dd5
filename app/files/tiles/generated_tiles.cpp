#include "app/files/tiles/generated_tiles.h"

#include <cstring>

#include "app/files/decoding/not_in_parts.h"
#include "app/files/test_images/test_images.h"
#include "app/files/tiles/region.h"
#include "gpu/core/check_region.h"

namespace texelscope {
namespace {

class GeneratedTiles : public TileSource {
public:
    explicit GeneratedTiles(const TestImageRequest& request) : request_(request) {
        const Image corner = made({0, 0, 1, 1});
        info_ = {request.width, request.height, corner.channels(), corner.type(), corner.alpha(), nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return usual_tile; }
    bool reads_any_region() const override { return true; }
    int samples_per_request() const override { return 256; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        const Image part = made(region);
        for (int y = 0; y < part.height(); ++y) std::memcpy(to + size_t(y) * row_bytes, part.row(y), part.row_bytes());
    }

private:
    Image made(const SampleRegion& region) const {
        return request_.image->generator.part({request_.width, request_.height, region});
    }

    TestImageRequest request_;
    ImageInfo info_;
};

}  // namespace

std::unique_ptr<const TileSource> generated_tiles(std::string_view spec) {
    const TestImageRequest request = parse_test_image_of_any_size(spec);
    if (!request.image->generator.part) throw NotInParts("every sample of it depends on all others");
    return std::make_unique<GeneratedTiles>(request);
}

}  // namespace texelscope
