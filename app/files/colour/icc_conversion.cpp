#include "app/files/colour/icc_conversion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <lcms2.h>

#include "gpu/core/colour.h"
#include "gpu/core/errors.h"

namespace texelscope {

// Profiles as Little CMS has them.

struct CmsProfileCloser {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using CmsProfile = std::unique_ptr<void, CmsProfileCloser>;

namespace {

// The conversion to sRGB; null if this is no profile for inks.
cmsHTRANSFORM transform_of(const Bytes& icc, bool inverted, bool sixteen) {
    const CmsProfile profile(cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size()))),
        srgb(cmsCreate_sRGBProfile());
    if (!profile || cmsGetColorSpace(profile.get()) != cmsSigCmykData) return nullptr;
    const cmsUInt32Number intent = cmsGetHeaderRenderingIntent(profile.get());
    const cmsUInt32Number from = sixteen    ? inverted ? TYPE_CMYK_16_REV : TYPE_CMYK_16
                                 : inverted ? TYPE_CMYK_8_REV
                                            : TYPE_CMYK_8;
    return cmsCreateTransform(profile.get(), from, srgb.get(), sixteen ? TYPE_RGB_16 : TYPE_RGB_8,
                              intent <= INTENT_ABSOLUTE_COLORIMETRIC ? intent : INTENT_PERCEPTUAL,
                              cmsFLAGS_NOCACHE);  // many threads use it
}

template <class T, class Wide> void plain_srgb(const T* inks, T* rgb, int width, bool inverted) {
    constexpr Wide largest = std::numeric_limits<T>::max();
    const Wide flip = inverted ? 0 : largest;
    for (int x = 0; x < width; ++x, inks += 4, rgb += 3)
        for (int c = 0; c < 3; ++c) rgb[c] = T(((inks[c] ^ flip) * (inks[3] ^ flip) + largest / 2) / largest);
}

}  // namespace

void Inks::Delete::operator()(void* transform) const { cmsDeleteTransform(transform); }

Inks::Inks(const ColourProfile* profile, bool inverted, bool sixteen) : inverted_(inverted) {
    if (profile && profile->applied) transform_.reset(transform_of(profile->icc, inverted, sixteen));
}

void Inks::to_srgb(const uint8_t* inks, uint8_t* rgb, int width) const {
    if (transform_) return cmsDoTransform(transform_.get(), inks, rgb, cmsUInt32Number(width));
    plain_srgb<uint8_t, uint32_t>(inks, rgb, width, inverted_);
}

void Inks::to_srgb(const uint16_t* inks, uint16_t* rgb, int width) const {
    if (transform_) return cmsDoTransform(transform_.get(), inks, rgb, cmsUInt32Number(width));
    plain_srgb<uint16_t, uint64_t>(inks, rgb, width, inverted_);
}

LabToSrgb::LabToSrgb() {
    const CmsProfile lab(cmsCreateLab4Profile(nullptr)), srgb(cmsCreate_sRGBProfile());
    const cmsHTRANSFORM transform =
        lab && srgb ? cmsCreateTransform(lab.get(), TYPE_Lab_FLT, srgb.get(), TYPE_RGB_16, INTENT_RELATIVE_COLORIMETRIC,
                                         cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE)
                    : nullptr;
    if (!transform) throw OutOfMemory("not enough memory to read it");
    transform_ = {transform, cmsDeleteTransform};
}

void LabToSrgb::convert(const float* lab, uint16_t* rgb, int pixels) const {
    cmsDoTransform(transform_.get(), lab, rgb, cmsUInt32Number(pixels));
}

namespace {

using Kind = ColourConversion::Kind;
using Bytes = std::vector<std::byte>;

constexpr int curve_size = ColourConversion::curve_size, lattice_size = ColourConversion::lattice_size;

struct Deleter {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
struct CurveFreer {
    void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
using Transform = std::unique_ptr<void, Deleter>;
using Curve = std::unique_ptr<cmsToneCurve, CurveFreer>;

[[noreturn]] void damaged() { throw Error("it is damaged"); }

CmsProfile opened(const Bytes& icc) {
    if (icc.size() < 128 || icc.size() > size_t(1) << 30) damaged();
    CmsProfile profile(cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size())));
    if (!profile) damaged();
    return profile;
}

CmsProfile srgb() { return CmsProfile(cmsCreate_sRGBProfile()); }

Curve curve_of(double exponent) {
    if (exponent != 0) return Curve(cmsBuildGamma(nullptr, exponent));
    const double srgb_curve[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    return Curve(cmsBuildParametricToneCurve(nullptr, 4, srgb_curve));
}

// A profile with these chromaticities and this curve.
CmsProfile described(const ColourProfile& colours, int channels) {
    const auto& c = colours.chromaticities;
    const bool possible = std::all_of(c.begin(), c.end(), [](double v) { return std::abs(v) < 10; }) && c[1] != 0 &&
                          c[3] != 0 && c[5] != 0 && c[7] > 0 && colours.exponent >= 0 && colours.exponent <= 10;
    if (!possible) throw Error("its chromaticities or its gamma are impossible");
    const Curve curve = curve_of(colours.exponent);
    const cmsCIExyY white{c[6], c[7], 1};
    const cmsCIExyYTRIPLE primaries{{c[0], c[1], 1}, {c[2], c[3], 1}, {c[4], c[5], 1}};
    cmsToneCurve* curves[3] = {curve.get(), curve.get(), curve.get()};
    CmsProfile profile(channels == 1 ? cmsCreateGrayProfile(&white, curve.get())
                                     : cmsCreateRGBProfile(&white, &primaries, curves));
    if (!profile) throw Error("its chromaticities are impossible");
    return profile;
}

std::string name_of(const ColourProfile& colours, cmsHPROFILE profile) {
    const bool standard = colours.chromaticities == ColourProfile().chromaticities;
    if (colours.icc.empty() && colours.linear_light)
        return standard ? "linear light of the file" : "linear light and primaries of the file";
    if (colours.icc.empty()) return standard && colours.exponent == 0 ? "sRGB" : "gamma and chromaticities of the file";
    char text[256] = {};
    cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text, sizeof text);
    std::string name;
    for (const char* c = text; *c && name.size() < 60; ++c)
        if (*c >= ' ' && *c <= '~') name += *c;
    return name.empty() ? "unnamed profile" : name;
}

// Light of three linear channels to the connection space; rows are X, Y, Z.
struct Matrix {
    std::array<double, 9> m{};
};

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix result;
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
            for (size_t k = 0; k < 3; ++k) result.m[3 * i + j] += a.m[3 * i + k] * b.m[3 * k + j];
    return result;
}

Matrix inverse(const Matrix& matrix) {
    const auto& m = matrix.m;
    const auto minor = [&](size_t r0, size_t c0, size_t r1, size_t c1) {
        return m[3 * r0 + c0] * m[3 * r1 + c1] - m[3 * r0 + c1] * m[3 * r1 + c0];
    };
    const double determinant = m[0] * minor(1, 1, 2, 2) - m[1] * minor(1, 0, 2, 2) + m[2] * minor(1, 0, 2, 1);
    if (!(std::abs(determinant) > 1e-9)) throw Error("its primaries lie on a line");
    Matrix result{{minor(1, 1, 2, 2), -minor(0, 1, 2, 2), minor(0, 1, 1, 2),   //
                   -minor(1, 0, 2, 2), minor(0, 0, 2, 2), -minor(0, 0, 1, 2),  //
                   minor(1, 0, 2, 1), -minor(0, 0, 2, 1), minor(0, 0, 1, 1)}};
    for (double& v : result.m) v /= determinant;
    return result;
}

constexpr cmsTagSignature colorants[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
constexpr cmsTagSignature responses[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};

// Whether primaries and curves say all.
bool is_matrix(cmsHPROFILE profile) {
    const bool tables = cmsIsTag(profile, cmsSigAToB0Tag) || cmsIsTag(profile, cmsSigAToB1Tag) ||
                        cmsIsTag(profile, cmsSigBToA0Tag) || cmsIsTag(profile, cmsSigDToB0Tag) ||
                        cmsIsTag(profile, cmsSigBToD0Tag);
    return !tables && cmsIsMatrixShaper(profile) && cmsGetPCS(profile) == cmsSigXYZData;
}

Matrix primaries_of(cmsHPROFILE profile) {
    Matrix matrix;
    for (size_t c = 0; c < 3; ++c) {
        const auto* xyz = static_cast<const cmsCIEXYZ*>(cmsReadTag(profile, colorants[c]));
        if (!xyz) damaged();
        matrix.m[c] = xyz->X, matrix.m[3 + c] = xyz->Y, matrix.m[6 + c] = xyz->Z;
    }
    return matrix;
}

const cmsToneCurve* response_of(cmsHPROFILE profile, size_t channel) {
    const auto* curve = static_cast<const cmsToneCurve*>(cmsReadTag(profile, responses[channel]));
    if (!curve) damaged();
    return curve;
}

float on(const cmsToneCurve* curve, double v) { return cmsEvalToneCurveFloat(curve, float(v)); }

// The value that a curve, which must rise, brings to `light`.
float before(const cmsToneCurve* curve, double light) {
    float low = 0, high = 1;
    for (int step = 0; step < 20; ++step) {
        const float middle = (low + high) / 2;
        (double(on(curve, double(middle))) < light ? low : high) = middle;
    }
    return (low + high) / 2;
}

void set_matrix(ProfileConversion& made, cmsHPROFILE profile, cmsHPROFILE screen) {
    const Matrix matrix = inverse(primaries_of(screen)) * primaries_of(profile);
    std::copy(matrix.m.begin(), matrix.m.end(), made.conversion.matrix);
}

// Three curves to the screen's values, over the root of light, which spreads the dark ones.
void add_screen_curves(std::vector<float>& values, cmsHPROFILE screen, bool screen_is_srgb) {
    for (size_t c = 0; c < 3; ++c)
        for (int i = 0; i < curve_size; ++i) {
            const double root = i / double(curve_size - 1), light = root * root;
            values.push_back(screen_is_srgb ? srgb_encoded(float(light)) : before(response_of(screen, c), light));
        }
}

// A screen that is described by tables is taken for sRGB: a table does not hold light beyond 1.
void make_light(ProfileConversion& made, cmsHPROFILE profile, int channels, cmsHPROFILE screen, bool screen_is_srgb) {
    if (!screen_is_srgb && !is_matrix(screen)) return make_light(made, profile, channels, srgb().get(), true);
    made.conversion.kind = Kind::light;
    if (channels == 3) set_matrix(made, profile, screen);
    add_screen_curves(made.values, screen, screen_is_srgb);
}

void make_matrix(ProfileConversion& made, cmsHPROFILE profile, cmsHPROFILE screen, bool screen_is_srgb) {
    made.conversion.kind = Kind::matrix;
    set_matrix(made, profile, screen);
    for (size_t c = 0; c < 3; ++c)
        for (int i = 0; i < curve_size; ++i)
            made.values.push_back(on(response_of(profile, c), i / double(curve_size - 1)));
    add_screen_curves(made.values, screen, screen_is_srgb);
}

cmsUInt32Number intent_of(cmsHPROFILE profile) {
    const cmsUInt32Number intent = cmsGetHeaderRenderingIntent(profile);
    return intent <= INTENT_ABSOLUTE_COLORIMETRIC ? intent : INTENT_PERCEPTUAL;
}

std::vector<float> transformed(cmsHPROFILE profile, cmsUInt32Number format, cmsHPROFILE screen,
                               const std::vector<float>& inputs, size_t count) {
    const Transform transform(
        cmsCreateTransform(profile, format, screen, TYPE_RGB_FLT, intent_of(profile), cmsFLAGS_NOOPTIMIZE));
    if (!transform) damaged();
    std::vector<float> outputs(3 * count);
    cmsDoTransform(transform.get(), inputs.data(), outputs.data(), cmsUInt32Number(count));
    for (float& v : outputs) v = std::isfinite(v) ? std::clamp(v, 0.0f, 1.0f) : 0.0f;
    return outputs;
}

void make_grey(ProfileConversion& made, cmsHPROFILE profile, cmsHPROFILE screen) {
    std::vector<float> inputs;
    for (int i = 0; i < curve_size; ++i) inputs.push_back(float(i) / float(curve_size - 1));
    const std::vector<float> colours = transformed(profile, TYPE_GRAY_FLT, screen, inputs, inputs.size());
    made.conversion.kind = Kind::grey;
    made.values.resize(colours.size());
    for (size_t i = 0; i < size_t(curve_size); ++i)
        for (size_t c = 0; c < 3; ++c) made.values[c * size_t(curve_size) + i] = colours[3 * i + c];
}

void make_table(ProfileConversion& made, cmsHPROFILE profile, cmsHPROFILE screen) {
    std::vector<float> inputs;
    const auto at = [](int i) { return float(i) / float(lattice_size - 1); };
    for (int r = 0; r < lattice_size; ++r)
        for (int g = 0; g < lattice_size; ++g)
            for (int b = 0; b < lattice_size; ++b) inputs.insert(inputs.end(), {at(r), at(g), at(b)});
    made.conversion.kind = Kind::table;
    made.values = transformed(profile, TYPE_RGB_FLT, screen, inputs, inputs.size() / 3);
}

// Whether no colour changes by half a level of 8 bits.
bool changes_nothing(const ProfileConversion& made, int colours) {
    constexpr float least = 0.5f / 255;
    ColourConversion conversion = made.conversion;
    conversion.values = made.values.data();
    const auto stays = [&](float r, float g, float b) {
        float v[3] = {r, g, b};
        convert_colour(conversion, v);
        code_colour(conversion, v);
        return std::abs(v[0] - r) < least && std::abs(v[1] - g) < least && std::abs(v[2] - b) < least;
    };
    for (int i = 0; i < 256; ++i)
        if (const float v = float(i) / 255; !stays(v, v, v)) return false;
    constexpr int steps = 16;
    const auto at = [](int i) { return float(i) / steps; };
    for (int r = 0; colours == 3 && r <= steps; ++r)
        for (int g = 0; g <= steps; ++g)
            for (int b = 0; b <= steps; ++b)
                if (!stays(at(r), at(g), at(b))) return false;
    return true;
}

std::string space_name(cmsUInt32Number space) {
    switch (space) {
        case cmsSigGrayData: return "grey";
        case cmsSigRgbData: return "RGB";
        case cmsSigCmykData: return "CMYK";
        case cmsSigLabData: return "Lab";
        default: return "another colour space";
    }
}

void fill(ProfileConversion& made, const ColourProfile& colours, int channels, const Bytes& screen_icc) {
    const CmsProfile profile = colours.icc.empty() ? described(colours, channels) : opened(colours.icc);
    made.name = name_of(colours, profile.get());
    // As numbers: a damaged profile has any, and an enumeration may not.
    const auto space = cmsUInt32Number(cmsGetColorSpace(profile.get()));
    const cmsUInt32Number wanted = channels == 1 ? cmsSigGrayData : cmsSigRgbData;
    if (colours.applied && space == cmsSigCmykData && channels == 3) {
        made.name += " (CMYK)";
        return;
    }
    if (space != wanted)
        throw Error(fmt::format("it is for {}, but the picture is {}", space_name(space), space_name(wanted)));
    const CmsProfile screen = screen_icc.empty() ? srgb() : opened(screen_icc);
    const bool screen_is_srgb = screen_icc.empty();
    if (colours.linear_light) make_light(made, profile.get(), channels, screen.get(), screen_is_srgb);
    else if (channels == 1) make_grey(made, profile.get(), screen.get());
    else if (is_matrix(profile.get()) && is_matrix(screen.get()))
        make_matrix(made, profile.get(), screen.get(), screen_is_srgb);
    else make_table(made, profile.get(), screen.get());
    const auto finite = [](float v) { return std::isfinite(v); };
    if (!std::all_of(made.values.begin(), made.values.end(), finite) ||
        !std::all_of(std::begin(made.conversion.matrix), std::end(made.conversion.matrix), finite))
        damaged();
    if (changes_nothing(made, channels)) {
        made.conversion.kind = Kind::none;
        made.values.clear();
    }
}

}  // namespace

ProfileConversion make_conversion(const ColourProfile& profile, int colours, const Bytes& screen) {
    ProfileConversion made;
    try {
        fill(made, profile, colours, screen);
    } catch (const Error& error) {
        made.problem = fmt::format("The colour profile cannot be used: {}. Colours are shown as stored.", error.what());
        made.conversion = {};
        made.values.clear();
    }
    return made;
}

std::string name_of_profile(const Bytes& icc) {
    ColourProfile colours;
    colours.icc = icc;
    try {
        return name_of(colours, opened(icc).get());
    } catch (const Error&) {
        return "damaged profile";
    }
}

std::string name_of_screen(const Bytes& icc) {
    const CmsProfile screen = opened(icc);
    if (cmsGetColorSpace(screen.get()) != cmsSigRgbData) throw Error("it is not for a screen");
    ColourProfile colours;
    colours.icc = icc;
    return name_of(colours, screen.get());
}

}  // namespace texelscope
