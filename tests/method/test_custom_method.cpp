// Methods that a text defines: their record, what they are equal to, and their written form.

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>

#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "gpu/method/weights_text.h"
#include "tests/support/refusal.h"

namespace texelscope {
namespace {

using ::testing::HasSubstr;

const std::string keys =
    "name = Keys\nradius = 2\nparameter a = -0.5 from -1 to 0\n"
    "w(x) = abs(x) < 1 ? (a+2)*abs(x)^3 - (a+3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)\n";
const std::string bspline = "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6";

TEST(CustomMethod, ItsRecordSaysWhatFollowsFromTheFormula) {
    const MethodInfo& method = custom_method(keys);
    EXPECT_EQ(method.id, "custom");
    EXPECT_EQ(method.name, "Keys");
    EXPECT_EQ(method.taps, 4);
    EXPECT_EQ(method.hardware_fetches, 3);
    EXPECT_EQ(method.order, 3);
    EXPECT_EQ(method.smoothness, 1);
    EXPECT_TRUE(method.interpolating);
    EXPECT_FALSE(method.has_prefilter());
    ASSERT_EQ(method.parameters.size(), 1u);
    EXPECT_EQ(method.parameters[0].id, "a");
    EXPECT_EQ(method.parameters[0].standard, -0.5);
    EXPECT_EQ(&custom_method(keys), &method);

    const MethodInfo& spline = custom_method(bspline);
    EXPECT_TRUE(spline.has_prefilter());
    EXPECT_EQ(spline.order, 4);
    EXPECT_EQ(spline.order_unfiltered, 2);
    EXPECT_EQ(spline.hardware_fetches, 2);
    EXPECT_FALSE(custom_method(bspline + "\nprefilter = none").has_prefilter());
}

TEST(CustomMethod, EvenSmoothFunctionsOfUpToEightTapsShareTheFastCode) {
    const auto shared = [](const std::string& text) {
        const MethodInfo& method = custom_method(text);
        return method.custom->weights(method.standard_parameters())->shared.taps;
    };
    EXPECT_EQ(shared(bspline), 4);
    EXPECT_EQ(shared("radius = 4\nw(x) = sinc(x)*sinc(x/4)"), 8);
    EXPECT_EQ(shared("radius = 5\nw(x) = sinc(x)*sinc(x/5)"), 0);     // ten taps
    EXPECT_EQ(shared("radius = 2\nw(x) = x < 0.3 ? 1 : 0"), 0);       // uneven
    EXPECT_EQ(shared("radius = 2\nw(x) = abs(x) < 0.3 ? 1 : 0"), 0);  // jumps between samples
    EXPECT_EQ(shared("radius = 2\nw(x) = max(0, 1.3 - abs(x))"), 0);  // a kink between samples
}

TEST(CustomMethod, WeightsAreWithinAMillionthOfTheFormula) {
    for (const std::string& text : {keys, bspline, std::string("radius = 8\nw(x) = sinc(x)*sinc(x/8)\nnormalise = yes"),
                                    std::string("radius = 3\nw(x) = x < -1 ? 0.2*x : exp(-x*x)")}) {
        const MethodInfo& method = custom_method(text);
        const MethodParameters standard = method.standard_parameters();
        EXPECT_LT(method.custom->weights(standard)->largest_error, 1e-6);
        for (int i = 0; i < 512; ++i) {
            const float t = float(i) / 512;
            const std::vector<float> w = method.tap_weights(t, standard);
            ASSERT_EQ(int(w.size()), method.taps);
            for (int k = 0; k < method.taps; ++k)
                EXPECT_NEAR(w[size_t(k)], method.weight(double(t) + method.taps / 2 - 1 - k, standard), 1e-6);
        }
    }
}

TEST(CustomMethod, TheSpecReadsItselfBack) {
    MethodSpec spec = default_spec(custom_method(keys));
    spec.parameters.value[0] = -0.75;
    spec.path = FetchPath::lookup;
    spec.address = {AddressMode::mirror, AddressMode::wrap};
    EXPECT_EQ(parse_spec(to_string(spec)), spec);
    EXPECT_EQ(to_string(parse_spec(to_string(spec))), to_string(spec));
    EXPECT_EQ(decoded_text(encoded_text(keys)), keys);
    EXPECT_THAT(shown_spec_text(spec), HasSubstr("name=Keys"));
}

TEST(CustomMethod, AFileIsReadByItsName) {
    const std::string path = ::testing::TempDir() + "/texelscope_test.weights";
    std::ofstream(path) << keys;
    const MethodSpec spec = parse_spec("custom:file=" + path + ",a=-1,path=global");
    EXPECT_EQ(spec.method, &custom_method(keys));
    EXPECT_EQ(spec.parameters.value[0], -1);
    EXPECT_EQ(spec.path, FetchPath::global);
    std::ofstream(path) << "radius = 2\nw(x) = q";
    EXPECT_THROW(parse_spec("custom:file=" + path), FileError);
    EXPECT_THROW(parse_spec("custom:file=/nowhere.weights"), FileError);
    EXPECT_THROW(parse_spec("custom:file=" + ::testing::TempDir()), FileError);
    EXPECT_THROW(parse_spec("custom"), UsageError);
    EXPECT_THROW(parse_spec("custom:path=global"), UsageError);
    EXPECT_THROW(parse_spec("custom:text=%4"), UsageError);
    EXPECT_THROW(parse_spec("custom:text=radius"), UsageError);
    std::remove(path.c_str());
}

TEST(CustomMethod, TheTextOfEveryBuiltInMethodHasItsWeights) {
    for (const MethodInfo* built_in : all_methods()) {
        if (is_polar(*built_in)) {  // a text is of weights along the axes
            EXPECT_THROW(weights_text(default_spec(*built_in)), Error);
            continue;
        }
        const MethodInfo& copy = custom_method(weights_text(default_spec(*built_in)));
        const MethodParameters standard = built_in->standard_parameters();
        EXPECT_EQ(copy.standard_parameters(), standard) << built_in->id;
        for (double x = -4.51; x < 4.6; x += 0.0173)
            ASSERT_NEAR(copy.weight(x, standard), built_in->weight(x, standard), 1e-12) << built_in->id << " at " << x;
        EXPECT_EQ(copy.order_unfiltered, built_in->order_unfiltered) << built_in->id;
        // The second derivative of the Gaussian jumps by 10⁻¹³ at its end.
        if (built_in->id == "gaussian") continue;
        EXPECT_EQ(copy.smoothness, built_in->smoothness) << built_in->id;
        EXPECT_EQ(weights_text(default_spec(copy)), weights_text(default_spec(*built_in)));
    }
}

TEST(CustomMethod, ParametersForWhichThereAreNoWeightsAreRefusedWithTheirValues) {
    const MethodInfo& method = custom_method("radius = 2\nparameter a = 1 from 0 to 2\nw(x) = abs(x) < 1 ? 1/a : 0");
    MethodParameters zero;
    EXPECT_THROW(method.custom->weights(zero), Error);
    try {
        method.custom->weights(zero);
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("infinite at x ="));
        EXPECT_THAT(error.what(), HasSubstr("a = 0"));
    }
}

}  // namespace
}  // namespace texelscope
