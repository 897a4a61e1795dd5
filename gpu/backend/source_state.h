#pragma once
// What a SourceImage holds, and how it makes what it renders from: smaller images, coefficients, samples minus a border
// value. For source_image.cpp and source_state.cpp only.

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/interfaces.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// What a SourceImage works with: keys of what is computed and kept, regions of an image that is not in memory, the
// border that is added again.

// What is computed from an image and kept: a level of its pyramid, or the coefficients of one.

struct SourceKey {
    Level level;
    InverseFilter inverse;  // empty: the level itself
    Prefilter prefilter;
    AddressPair address;
    bool operator==(const SourceKey&) const = default;
};

SourceKey level_key(Level level, const AddressPair& address);
SourceKey base_key(const AddressPair& address);  // the samples minus a border value, which are the same for all modes
SourceKey coefficients_key(Level level, const MethodSpec& spec);

// The key of what a request reads.
SourceKey key_of(const Resampling& resampling);

// How a level is made from the one before: along both axes in one step as long as both are to be halved.
Reduction last_step_to(Level level);
Level before(Level level);

// The level's samples, channels counted.
double samples_of(Level level, const ResidentImage& image);

// What a SourceImage renders from if its image is not in memory: regions of it, which come as they are read.

inline constexpr const char* samples_to_come = "the samples that it reads are still being read";

// To be used by one thread, that of the backend. No function waits for samples.
class SampleRegions {
public:
    virtual ~SampleRegions() = default;
    virtual const ImageInfo& info() const = 0;
    virtual Light light() const = 0;

    // From now on the regions are this backend's.
    virtual void move_to(const std::shared_ptr<Backend>& backend) = 0;

    // Whether all is there that the request reads. Asks for it otherwise.
    virtual bool ready(const PlannedRequest& planned, RenderTarget::Format format) = 0;

    // Renders the request if all is there; otherwise asks for it, leaves the target and returns false.
    virtual bool render(const PlannedRequest& planned, const RenderTarget& target) = 0;

    // Renders the request, with coarser samples for what is not there, which it asks for. True if the picture is the
    // right one.
    virtual bool render_at_hand(const PlannedRequest& planned, const RenderTarget& target) = 0;

    // The request in float64, as SourceImage::render_reference, if it is there; otherwise asks for it, `for_frame` if that is
    // of no interest after this frame, leaves the values and returns false. Throws Error if it cannot be computed.
    virtual bool render_reference(const PlannedRequest& planned, double* values, bool for_frame) = 0;

    // Texels that the request interpolates, as SourceImage::texels, if all is there; otherwise asks for them.
    virtual bool texels(const PlannedRequest& planned, const SampleRegion& region, std::vector<float>& values) = 0;
};

// Renderings of samples minus the value beyond their borders: adds that value again (see BorderPixel).

// Adds the border to renderings of one source, on one backend.
class BorderSum {
public:
    // What computes like resample().
    using Compute = std::function<void(const ResidentImage&, const Resampling&, const RenderTarget&)>;

    // Resamples, or calls compute(source, request, target), perhaps for another target, and adds the request's border.
    // `source` is what the request reads: samples minus the border, a level or coefficients of those.
    void render(Backend& backend, const ResidentImage& source, const Resampling& request, const RenderTarget& target,
                const Compute& compute = {});

    // An image whose interpolation is the sum of the weights, with a prefilter times that of the prefilter.
    std::shared_ptr<const ResidentImage> ones(Resampler& backend, const Resampling& request, bool one_dimensional);

private:
    Scratch unfinished_, sums_;
    std::shared_ptr<const ResidentImage> one_;  // of a single sample, 1: whatever is beyond it, it is 1
};

struct SourceImage::State {
    explicit State(std::shared_ptr<Backend> on, Light of = Light::stored) : backend(std::move(on)), light(of) {
        if (!backend) throw Error("a source image needs a backend: make one with make_backend()");
    }

    struct Made {
        SourceKey key;
        std::shared_ptr<const ResidentImage> image;
        MemoryBudget::Kept kept;
        bool shared = false;  // made by another backend, which goes on using it
    };

    std::shared_ptr<Backend> backend;
    std::shared_ptr<const ResidentImage> samples;
    std::shared_ptr<SampleRegions> regions;  // instead of samples; those are the shape alone
    Light light = Light::stored;
    SampleType stored = SampleType::f32;  // as they were given, before alpha and light
    std::list<Made> made;                 // each until the backend's memory is needed for something else
    size_t prefilterings = 0;             // so far
    std::optional<std::pair<float, float>> extremes;
    Scratch output, points;
    BorderSum border_sum;

    BorderPixel border_of(const AddressPair& address) const;
    ImageShape shape() const { return {samples->width(), samples->height(), samples->one_dimensional()}; }
    Resampling acting(Resampling request) const;
    void add_border(const Resampling& resampling, std::vector<float>& texels);

    bool has(const SourceKey& key) const {
        return std::any_of(made.begin(), made.end(), [&](const Made& each) { return each.key == key; });
    }
    void keep(std::list<Made>::iterator at);
    std::shared_ptr<const ResidentImage> keep(const SourceKey& key, std::shared_ptr<const ResidentImage> image);

    // The level's coefficients, if it is to be `filtered` and the spec has a prefilter, or its samples; made now if they are not
    // there. Throws Error if the image is not in memory.
    std::shared_ptr<const ResidentImage> image_of(Level level, const MethodSpec& spec, bool filtered = true);
    std::shared_ptr<const ResidentImage> image_of(const Resampling& request);  // that it reads
    void render_by_levels(const Resampling& resampling, const RenderTarget& target);
    double unreduced(Level level, const AddressPair& address) const;

    // For what has no regions. Throws Error if the image is not in memory.
    void demand_all() const {
        if (regions) throw Error("it needs the whole image in memory, and this one is too large for that");
    }

    // The backend if it reads the samples themselves for this; otherwise null.
    Folding* folding(const PlannedRequest& planned) const {
        if (regions || planned.by_rules || planned.by_own_samples) return nullptr;
        if (planned.spec.address.border != BorderValue{}) return nullptr;
        auto* const can = dynamic_cast<Folding*>(backend.get());
        const bool folds = can && planned.warp.kind == Warp::Kind::none && can->folds(*samples, planned);
        return folds ? can : nullptr;
    }

    // The points of a warp, and the memory that holds them.
    struct WarpedPoints {
        std::shared_ptr<void> memory;
        PointsView view;
    };
    WarpedPoints warped_points(const Warp& warp, const Resampling& resampling);
};

}  // namespace texelscope
