#pragma once
// Figures of maps of errors. Internal to this folder.

#include <memory>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/compare/error_map.h"

namespace texelscope {

// The maps of errors of one method after the other, in memory of the backend, and their figures.
class ErrorMaps {
public:
    // `rows`: of ΔE2000.
    ErrorMaps(Backend& backend, Extent size, const std::vector<int>& rows)
        : backend_(backend),
          row_count_(int(rows.size())),
          rows_(backend.allocate(rows.size() * sizeof(int))),
          map_(backend.allocate(size_t(size.width) * size_t(size.height) * sizeof(float))) {
        backend.write(rows_.get(), rows.data(), rows.size() * sizeof(int));
    }

    MapFigures figures(ErrorMapJob job, const Interior& interior, MapFigures& inside) {
        if (job.kind == DifferenceKind::delta_e) {
            job.rows = static_cast<const int*>(rows_.get());
            job.row_count = row_count_;
        }
        auto* map = static_cast<float*>(map_.get());
        backend_.map_errors(job, map);
        return backend_.map_figures({.map = map,
                                     .width = job.width,
                                     .height = job.height,
                                     .rows = job.rows,
                                     .row_count = job.row_count,
                                     .inside = interior,
                                     .step = map_step(job.kind)},
                                    &inside);
    }

private:
    Backend& backend_;
    int row_count_;
    std::shared_ptr<void> rows_, map_;
};

}  // namespace texelscope
