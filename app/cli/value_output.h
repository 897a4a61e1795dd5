#pragma once
// Interpolated values of points, written as they arrive: a table of text, or a NumPy array.

#include <memory>
#include <span>
#include <string>

#include "app/files/tables/points_file.h"
#include "gpu/core/sample_type.h"

namespace texelscope {

// Without commit() the file is left as it was; output to stdout cannot be undone.
class ValueOutput {
public:
    virtual ~ValueOutput() = default;

    // Values of the points from number `first` on, `channels` of each.
    virtual void write(size_t first, std::span<const StoredNumber> values) = 0;
    virtual void commit() = 0;
};

// Throws UsageError unless the name is empty, "-" (stdout), a stream, or ends in .csv, .tsv, .txt, .dat or .npy.
void check_value_output_name(const std::string& name);

// Opens an output for channels `names`. Tables have a header if the points had one; arrays have samples of type `type`.
// Throws FileError.
std::unique_ptr<ValueOutput> open_value_output(const std::string& name, const PointList& points,
                                               std::span<const std::string> names, SampleType type);

}  // namespace texelscope
