// The tables of enumerations whose values have names.

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/core/image.h"
#include "gpu/core/warp.h"
#include "gpu/display/display_settings.h"

namespace texelscope::test {
namespace {

template <class Choice> class NamesOf : public testing::Test {};
using Choices = testing::Types<AddressMode, Align, Alpha, Warp::Kind, ColourMap, ChannelView, ComplexView, Backdrop,
                               ToneCurve, DifferenceKind>;
TYPED_TEST_SUITE(NamesOf, Choices);

TYPED_TEST(NamesOf, EachValueHasARowAndANameOfItsOwn) {
    std::set<int> values;
    std::set<std::string_view> names;
    for (const auto& row : names_table(TypeParam{})) {
        values.insert(int(row.value));
        names.insert(row.name);
        EXPECT_EQ(name_of(row.value), row.name);
    }
    EXPECT_EQ(names.size(), all_values<TypeParam>.size());
    EXPECT_EQ(values.size(), all_values<TypeParam>.size());
    EXPECT_EQ(*values.begin(), 0);
    EXPECT_EQ(*values.rbegin(), int(values.size()) - 1) << "a value between has no row";
    EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace texelscope::test
