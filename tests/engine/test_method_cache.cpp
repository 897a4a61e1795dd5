// What is kept for a method with its parameters, and for how long.

#include <gtest/gtest.h>

#include "gpu/backend/method_cache.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

// A spec whose first parameter has this value.
MethodSpec mitchell(double b) {
    MethodSpec spec = default_spec(*find_method("mitchell"));
    spec.parameters.value[0] = b;
    return spec;
}

TEST(MethodCache, AValueIsMadeOnce) {
    MethodCache<double> cache(4);
    int made = 0;
    for (int round = 0; round < 3; ++round)
        for (const double b : {0.1, 0.2})
            for (const bool derivative : {false, true}) {
                const double value = b + derivative;
                EXPECT_EQ(cache.get(mitchell(b), derivative, [&] { return ++made, value; }), value);
            }
    EXPECT_EQ(made, 4);
    EXPECT_EQ(cache.get(default_spec(*find_method("bspline")), false, [] { return 7.0; }), 7);
}

// A job points to the tables of two axes, however many others were requested before.
TEST(MethodCache, TheLeastRecentlyUsedGoesFirst) {
    MethodCache<double> cache(3);
    const auto get = [&](double b, bool& made) -> const double& {
        made = false;
        return cache.get(mitchell(b), false, [&] { return made = true, b; });
    };
    bool made = false;
    const double& first = get(0.1, made);
    get(0.2, made);
    get(0.3, made);
    get(0.1, made);
    EXPECT_FALSE(made);
    get(0.4, made);  // instead of 0.2
    EXPECT_TRUE(made);
    EXPECT_EQ(&get(0.1, made), &first);
    EXPECT_FALSE(made);
    get(0.3, made);
    EXPECT_FALSE(made);
    get(0.2, made);
    EXPECT_TRUE(made);
}

TEST(MethodCache, WhatCouldNotBeMadeIsMadeTheNextTime) {
    MethodCache<double> cache(2);
    EXPECT_THROW(cache.get(mitchell(0.1), false, []() -> double { throw OutOfMemory("none"); }), OutOfMemory);
    EXPECT_EQ(cache.get(mitchell(0.1), false, [] { return 5.0; }), 5);
}

}  // namespace
}  // namespace texelscope::test
