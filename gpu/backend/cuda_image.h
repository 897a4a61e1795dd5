#pragma once
// An image in device memory: linear for the path `global`, an array with textures for `lookup` and `hardware`.

#include <map>
#include <memory>

#include "gpu/backend/backend.h"
#include "gpu/backend/cuda_memory.h"
#include "gpu/backend/job.h"

namespace texelscope {

class CudaImage final : public ResidentImage {
public:
    // Room for a copy of samples in host memory.
    struct Copied {
        ImageView image;
    };
    CudaImage(const Copied& samples, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap);

    // Rows begin … end − 1 of the image that it was made for, copied before this returns.
    void copy_rows(const ImageView& image, int begin, int end, cudaStream_t stream);

    // Over the caller's device memory.
    CudaImage(const ImageView& view, MemoryBudget& budget, std::shared_ptr<DeviceHeap> heap);
    ~CudaImage() override;

    // Room for texels to be computed from those of `source`.
    CudaImage(const CudaImage& source, const TexelArray& array, bool holds_coefficients);

    // For another backend from now on. What was made for the texture unit is freed; nothing may be reading it.
    void hand_over(MemoryBudget& budget, const std::shared_ptr<DeviceHeap>& heap) const;
    bool is_on(int device) const { return heap_->device() == device; }

    bool holds_coefficients() const { return holds_coefficients_; }
    const TexelArray& texels() const { return texels_; }
    void* computed() { return linear_.get(); }

    // Whether a two-dimensional image is within the texture unit's limits.
    bool fits_texture(const DeviceLimits& limits) const {
        return stored_width() <= size_t(limits.texture_width) && stored_height() <= size_t(limits.texture_height);
    }

    // Whether there is an array for the texture unit, or memory for one beside all that is kept: it is then made. Once
    // refused, it is not requested again.
    bool can_have_array(const DeviceLimits& limits, cudaStream_t stream) const;

    // Fills in the texture handles for these address modes, valid as long as the result is held. The array is made at
    // the first call, enqueued on the stream after whatever writes the linear memory there. Throws OutOfMemory, or
    // Error if the texture unit's limits forbid it.
    std::shared_ptr<const void> attach_textures(TexelArray& array, FetchPath path, const DeviceLimits& limits,
                                                cudaStream_t stream) const;

private:
    struct Textures {
        CudaTexture point, linear;
    };
    // A copy of the texels for the texture unit.
    struct Array {
        MemoryBudget::Taken taken;
        CudaArray array;
        std::map<int, Textures> textures;  // by address pair
    };

    size_t stored_width() const { return size_t(width_) + 2 * size_t(texels_.margin_x); }
    size_t stored_height() const { return size_t(height_) + 2 * size_t(texels_.margin_y); }
    size_t stored_row() const;  // bytes, without padding
    void allocate();
    void check_limits(const DeviceLimits& limits) const;
    std::shared_ptr<Array> made_array(cudaStream_t stream) const;
    void keep_array(std::shared_ptr<Array> array) const;
    void wait_for_readers() const;
    CudaTexture make_texture(const AddressPair& address, bool normalised, cudaTextureFilterMode filter) const;
    CudaTexture make_linear_memory_texture(const DeviceLimits& limits) const;

    TexelArray texels_;
    bool holds_coefficients_;
    mutable MemoryBudget* budget_;
    mutable std::shared_ptr<DeviceHeap> heap_;
    mutable DeviceMemory linear_;  // empty for the caller's memory
    // Made when a path first needs them, given up when memory is needed; the image itself does not change.
    mutable std::shared_ptr<Array> array_;
    mutable MemoryBudget::Kept kept_array_;
    mutable bool array_refused_ = false;
    mutable CudaTexture linear_memory_texture_;  // for a signal, for tex1Dfetch
};

}  // namespace texelscope
