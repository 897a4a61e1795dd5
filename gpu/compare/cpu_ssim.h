#pragma once
// SSIM on the host, in tiles that fit into the nearer caches. Internal to this folder.

#include <vector>

#include "gpu/compare/compared_pixel.h"

namespace texelscope {

class SsimStrips {
public:
    // `mask`: 1 for each pixel that is compared. Both outlive it.
    SsimStrips(const MeasureJob& job, const std::vector<unsigned char>& mask);

    int count() const;

    // Of the windows whose first rows belong to this strip. May be called from several threads.
    BothSsim sums(int strip) const;

private:
    // By window of a row: nothing, or what it belongs to.
    enum Part : unsigned char { none, outside, inside };
    void find_windows(int row, std::vector<unsigned char>& fits, Part* parts) const;

    const MeasureJob& job_;
    ComparedPlanes planes_;
    const std::vector<unsigned char>& mask_;
    SsimWindow window_;
    size_t width_;
};

}  // namespace texelscope
