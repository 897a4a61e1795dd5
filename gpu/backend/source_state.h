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

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/resampler.h"
#include "gpu/backend/source_image.h"
#include "gpu/backend/source_parts.h"

namespace texelscope {

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
    // A recipe as its weight function.
    PlannedRequest planned_by_weights(const RenderRequest& request) const {
        return planned(request, shape(), light, border_of(request.spec.address));
    }
    Resampling acting(Resampling request) const;
    std::shared_ptr<const ResidentImage> base(const AddressPair& address);
    void add_border(const Resampling& resampling, std::vector<float>& texels);

    bool has(const SourceKey& key) const {
        return std::any_of(made.begin(), made.end(), [&](const Made& each) { return each.key == key; });
    }
    void keep(std::list<Made>::iterator at);
    // What has been made for the key, or is made now.
    std::shared_ptr<const ResidentImage> once(SourceKey key,
                                              const std::function<std::shared_ptr<const ResidentImage>()>& make);
    std::shared_ptr<const ResidentImage> reduced(Level level, const AddressPair& address);
    std::shared_ptr<const ResidentImage> prepared(Level level, const MethodSpec& spec);
    std::shared_ptr<const ResidentImage> source_of(const Resampling& resampling);
    double unreduced(Level level, const AddressPair& address) const;

    // For what has no regions. Throws Error if the image is not in memory.
    void demand_all() const {
        if (regions) throw Error("it needs the whole image in memory, and this one is too large for that");
    }

    // The backend if it reads the samples themselves for this; otherwise null.
    Folding* folding(const PlannedRequest& planned) const {
        if (regions || planned.by_rules || planned.by_own_samples) return nullptr;
        if (planned.resampling.spec.address.border != BorderValue{}) return nullptr;
        auto* const can = dynamic_cast<Folding*>(backend.get());
        const bool folds = can && planned.warp.kind == Warp::Kind::none && can->folds(*samples, planned.resampling);
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
