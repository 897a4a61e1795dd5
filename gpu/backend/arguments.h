#pragma once
// Checks of what callers hand over, all in one place, before anything is computed or enqueued. Every function throws
// Error with one sentence that names the argument, what is wrong with it and what would be right.

#include "gpu/backend/backend.h"

namespace texelscope {

// The longest side of an image or an output, pixels: up to here all indices, also those of a mirrored signal and of the
// numbers in a row of four channels with margins, are 32-bit integers.
inline constexpr int max_side = (1 << 29) - (1 << 12);

// Images of a batch are layers of a launch: so many at most, of so many rows. Throws Error for others.
inline constexpr int most_batched_images = 65535, most_batched_rows = 1 << 16;
void check_images(const ImageView& view);
void check_batch(int images, int channels, const Resampling& request, const RenderTarget& target);

// A method, its parameters within their ranges, and an existing prefilter.
void check_spec(const MethodSpec& spec);

// Sides from 1 to max_side.
void check_output_size(int width, int height);

// A timer, or no_timer.
void check_timer(int timer);

// Samples that can be read in place (see Backend::adopt). Does not check what kind of memory they are in.
void check_view(const ImageView& image);

// An image to upload.
void check_image(const Image& image);
void check_image(const std::shared_ptr<const Image>& image);

// A derivative that the method has.
void check_derivative(Derivative derivative, const MethodInfo& method, bool one_dimensional);

// Points in memory of the backend, or of the host, at least as many as there are pixels.
void check_points(const BackendMemory& backend, const PointsView& points, const ResidentImage& image, size_t pixels);
void check_host_points(const BackendMemory& backend, const PointsView& points, const ResidentImage& image);

// All arguments of Backend::resample and Backend::resample_reference.
void check_resampling(const Backend& backend, const ResidentImage& image, const Resampling& request,
                      const RenderTarget& target);
void check_reference(const BackendMemory& backend, const ResidentImage& image, const Resampling& request,
                     const double* values);

// The arguments of Backend::display, compare, map_errors, sum_map and write_warped_points.
void check_display(const BackendMemory& backend, const DisplayJob& job);
void check_comparison(const BackendMemory& backend, const MeasureJob& job, const ComparisonSums* sums);
void check_error_map(const BackendMemory& backend, const ErrorMapJob& job, const float* map);
void check_map_sums(const BackendMemory& backend, const MapSumJob& job, const BothMapSums* sums);
void check_warped_grid(const BackendMemory& backend, const WarpedGrid& grid, const double* points);

// The arguments of Backend::write, read_back and copy.
void check_transfer(const BackendMemory& backend, const void* memory, const void* host, size_t bytes);
void check_copy(const BackendMemory& backend, const void* to, const void* from, size_t bytes);

// Samples; coefficients are refused.
void check_are_samples(bool holds_coefficients);

// Coefficients whose margins are those of the spec's address modes.
void check_coefficients(const TexelArray& coefficients, const AddressPair& address);

}  // namespace texelscope
