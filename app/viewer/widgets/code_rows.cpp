#include "app/viewer/widgets/code_rows.h"

#include <algorithm>

namespace texelscope::gui {

CodeRows::CodeRows(const std::vector<int>& following) : starts_{0} {
    for (const int rows : following) starts_.push_back(starts_.back() + 1 + rows);
    if (following.empty()) starts_.push_back(1);
}

int CodeRows::line_at(int row) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), row);
    return std::clamp(int(next - starts_.begin()) - 1, 0, lines() - 1);
}

}  // namespace texelscope::gui
