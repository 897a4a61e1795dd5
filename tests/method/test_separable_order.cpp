// The order of the axes on the CPU: a row is filtered as seldom as possible, unless that adds many more numbers.

#include <gtest/gtest.h>

#include "gpu/method/cpu_separable.h"

namespace texelscope::test {
namespace {

ResampleJob separable_job(int channels, double scale_x, double scale_y) {
    ResampleJob job;
    job.source.channels = channels;
    job.source.width = job.source.height = 1000;
    job.positions = {scale_x, 0, 0, 0, scale_y, 0};
    return job;
}

TEST(SeparableOrder, RowsAreAddedFirstWhereTheyAreManyForEachPixel) {
    for (const int channels : {1, 2, 3, 4}) {
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 10.0 / 3, 10.0 / 3), 20, 20));  // lanczos3, the photograph
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 2, 2), 4, 4));
        EXPECT_TRUE(adds_rows_first(separable_job(channels, 0.5, 3), 4, 12));  // only the rows shrink
    }
}

TEST(SeparableOrder, ColumnsAreFilteredFirstWhereOutputRowsShareThem) {
    for (const int channels : {1, 2, 3, 4}) {
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 0.125, 0.125), 4, 4));
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 4, 0.125), 16, 4));  // only the columns shrink
        EXPECT_FALSE(adds_rows_first(separable_job(channels, 0.5, 0.5), 8, 8));
    }
}

TEST(SeparableOrder, TurningOverChangesNothing) {
    EXPECT_TRUE(adds_rows_first(separable_job(3, -4, -4), 16, 16));
    EXPECT_FALSE(adds_rows_first(separable_job(3, -0.25, -0.25), 4, 4));
}

TEST(SeparableOrder, ASignalHasNoRowsToAdd) {
    ResampleJob job = separable_job(1, 4, 4);
    job.source.one_dimensional = true;
    EXPECT_FALSE(adds_rows_first(job, 24, 1));
}

}  // namespace
}  // namespace texelscope::test
