// Methods with their parameters as text, and methods that a text defines.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "tests/support/backends.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// MethodSpec and its written form.

// Runs the parser and returns its message; fails if it accepts the text.
template <class Parser> std::string message_of(Parser parser, std::string_view text) {
    try {
        parser(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    ADD_FAILURE() << "accepted '" << text << "'";
    return "";
}

const auto spec_parser = [](std::string_view text) { return parse_spec(text); };
const auto prefilter_parser = [](std::string_view text) { return parse_prefilter(text); };

TEST(Spec, DefaultsAreAutoClampIir) {
    for (const MethodInfo* method : all_methods()) {
        const MethodSpec spec = default_spec(*method);
        EXPECT_EQ(spec.method, method);
        EXPECT_EQ(spec.path, FetchPath::automatic);
        EXPECT_EQ(spec.address, AddressPair{});
        EXPECT_EQ(spec.prefilter.kind, Prefilter::Kind::iir);
        EXPECT_EQ(spec, parse_spec(method->id));
    }
}

TEST(Spec, EveryPartIsRead) {
    const MethodSpec spec = parse_spec("bspline:prefilter=fir15,path=hardware,address=mirror/wrap");
    EXPECT_EQ(spec.method, find_method("bspline"));
    EXPECT_EQ(spec.prefilter, fir(15));
    EXPECT_EQ(spec.path, FetchPath::hardware);
    EXPECT_EQ(spec.address, (AddressPair{AddressMode::mirror, AddressMode::wrap}));
}

TEST(Spec, CoefficientsAreFloatUnlessHalfIsAskedFor) {
    EXPECT_FALSE(parse_spec("bspline").prefilter.half_float);
    EXPECT_FALSE(parse_spec("bspline:coefficients=float").prefilter.half_float);
    for (const std::string_view text :
         {"bspline:coefficients=half,prefilter=fir7", "bspline:prefilter=fir7,coefficients=half"}) {
        const MethodSpec spec = parse_spec(text);
        EXPECT_TRUE(spec.prefilter.half_float) << text;
        EXPECT_EQ(spec.prefilter.taps, 7) << text;
    }
    EXPECT_NE(parse_spec("bspline:coefficients=half"), parse_spec("bspline"));
    EXPECT_EQ(parse_spec("bspline:prefilter=none,coefficients=half"), parse_spec("bspline:prefilter=none"));
    const std::string message = message_of(spec_parser, "bspline:coefficients=double");
    for (const std::string_view part : {"double", "float", "half"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Spec, EverySpecIsReadBackFromItsWrittenForm) {
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : all_fetch_paths)
            for (const AddressPair& address : all_address_pairs())
                for (const Prefilter& prefilter : all_prefilters(*method)) {
                    MethodSpec spec = default_spec(*method);
                    spec.path = path;
                    spec.address = address;
                    if (method->has_prefilter()) spec.prefilter = prefilter;  // the others have nothing to write
                    ASSERT_EQ(parse_spec(to_string(spec)), spec);
                    if (!method->has_prefilter()) continue;
                    spec.prefilter.half_float = true;
                    ASSERT_EQ(parse_spec(to_string(spec)), spec);
                }
}

TEST(Spec, ABorderValueIsReadBackFromItsWrittenForm) {
    for (const AddressPair& address : all_address_pairs())
        for (const BorderValue& border : {BorderValue{{0.2f}, 1}, BorderValue{{-1e-7f, 3e8f}, 2},
                                          BorderValue{{1.0f / 3, 0.25f, 1}, 3}, BorderValue{{0, 0, 0, 0}, 4}}) {
            MethodSpec spec = default_spec(parse_method("bspline"));
            spec.address = with_modes({{}, {}, border}, address);
            if (address.has_border()) EXPECT_EQ(parse_spec(to_string(spec)), spec) << to_string(spec);
            else EXPECT_EQ(to_string(spec).find("border="), std::string::npos);
        }
    EXPECT_EQ(to_string(parse_spec("nearest:address=border,border=0.2:0.4:0.6")),
              "nearest:path=auto,address=border,border=0.2:0.4:0.6");
    EXPECT_EQ(to_string(parse_spec("nearest:address=border/wrap,border=0")), "nearest:path=auto,address=border/wrap");
}

TEST(Spec, ABorderValueStaysWithOtherModesOfTheDefaults) {
    const MethodSpec defaults = parse_spec("bspline:address=border,border=0.5");
    EXPECT_EQ(parse_spec("nearest", &defaults).address, defaults.address);
    EXPECT_EQ(parse_spec("nearest:address=wrap/border", &defaults).address.border, defaults.address.border);
    EXPECT_EQ(parse_spec("nearest:border=1", &defaults).address.border.value[0], 1);
    EXPECT_EQ(to_string(parse_spec("nearest:address=wrap", &defaults)), "nearest:path=auto,address=wrap");
}

TEST(Spec, EveryParameterValueIsReadBackFromItsWrittenForm) {
    for (const MethodInfo* method : all_methods())
        for (size_t i = 0; i < method->parameters.size(); ++i)
            for (const double part : {0.0, 1.0 / 3, 0.7, 1.0}) {
                MethodSpec spec = default_spec(*method);
                const ParameterInfo& p = method->parameters[i];
                spec.parameters.value[i] = p.minimum + part * (p.maximum - p.minimum);
                EXPECT_EQ(parse_spec(to_string(spec)), spec) << to_string(spec);
            }
}

TEST(Spec, ParametersAreReadByTheirIdsAndTheOthersAreStandard) {
    const MethodSpec both = parse_spec("bc:b=0.2,c=0.4");
    EXPECT_EQ(both.method, find_method("bc"));
    EXPECT_EQ(both.parameters.value[0], 0.2);
    EXPECT_EQ(both.parameters.value[1], 0.4);
    EXPECT_EQ(parse_spec("bc:c=0.4,path=global,b=0.2").parameters, both.parameters);
    EXPECT_EQ(parse_spec("bc:c=0.4").parameters.value[0], 1.0 / 3);
    EXPECT_EQ(parse_spec("bicubic").parameters.value[0], -0.75);
    EXPECT_EQ(parse_spec("bicubic:a=-0.5").parameters.value[0], -0.5);
    EXPECT_EQ(parse_spec("gaussian:sigma=0.6,address=wrap").parameters.value[0], 0.6);
    EXPECT_NE(parse_spec("bicubic:a=-0.5"), parse_spec("bicubic"));
}

// Another method's parameters are other numbers, even at the same index.
TEST(Spec, ParametersGoOverFromTheDefaultsOnlyWithinTheMethod) {
    const MethodSpec defaults = parse_spec("bc:b=0.2,c=0.4");
    EXPECT_EQ(parse_spec("bc", &defaults).parameters, defaults.parameters);
    EXPECT_EQ(parse_spec("bc:b=1", &defaults).parameters.value[1], 0.4);
    EXPECT_EQ(parse_spec("bicubic", &defaults).parameters, find_method("bicubic")->standard_parameters());
    EXPECT_EQ(parse_spec("mitchell", &defaults).parameters, MethodParameters{});
}

TEST(Spec, ParametersOutsideTheirRangeAndDamagedOnesAreErrors) {
    for (const std::string_view text :
         {"bc:b=-0.1", "bc:b=1.01", "bc:c=2", "bicubic:a=0.1", "bicubic:a=-1.1", "bicubic:b=0", "gaussian:sigma=0",
          "gaussian:sigma=100", "bc:b=nan", "bc:b=inf", "bc:b=", "bc:b=1/3", "bc:b=0,5", "bc:b= 0.5", "bc:B=0.5",
          "bc:b=0x1", "mitchell:c=0.3"})
        EXPECT_NE(message_of(spec_parser, text), "") << text;
    const std::string message = message_of(spec_parser, "bicubic:a=0.5");
    for (const std::string_view part : {"a of bicubic", "-1", "0", "0.5"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Spec, WhatIsNotWrittenComesFromTheDefaultsThatAreGiven) {
    const MethodSpec defaults = parse_spec("bspline:prefilter=fir7,path=lookup,address=border/mirror");
    const MethodSpec spec = parse_spec("catmull-rom:path=global", &defaults);
    EXPECT_EQ(spec.method, find_method("catmull-rom"));
    EXPECT_EQ(spec.path, FetchPath::global);
    EXPECT_EQ(spec.address, defaults.address);
    EXPECT_EQ(spec.prefilter, defaults.prefilter);
}

TEST(Spec, APrefilterIsInEffectOnlyWhereTheMethodHasPoles) {
    EXPECT_EQ(parse_spec("bspline").effective_prefilter().kind, Prefilter::Kind::iir);
    EXPECT_EQ(parse_spec("bilinear").effective_prefilter().kind, Prefilter::Kind::none);
}

TEST(Spec, AddressesAreOneModeOrTwo) {
    EXPECT_EQ(parse_address("mirror"), (AddressPair{AddressMode::mirror, AddressMode::mirror}));
    EXPECT_EQ(parse_address("mirror,wrap"), (AddressPair{AddressMode::mirror, AddressMode::wrap}));
    EXPECT_EQ(parse_address("clamp/border"), (AddressPair{AddressMode::clamp, AddressMode::border}));
    EXPECT_EQ(to_string(AddressPair{AddressMode::wrap, AddressMode::wrap}), "wrap");
    EXPECT_EQ(to_string(AddressPair{AddressMode::wrap, AddressMode::clamp}), "wrap/clamp");
}

TEST(Spec, PrefiltersAreNoneFirWithOddTapsOrIir) {
    EXPECT_EQ(parse_prefilter("none").kind, Prefilter::Kind::none);
    EXPECT_EQ(parse_prefilter("iir").kind, Prefilter::Kind::iir);
    EXPECT_EQ(parse_prefilter("fir"), fir(15));
    for (int taps = 3; taps <= 31; taps += 2) {
        EXPECT_EQ(parse_prefilter("fir" + std::to_string(taps)), fir(taps));
        EXPECT_EQ(to_string(fir(taps)), "fir" + std::to_string(taps));
    }
}

TEST(Spec, WordsThatAreNotKnownAreErrorsThatNameTheWordAndWhatWouldBeRight) {
    const auto expect = [](std::string message, std::string_view word, std::string_view right) {
        EXPECT_NE(message.find(word), std::string::npos) << message;
        EXPECT_NE(message.find(right), std::string::npos) << message;
    };
    expect(message_of(parse_method, "cubic"), "cubic", "catmull-rom");
    expect(message_of(parse_path, "texture"), "texture", "hardware");
    expect(message_of(parse_address_mode, "reflect"), "reflect", "mirror");
    expect(message_of(parse_address, "clamp,repeat"), "repeat", "wrap");
    expect(message_of(prefilter_parser, "exact"), "exact", "iir");
    expect(message_of(parse_backend, "gpu"), "gpu", "cuda");
    expect(message_of(spec_parser, "bspline:prefilter=fir15,filter=3"), "filter", "path");
    expect(message_of(spec_parser, "bspline:path=tex"), "tex", "lookup");
    expect(message_of(spec_parser, "Bilinear"), "Bilinear", "bilinear");
}

TEST(Spec, DamagedPrefiltersAreErrors) {
    for (const std::string_view text :
         {"", "fir0", "fir1", "fir2", "fir16", "fir33", "fir-3", "fir+3", "fir3.0", "fir15x", "fir 15", "fir15 ",
          "FIR15", "fir4294967299", "fir99999999999999999999", "fir0x0f", "iir3", "none "})
        EXPECT_NE(message_of(prefilter_parser, text), "") << text;
}

TEST(Spec, DamagedAddressesAreErrors) {
    for (const std::string_view text :
         {"", ",", "/", "clamp,", "/clamp", "clamp,wrap,mirror", "clamp/wrap/mirror", "clamp wrap", "Clamp", " clamp"})
        EXPECT_NE(message_of(parse_address, text), "") << text;
}

TEST(Spec, DamagedBorderValuesAreErrors) {
    for (const std::string_view text :
         {"", ":", "0.5:", ":0.5", "nan", "inf", "-inf", "1e39", "0.5 ", " 0.5", "0,5", "half", "0x1", "+1", "1::2"})
        EXPECT_NE(message_of(parse_border, text).find("finite number"), std::string::npos) << text;
    EXPECT_NE(message_of(parse_border, "1:2:3:4:5").find("5 numbers"), std::string::npos);
    EXPECT_NE(message_of(spec_parser, "bspline:border=0.5").find("address=border"), std::string::npos);
    EXPECT_NE(message_of(spec_parser, "bspline:border=0.5,address=wrap/mirror").find("address=border"),
              std::string::npos);
}

TEST(Spec, DamagedSpecsAreErrors) {
    for (const std::string_view text :
         {"", ":", ":path=global", "bspline:", "bspline:path", "bspline:path=", "bspline:=global",
          "bspline:path=global,", "bspline:,path=global", "bspline:address=mirror,wrap", "bspline:a=1",
          "mitchell:b=0.2", " bspline", "bspline;path=global"})
        EXPECT_NE(message_of(spec_parser, text), "") << text;
}

TEST(Spec, TheBackendIsAutoCudaOrCpu) {
    EXPECT_EQ(parse_backend("auto"), BackendChoice::automatic);
    EXPECT_EQ(parse_backend("cuda"), BackendChoice::cuda);
    EXPECT_EQ(parse_backend("cpu"), BackendChoice::cpu);
}

using ::testing::HasSubstr;

// Methods that a text defines: their record, what they are equal to, and their written form.

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
}  // namespace texelscope::test
