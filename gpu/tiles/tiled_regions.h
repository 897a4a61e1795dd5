#pragma once
// An image that is not in memory, for those who wait: renders every request exactly, block by block, before it returns.

#include <memory>

#include "gpu/backend/source_parts.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

class TiledRegions final : public SampleRegions {
public:
    // Throws as TiledImage.
    TiledRegions(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> tiles,
                 const TiledOptions& options = {});

    const ImageInfo& info() const override { return tiled_.info(); }
    Light light() const override { return tiled_.light(); }
    void move_to(const std::shared_ptr<Backend>& backend) override;
    bool ready(const PlannedRequest&, RenderTarget::Format) override { return true; }
    bool render(const PlannedRequest& planned, const RenderTarget& target) override;
    bool render_at_hand(const PlannedRequest& planned, const RenderTarget& target) override {
        return render(planned, target);
    }
    bool render_reference(const PlannedRequest& planned, double* values, bool for_frame) override;
    bool texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) override;

private:
    std::shared_ptr<Backend> backend_;
    std::shared_ptr<const TileSource> tiles_;
    TiledOptions options_;
    TiledImage tiled_;
};

}  // namespace texelscope
