#pragma once
// Which kernel resamples a job, and why: a function of only the job, its method's size and what the device can do.

#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/method/chosen_kernel.h"
#include "gpu/method/fixed_affine.h"
#include "gpu/method/shrink_shape.h"
#include "gpu/method/tile_shape.h"
#include "gpu/method/turned_shape.h"

namespace texelscope {

// Threads of a block of the direct kernel, and rows of pixels per thread.
inline constexpr int direct_columns = 32, direct_rows = 8;

// Pixels per thread of the direct kernel; 1: the simple kernel is as fast.
constexpr int pixels_of_lookup(int taps) { return taps <= 2 ? 4 : 1; }
constexpr int pixels_of_filtering(int fetches) { return fetches <= 1 ? 8 : fetches == 2 ? 4 : 1; }
constexpr int pixels_of_linear_memory(int taps) { return taps <= 2 ? 3 : 1; }

enum class WeightsFrom { method, table, distance, own_kernel };

// What of a job decides.
struct KernelQuestion {
    const ResampleJob& job;
    WeightsFrom weights = WeightsFrom::method;
    int taps = 0, fetches = 0;  // of the method along each axis, in the form that is computed; 0: no such form (CPU)
    const TabulatedJob* tabulated = nullptr;  // if the weights are from a table

    // By the weights of its method, as a GPU computes them; by those of a table. Refers to the job.
    static KernelQuestion of(const ResampleJob& job);
    static KernelQuestion of(const TabulatedJob& job) { return {job.job, WeightsFrom::table, 0, 0, &job}; }
};

// What of a device decides.
struct DeviceFacts {
    const DeviceLimits* gpu = nullptr;  // null: the CPU
    bool texture = false;               // a texture for this job, if wants_texture(), is there or can be made
    // Whether launch_turned() can run; asked last, for it may compile that code. Null: it can.
    bool (*has_matrix_code)() = nullptr;
};

struct KernelChoice : ChosenKernel {
    FetchPath path = FetchPath::automatic;  // that the job is to be given: its own, or lookup for wants_texture()
    bool folds = false;                     // texture coordinates
    std::optional<FixedAffine> fixed;       // positions for direct, march and tile

    // For the kernel of this name.
    TileShape tile;
    ShrinkShape shrink;
    TurnedShape turned;
    TurnedAnyShape turned_any;

    // The simple kernel writes NaN outside by itself; direct, march and tile leave it to launch_nan_outside().
    bool needs_nan_outside() const { return kernel != ResampleKernel::simple && fixed->nan_outside; }
};

// The path `auto` reads methods of several taps from linear memory, by kernels that share what they read. A single tap
// has little to share: the texture cache takes half to three quarters of the time at 1:1 and rotated; zoomed in by 8
// without rotation it takes a tenth to a quarter more than marching (docs/performance-notebook.md).
bool wants_texture(const KernelQuestion& question);

KernelChoice choose(const KernelQuestion& question, const DeviceFacts& device);

}  // namespace texelscope
