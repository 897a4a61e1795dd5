// MethodSpec and its written form.

#include <gtest/gtest.h>

#include "gpu/core/errors.h"
#include "gpu/method/spec.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
