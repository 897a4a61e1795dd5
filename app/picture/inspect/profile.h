#pragma once
// Profiles: the stored samples along a visible line of the image, and the reconstruction of each method.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/drawing/plot.h"
#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/text/text.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/tiles/regions.h"

namespace texelscope {

// Stored samples of an image that is not in memory.

// The samples of a region, which may be beyond the edges, where the address modes extend the image: f32, with the alpha
// that the source's renderings have (premultiplied). To a rounding of float32 if the source is linear light. None if
// they have still to come.
std::optional<Image> stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region);

// A part of an image, as an image of its own: sample (0, 0) of it is (x, y) of the whole.
struct PartOfImage {
    Image samples;  // as stored_samples() has them
    int x = 0, y = 0;
};

// The samples around the line from a to b, with as many as `reach` says; empty if that is too much to be read for a line.
SampleRegion region_between(const SourceImage& source, Point a, Point b, const RegionReach& reach);

// That region as an image of its own; none if its samples have still to come.
std::optional<PartOfImage> part_of(SourceImage& source, const AddressPair& address, const SampleRegion& region);

// Lines of the current image in a pane: the part that the pane shows, and its position on the pane's own image.

// In units of the profile's `at`; the whole line if the pane shows nothing of it. Ignores a warp.
PlotZoom visible_part(const AppState& state, int pane, const ProfileReport& line);

// From the sample space of the current image to that of the pane's image, as its linked view relates them; empty if
// they are the same.
std::optional<Affine> to_pane(const AppState& state, int pane);

// Profile: the stored samples along a line of the image, and each method's reconstruction.

// Points per curve: enough to show the steps of nearest and the 256 steps of the hardware path's weights.
inline constexpr int points_per_column = 4, points_per_sample = 4, most_profile_points = 1 << 14;
inline constexpr int most_stored = 1 << 14;  // if more samples are in view, none are listed

// The whole line over an image, without values: a row or a column from edge to edge, at the sample nearest to the
// line's a; or from a to b. No channels if the line has no length.
ProfileReport profile_along(const ProfileLine& line, const Image& image);

// Chooses the points from `from` to `to` (in units of `at`, limited to the line), `columns` pixels wide, and lists the
// stored samples among them: those of the row or column, or those within half a sample of a line.
// If the image is not in memory, those that are in `part`; if that is empty, the points are evenly spaced.
void place_points(ProfileReport& profile, const Image& image, double from, double to, int columns,
                  const PartOfImage* part = nullptr);

// Adds a pane's reconstruction, extended beyond the edges by its address modes. `to_pane`: from the sample space of the
// line to that of the pane's image, if they differ. Throws OutOfMemory or Error.
void add_curve(ProfileReport& profile, int pane, SourceImage& source, const MethodSpec& spec,
               const std::optional<Affine>& to_pane = {});

// Adds a pane's curve from the values at the points, premultiplied, `channels` each.
void add_curve(ProfileReport& profile, int pane, std::span<const float> values, int channels, bool has_alpha);

// A table: position along the line, x and y (not for a row or column, where the position is one of them and the other
// is constant), the stored sample if there is one, each curve's channels. A header line names the columns; `specs` are
// those of all panes, A first. Numbers read back as the same values.
std::string profile_as_csv(const ProfileReport& profile, const std::vector<std::string>& specs);

// The value that a curve shows for a pixel: for channel −1 of a colour image its luma (Rec. 709 weights applied to the
// values as they are), else that channel. NaN, a gap, for a colour whose alpha rounds to zero in 8 bits: it cannot be
// seen, and it may be mostly rounding.
double profile_value(const std::array<float, 4>& value, int channels, bool has_alpha, int channel);

// A profile as a plot.

// The channel as in profile_value. The y axis, in this unit, covers all finite values with a small margin.
Plot profile_plot(const ProfileReport& profile, int channel, const ValueScale& scale = {});

// "value (0–255)".
std::string value_axis(const ValueScale& scale);

// The stage: a line of samples, the weighted functions beneath their sum, and its spectrum.

// What the stage shows of a signal beside its line, for the method of `spec`: the parts that add up to its curve there,
// exact in float64 but for the texels, and amplitudes, gains and response. `source` is of the signal. At most
// longest_transformed samples in the middle are transformed.
void add_parts(StageReport& stage, SourceImage& source, const MethodSpec& spec);
void add_spectrum(StageReport& stage, const Image& image, const MethodSpec& spec, bool windowed);

// Σ of the parts at `at`, a value along the line.
double sum_of_parts(const StageReport& stage, double at);

// The three plots of the stage: x in the line's own units, frequencies in cycles per unit.
Plot line_plot(const StageReport& stage, const ValueScale& scale = {});
Plot parts_plot(const StageReport& stage, const ValueScale& scale = {});
Plot amplitude_plot(const StageReport& stage);

// Largest errors on waves by samples per period, both axes logarithmic.
Plot order_plot(const CurvesReport& report);

// An axis from the smallest to the largest finite value of the series, with a small margin; at least `least` long.
void fit_axis(PlotAxis& axis, const std::vector<Series>& series, double least);

}  // namespace texelscope
