#pragma once
// Profile: the stored samples along a line of the image, and what each method makes of them.

#include <optional>
#include <string>
#include <vector>

#include "app/state/inspect_report.h"
#include "app/state/app_state.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// How finely curves are computed: nearest's steps and the 256 steps of the hardware path's weights are to be seen.
inline constexpr int points_per_column = 4, points_per_sample = 4, most_profile_points = 1 << 14;
inline constexpr int most_stored = 1 << 14;  // of more samples in view none are listed

// The whole line over an image, without values: a row or a column from edge to edge, at the sample nearest to the
// line's a; or from a to b. No channels where the line has no length.
ProfileReport profile_along(const ProfileLine& line, const Image& image);

// Chooses the points from `from` to `to` (in the terms of `at`, cut to the line), `columns` pixels wide, and lists the
// stored samples among them: those of the row or column, or those within half a sample of a line.
void place_points(ProfileReport& profile, const Image& image, double from, double to, int columns);

// Adds a pane's reconstruction, extended beyond the edges by its address modes. `to_pane`: from the sample space of the
// line to that of the pane's image, where they differ. Throws OutOfMemory or Error.
void add_curve(ProfileReport& profile, int pane, SourceImage& source, const MethodSpec& spec,
               const std::optional<Affine>& to_pane = {});

// A table: position along the line, x and y (not for a row or column, where the position is one of them, and the other
// is in no need of a column), the stored sample where there is one, each curve's channels. A header line names the
// columns; `specs` are those of all panes, A first. Numbers read back as the same values.
std::string profile_as_csv(const ProfileReport& profile, const std::vector<std::string>& specs);

// The value that one curve shows of a pixel's channels: luma (Rec. 709 weights, of the values as they are) for −1 where
// there are colours, else that channel.
double profile_value(const std::array<float, 4>& value, int channels, bool has_alpha, int channel);

}  // namespace texelscope
