#pragma once
// A small picture of the rows that have been decoded so far.

#include <memory>
#include <mutex>

#include "gpu/core/image.h"

namespace texelscope {

// Fed by the thread that reads, asked by the window.
class Preview {
public:
    // The first `rows` rows are complete. A few samples of each new row that counts.
    void note(const Image& so_far, int rows);

    // u8×3, at most `longest_side` wide and high; rows to come are grey. Null before the first row, or if there is
    // nothing new.
    std::shared_ptr<const Image> take();
    static constexpr int longest_side = 240;

private:
    std::mutex mutex_;
    Image small_;
    int step_ = 1, done_ = 0;  // samples from one to the next; small rows
    bool news_ = false;
};

}  // namespace texelscope
