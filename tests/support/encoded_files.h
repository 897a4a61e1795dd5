#pragma once
// Files as bytes: colour profiles, JPEG and TIFF, of the kinds that tests need.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <jpeglib.h>  // after cstdio
#include <lcms2.h>

namespace texelscope::test {

// Colour profiles made by Little CMS, of the kinds that files have.

struct ProfileCloser {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using ProfileHandle = std::unique_ptr<void, ProfileCloser>;

inline std::vector<std::byte> bytes_of(cmsHPROFILE profile) {
    cmsUInt32Number size = 0;
    cmsSaveProfileToMem(profile, nullptr, &size);
    std::vector<std::byte> bytes(size);
    cmsSaveProfileToMem(profile, bytes.data(), &size);
    return bytes;
}

// As a file has it: its numbers are rounded.
inline ProfileHandle stored(const ProfileHandle& profile) {
    const std::vector<std::byte> bytes = bytes_of(profile.get());
    return ProfileHandle(cmsOpenProfileFromMem(bytes.data(), cmsUInt32Number(bytes.size())));
}

inline void describe_profile(cmsHPROFILE profile, const char* name) {
    cmsMLU* text = cmsMLUalloc(nullptr, 1);
    cmsMLUsetASCII(text, "en", "US", name);
    cmsWriteTag(profile, cmsSigProfileDescriptionTag, text);
    cmsMLUfree(text);
}

// Adobe RGB (1998) colour image encoding: primaries, white and gamma 563/256.
inline ProfileHandle adobe_like_profile() {
    const cmsCIExyY white{0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 563.0 / 256);
    cmsToneCurve* curves[3] = {curve, curve, curve};
    ProfileHandle profile(cmsCreateRGBProfile(&white, &primaries, curves));
    cmsFreeToneCurve(curve);
    describe_profile(profile.get(), "Like Adobe RGB");
    return profile;
}

inline ProfileHandle grey_profile(double gamma) {
    cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
    ProfileHandle profile(cmsCreateGrayProfile(cmsD50_xyY(), curve));
    cmsFreeToneCurve(curve);
    describe_profile(profile.get(), "A grey");
    return profile;
}

// What a table holds: sRGB for `channels` device values, each from 0 to 65535.
using TableColour = void (*)(const cmsUInt16Number in[], cmsUInt16Number rgb[3]);

// A profile with nothing but a table of `points` along each axis.
inline ProfileHandle table_profile(cmsUInt32Number points, cmsUInt32Number channels, cmsColorSpaceSignature space,
                                   cmsProfileClassSignature kind, TableColour colour) {
    struct Sampler {
        TableColour colour;
        cmsHTRANSFORM to_lab;
    };
    const auto sample = [](const cmsUInt16Number in[], cmsUInt16Number out[], void* data) -> cmsInt32Number {
        const auto& sampler = *static_cast<const Sampler*>(data);
        cmsUInt16Number rgb[3];
        sampler.colour(in, rgb);
        cmsDoTransform(sampler.to_lab, rgb, out, 1);
        return 1;
    };
    const ProfileHandle srgb(cmsCreate_sRGBProfile()), lab(cmsCreateLab4Profile(nullptr));
    Sampler cargo{colour, cmsCreateTransform(srgb.get(), TYPE_RGB_16, lab.get(), TYPE_Lab_16, 0, cmsFLAGS_NOOPTIMIZE)};
    cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, channels, 3);
    cmsStage* table = cmsStageAllocCLut16bit(nullptr, points, channels, 3, nullptr);
    cmsStageSampleCLut16bit(table, sample, &cargo, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END,
                           cmsStageAllocToneCurves(nullptr, channels, nullptr));  // the format wants them
    cmsPipelineInsertStage(pipeline, cmsAT_END, table);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
    ProfileHandle profile(cmsCreateProfilePlaceholder(nullptr));
    cmsSetProfileVersion(profile.get(), 4.3);
    cmsSetDeviceClass(profile.get(), kind);
    cmsSetColorSpace(profile.get(), space);
    cmsSetPCS(profile.get(), cmsSigLabData);
    cmsWriteTag(profile.get(), cmsSigAToB0Tag, pipeline);
    describe_profile(profile.get(), "A table");
    cmsPipelineFree(pipeline);
    cmsDeleteTransform(cargo.to_lab);
    return profile;
}

// Red and blue exchanged, and darker: no formula without a table gives it.
inline ProfileHandle exchanging_profile() {
    return table_profile(17, 3, cmsSigRgbData, cmsSigInputClass,
                         [](const cmsUInt16Number in[], cmsUInt16Number rgb[3]) {
                             rgb[0] = in[2];
                             rgb[1] = in[1];
                             rgb[2] = cmsUInt16Number(in[0] / 2);
                         });
}

// Inks as filters of light, each weaker than its ideal: no naive formula gives these colours.
inline ProfileHandle inks_profile() {
    return table_profile(9, 4, cmsSigCmykData, cmsSigOutputClass,
                         [](const cmsUInt16Number in[], cmsUInt16Number rgb[3]) {
                             for (int c = 0; c < 3; ++c) {
                                 const double ink = in[c] / 65535.0, black = in[3] / 65535.0;
                                 rgb[c] = cmsUInt16Number(65535 * (1 - 0.8 * ink) * (1 - 0.9 * black));
                             }
                         });
}

// JPEG files made by libjpeg's encoder.

// `settings` may change what jpeg_set_defaults has set; `icc` is the profile in the file, empty: none.
inline std::string jpeg_of(int width, int height, int components, J_COLOR_SPACE space,
                           const std::function<int(int x, int y, int c)>& value,
                           const std::function<void(jpeg_compress_struct&)>& settings = {},
                           std::span<const std::byte> icc = {}) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &memory, &size);
    info.image_width = JDIMENSION(width);
    info.image_height = JDIMENSION(height);
    info.input_components = components;
    info.in_color_space = space;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (settings) settings(info);
    jpeg_start_compress(&info, TRUE);
    if (!icc.empty()) jpeg_write_icc_profile(&info, reinterpret_cast<const JOCTET*>(icc.data()), unsigned(icc.size()));
    std::vector<uint8_t> row(size_t(width) * size_t(components));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < components; ++c)
                row[size_t(x) * size_t(components) + size_t(c)] = uint8_t(value(x, y, c));
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&info, &pointer, 1);
    }
    jpeg_finish_compress(&info);
    std::string bytes(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&info);
    std::free(memory);
    return bytes;
}

// TIFF files of one page, tag by tag, by the specification (Adobe's TIFF 6.0; BigTIFF as libtiff's page of it says).

class TiffText {
public:
    enum Type { byte_type = 1, text_type = 2, short_type = 3, long_type = 4, rational_type = 5, float_type = 11 };
    struct Order {
        bool little = true, big_tiff = false;
    };

    TiffText(uint32_t width, uint32_t height, Order order = {true, false}) : order_(order) {
        set(256, {width});
        set(257, {height});
    }

    TiffText& set(int tag, const std::vector<uint32_t>& values, Type type = short_type) {
        std::string bytes;
        for (const uint32_t value : values) bytes += number(value, type == byte_type ? 1 : type == short_type ? 2 : 4);
        entries_[tag] = {type, type == rational_type ? values.size() / 2 : values.size(), bytes};
        return *this;
    }
    TiffText& floats(int tag, const std::vector<float>& values) {
        std::vector<uint32_t> bits;
        for (const float value : values) bits.push_back(std::bit_cast<uint32_t>(value));
        return set(tag, bits, float_type);
    }
    TiffText& text(int tag, const std::string& text) {
        entries_[tag] = {text_type, text.size() + 1, text + '\0'};
        return *this;
    }
    TiffText& without(int tag) {
        left_out_.push_back(tag);
        return *this;
    }

    // A number as the file has it.
    std::string number(uint64_t value, size_t bytes) const {
        std::string text(bytes, '\0');
        for (size_t i = 0; i < bytes; ++i) text[order_.little ? i : bytes - 1 - i] = char(value >> (8 * i));
        return text;
    }

    // The whole file with these strips, which begin behind the header.
    std::string file(const std::vector<std::string>& strips) {
        std::string file = order_.little ? "II" : "MM";
        const size_t word = order_.big_tiff ? 8 : 4;
        file += number(order_.big_tiff ? 43 : 42, 2);
        if (order_.big_tiff) file += number(8, 2) + number(0, 2);
        const size_t link = file.size();
        file += number(0, word);
        std::vector<uint32_t> places, sizes;
        for (const std::string& strip : strips) {
            places.push_back(uint32_t(file.size()));
            sizes.push_back(uint32_t(strip.size()));
            file += strip;
        }
        if (!entries_.contains(324)) set(273, places, long_type);
        if (!entries_.contains(324)) set(279, sizes, long_type);
        for (const int tag : left_out_) entries_.erase(tag);
        if (file.size() % 2) file += '\0';
        std::string directory = number(entries_.size(), order_.big_tiff ? 8 : 2), more;
        const size_t begin = file.size(), behind = begin + directory.size() + entries_.size() * (4 + 2 * word) + word;
        for (const auto& [tag, entry] : entries_) {
            directory += number(uint64_t(tag), 2) + number(uint64_t(entry.type), 2) + number(entry.count, word);
            std::string field = entry.bytes;
            if (field.size() > word) {
                field = number(behind + more.size(), word);
                more += entry.bytes + std::string(entry.bytes.size() % 2, '\0');
            }
            directory += field + std::string(word - field.size(), '\0');
        }
        file += directory + number(0, word) + more;
        return file.replace(link, word, number(begin, word));
    }
    std::string file(const std::string& strip) { return file(std::vector{strip}); }

private:
    struct Entry {
        Type type;
        uint64_t count;
        std::string bytes;
    };
    Order order_;
    std::map<int, Entry> entries_;
    std::vector<int> left_out_;
};

// Numbers packed without gaps, the highest bit first, the last byte filled with zeros.
inline std::string packed_bits(const std::vector<uint64_t>& numbers, int bits) {
    std::string text;
    int used = 8;
    for (const uint64_t number : numbers)
        for (int bit = bits - 1; bit >= 0; --bit, ++used) {
            if (used == 8) text += '\0', used = 0;
            text.back() = char(text.back() | int(number >> bit & 1) << (7 - used));
        }
    return text;
}

}  // namespace texelscope::test
