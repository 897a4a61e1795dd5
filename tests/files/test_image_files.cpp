// The file layer: names, permissions, atomic writing, and what each format keeps of an image.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <limits>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "gpu/core/image.h"
#include "tests/files/bytes.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

Image ramp(int width, int height, int channels, SampleType type = SampleType::u8, Alpha alpha = Alpha::none) {
    Image image(width, height, channels, SampleType::f32, alpha);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i)
            image.row_as<float>(y)[i] = float((y * 37 + i * 11 + 20) % 256) / 255;
    return converted(image, type);
}

class ImageFiles : public testing::Test {
protected:
    std::string read_error(const fs::path& path) {
        return refusal([&] { read_image(path); });
    }
    Folder folder;
};

TEST_F(ImageFiles, NamesOfWhatCannotBeRead) {
    EXPECT_EQ(read_error(folder / "missing.png"), (folder / "missing.png").string() + ": no such file");
    EXPECT_EQ(read_error(folder.path()), folder.path().string() + ": is a folder, not a file");
    EXPECT_EQ(read_error(folder.write("empty.png", "")), (folder / "empty.png").string() + ": the file is empty");
    const std::string where = " that texelscope can read; texelscope info lists the formats";
    EXPECT_EQ(read_error(folder.write("x.txt", "some text\n")),
              (folder / "x.txt").string() + ": this is a text, not an image file" + where);
    EXPECT_EQ(read_error(folder.write("x.bin", "\x01\x00\xff"s)),
              (folder / "x.bin").string() + ": not an image file" + where);
    for (const auto& [name, words] : {std::pair("x.png", "it is no PNG file, nor any other" + where),
                                      {"x.iff", "it is no IFF file, nor any other" + where}})
        EXPECT_NE(read_error(folder.write(name, "some text")).find(words), std::string::npos) << name;
    EXPECT_NE(read_error("/dev/null").find("device"), std::string::npos);
    EXPECT_NE(read_error(""), "");
    ASSERT_EQ(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
    EXPECT_NE(read_error(folder / "pipe.png").find("pipe"), std::string::npos);
}

// As the window says it, of a file in a folder that must not be looked into.
TEST_F(ImageFiles, WhyAFileIsNotThere) {
    EXPECT_EQ(why_missing(folder.write("a.png", "x")), "");
    EXPECT_EQ(why_missing(folder / "none.png"), "no such file");
    const uid_t before = ::geteuid();
    fs::permissions(folder.path(), fs::perms::none);  // its owner included; root is let in nevertheless
    const bool is_root = before == 0 && ::seteuid(65534) == 0;
    const std::string why = why_missing(folder / "a.png"), error = read_error(folder / "a.png");
    if (is_root) {
        ASSERT_EQ(::seteuid(before), 0);
    }
    fs::permissions(folder.path(), fs::perms::owner_all);
    EXPECT_EQ(why, "permission denied");
    EXPECT_EQ(error, (folder / "a.png").string() + ": permission denied");
}

TEST_F(ImageFiles, ErrorsOfTheSystemReadLikeAllOthers) {
    EXPECT_EQ(words_of_error(EACCES), "permission denied");
    EXPECT_EQ(words_of_error(ENXIO), "is a device or a pipe; only files can be read");
    EXPECT_EQ(words_of_error(EIO), "input/output error");
}

TEST_F(ImageFiles, EveryErrorIsOneLineThatBeginsWithTheName) {
    for (const char* name :
         {"a.png", "a.jpg", "a.tif", "a.exr", "a.hdr", "a.npy", "a.ppm", "a.pfm", "a.tga", "a.webp", "a"}) {
        for (const auto& content : {"\x89PNG\r\n\x1a\nxxxx"s, "\xff\xd8\xff\xe0xx"s, "II*\0\x08\0\0\0\xff\xff"s,
                                    "v/1\x01xx"s, "#?RADIANCE\nxx"s, "\x93NUMPYxx"s, "P5 1"s, "PF\nx"s,
                                    "RIFFxxxxWEBPVP8 "s, "BMxx"s, "GIF89axx"s, "8BPSxx"s}) {
            const fs::path path = folder.write(name, content);
            const std::string text = read_error(path);
            EXPECT_TRUE(text.starts_with(path.string() + ": ")) << text;
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
            EXPECT_EQ(text.find(path.string(), 1), std::string::npos) << text;  // named once
        }
    }
}

TEST_F(ImageFiles, ContentCountsMoreThanTheName) {
    const Image image = ramp(5, 4, 3);
    write_image(image, folder / "a.png");
    fs::rename(folder / "a.png", folder / "a.jpg");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.jpg")), samples<uint8_t>(image));
    write_image(image, folder / "a.ppm");
    fs::rename(folder / "a.ppm", folder / "noname");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "noname")), samples<uint8_t>(image));
}

TEST_F(ImageFiles, NamesOfCamerasSlidesAndTablesDoNotHideAnImage) {
    const Image image = ramp(5, 4, 3);
    write_image(image, folder / "a.png");
    for (const char* name : {"b.dng", "b.cr2", "b.NEF", "b.svs", "b.ndpi", "b.mrxs", "b.txt", "b.csv"}) {
        fs::copy_file(folder / "a.png", folder / name);
        EXPECT_EQ(samples<uint8_t>(load_image((folder / name).string())), samples<uint8_t>(image)) << name;
        EXPECT_EQ(load_facts((folder / name).string()).shape.width, 5) << name;
    }
}

TEST_F(ImageFiles, ATypedNameWithAHashIsTheFileOfThatName) {
    write_image(ramp(5, 4, 1), folder / "hash#part=2.png");
    fs::copy_file(folder / "hash#part=2.png", folder / "hash");
    const std::string there = (folder / "hash#part=2.png").string(), plain = (folder / "hash").string();
    EXPECT_EQ(load_image(typed_source(there)).width(), 5);
    EXPECT_EQ(file_of(typed_source(there)), there);
    EXPECT_EQ(typed_source((folder / "hash%23part=2.png").string()), typed_source(there));
    EXPECT_EQ(typed_source((folder / "hash%23part=2.png#channels=1").string()), there + "#channels=1");
    for (const std::string& other :
         {plain + "#part=1", plain, plain + "%23", std::string("@step#part=2"), plain + "#2"})
        EXPECT_EQ(typed_source(other), other);
}

TEST_F(ImageFiles, UnknownOutputsAreWrongUsage) {
    for (const char* name : {"x.xyz", "x", "x.pbm", "x.gif", "", ".png"})
        EXPECT_THROW(write_image(ramp(2, 2, 1), folder / name), UsageError) << name;
    EXPECT_NE(refusal([&] { write_image(ramp(2, 2, 1), folder / "x.xyz"); }).find(".png .jpg"), std::string::npos);
    EXPECT_THROW(check_output_name("x.jpg", {SampleType::u16}), UsageError);
    EXPECT_THROW(check_output_name("x.hdr", {SampleType::u8}), UsageError);
    EXPECT_NO_THROW(check_output_name("x.npy", {SampleType::u8}));  // it holds any type
    EXPECT_THROW(check_output_name("x.png", {SampleType::f32}), UsageError);
    EXPECT_NO_THROW(check_output_name("nowhere/x.PNG"));
    EXPECT_EQ(folder.count(), 0u);
}

TEST_F(ImageFiles, OutputsThatCannotBeWritten) {
    const auto error = [&](const fs::path& path) { return refusal([&] { write_image(ramp(2, 2, 1), path); }); };
    EXPECT_NE(error(folder / "none/x.png").find("there is no folder"), std::string::npos);
    fs::create_directory(folder / "d.png");
    EXPECT_NE(error(folder / "d.png").find("is a folder"), std::string::npos);
    EXPECT_NE(error(folder / (std::string(300, 'x') + ".png")), "");
    EXPECT_NE(error("/proc/x.png"), "");
    if (::geteuid() != 0) {
        fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
        EXPECT_NE(error(folder / "x.png").find("permission denied"), std::string::npos);
        fs::permissions(folder.path(), fs::perms::owner_all);
    }
    EXPECT_EQ(folder.count(), 1u);
}

// A limit on the size of files stands in for a full disk.
TEST_F(ImageFiles, AFailedWriteLeavesTheOldFileAndNothingElse) {
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, SIG_IGN);
    for (const std::string& extension : writable_extensions()) {
        const fs::path path = folder.write("x." + extension, "precious");
        Image noise = ramp(300, 300, extension == "pgm" ? 1 : 3);
        uint32_t state = 1;
        for (size_t i = 0; i < noise.size_bytes(); ++i)
            noise.data()[i] = std::byte((state = state * 1664525 + 1013904223) >> 24);
        const rlimit small{2000, old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const std::string text = refusal([&] { write_image(noise, path); });
        ::setrlimit(RLIMIT_FSIZE, &old);
        EXPECT_TRUE(text.starts_with(path.string() + ": ")) << extension << text;
        EXPECT_EQ(content_of(path), "precious") << extension;
        EXPECT_EQ(folder.count(), 1u) << extension;
        fs::remove(path);
    }
}

TEST_F(ImageFiles, ReplacesAFileAndKeepsLinkAndPermissions) {
    folder.write("real.png", "old");
    fs::permissions(folder / "real.png", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real.png", folder / "link.png");
    write_image(ramp(3, 3, 1), folder / "link.png");
    EXPECT_TRUE(fs::is_symlink(folder / "link.png"));
    EXPECT_EQ(read_image(folder / "real.png").width(), 3);
    EXPECT_EQ(fs::status(folder / "real.png").permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(folder.count(), 2u);
}

TEST_F(ImageFiles, ANewFileHasTheUsualPermissions) {
    const mode_t mask = ::umask(022);
    write_image(ramp(3, 3, 1), folder / "a.png");
    ::umask(mask);
    EXPECT_EQ(unsigned(fs::status(folder / "a.png").permissions()), 0644u);
}

TEST_F(ImageFiles, EightBitOutputClampsThenRounds) {
    Image image(6, 1, 1, SampleType::f32);
    const float values[] = {-1.0f,       0.4999f / 255, 0.5001f / 255, 2.0f, std::numeric_limits<float>::quiet_NaN(),
                            254.4f / 255};
    std::copy(std::begin(values), std::end(values), image.row_as<float>(0));
    for (const char* name : {"a.png", "a.pgm", "a.pam"}) {
        write_image(image, folder / name);
        EXPECT_EQ(samples<uint8_t>(read_image(folder / name)), (std::vector<uint8_t>{0, 0, 1, 255, 0, 254})) << name;
    }
    write_image(image, folder / "a.pnm", {SampleType::u16});
    EXPECT_EQ(samples<uint16_t>(read_image(folder / "a.pnm"))[3], 65535);
}

TEST_F(ImageFiles, FloatFormatsKeepEveryBit) {
    Image image(3, 2, 3, SampleType::f32);
    for (int i = 0; i < 18; ++i) reinterpret_cast<float*>(image.data())[i] = float(i) * 1e3f - 5.1f;
    image.row_as<float>(1)[4] = std::numeric_limits<float>::infinity();
    for (const std::string name : {"a.pfm", "a.npy", "a.exr", "a.tif"}) {
#if !TEXELSCOPE_WITH_OIIO
        if (name == "a.exr" || name == "a.tif") continue;
#endif
        write_image(image, folder / name);
        const Image back = read_image(folder / name);
        EXPECT_EQ(back.type(), SampleType::f32) << name;
        EXPECT_EQ(samples<float>(back), samples<float>(image)) << name;
    }
}

// PNG, JPEG, and TIFF by OpenImageIO, keep the profile of a picture; it must be for as many channels.
TEST_F(ImageFiles, AColourProfileIsWrittenIfTheFileCanHoldIt) {
    const auto with_profile = [](int channels, const ProfileHandle& profile) {
        Image image = ramp(9, 7, channels);
        ColourProfile colours;
        colours.icc = bytes_of(profile.get());
        image.set_profile(std::make_shared<const ColourProfile>(colours));
        return image;
    };
    const Image colour = with_profile(3, adobe_like_profile()), grey = with_profile(1, adobe_like_profile());
    for (const char* name : {"a.png", "a.jpg", "a.tif", "a.bmp"}) {
        const bool always = std::string_view(name) == "a.png" || std::string_view(name) == "a.jpg";
        if (!TEXELSCOPE_WITH_OIIO && std::string_view(name) == "a.tif") continue;
        write_image(colour, folder / name);
        const auto back = read_image(folder / name).profile();
        const bool expected = always || (TEXELSCOPE_WITH_OIIO && std::string_view(name) != "a.bmp");
        EXPECT_EQ(carries_profile(name, rows_of(colour)), expected) << name;
        ASSERT_EQ(back != nullptr, expected) << name;
        if (back) {
            EXPECT_EQ(back->icc, colour.profile()->icc) << name;
        }
        write_image(grey, folder / name);
        EXPECT_FALSE(read_image(folder / name).profile()) << name << ": it is for RGB";
    }
    EXPECT_TRUE(carries_profile("a.npy", rows_of(colour))) << "numbers say nothing of colours";
}

TEST_F(ImageFiles, RadianceHdrKeepsAboutEightBits) {
    Image image(40, 3, 3, SampleType::f32);
    for (int i = 0; i < 360; ++i) reinterpret_cast<float*>(image.data())[i] = 100.0f + float(i);
    write_image(image, folder / "a.hdr");
    const Image back = read_image(folder / "a.hdr");
    ASSERT_EQ(back.channels(), 3);
    EXPECT_EQ(back.type(), SampleType::f32);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 40; ++x)
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(back.value(x, y, c), image.value(x, y, c), 2.1);
}

TEST_F(ImageFiles, JpegIsCloseAndAlphaIsLaidOverBlack) {
    Image smooth(64, 48, 3, SampleType::u8);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            for (int c = 0; c < 3; ++c) smooth.row_as<uint8_t>(y)[3 * x + c] = uint8_t(x * 2 + y + 20 * c);
    write_image(smooth, folder / "a.jpg");
    const Image back = read_image(folder / "a.jpg");
    ASSERT_EQ(back.channels(), 3);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) EXPECT_NEAR(back.value(x, y, 1), smooth.value(x, y, 1), 4.0 / 255);

    Image half(16, 16, 4, SampleType::f32, Alpha::straight);
    for (int i = 0; i < 16 * 16 * 4; ++i) reinterpret_cast<float*>(half.data())[i] = i % 4 == 3 ? 0.5f : 0.8f;
    for (const char* name : {"b.jpg", "b.ppm", "b.pfm", "b.hdr"}) {
        write_image(half, folder / name);
        const Image opaque = read_image(folder / name);
        EXPECT_EQ(opaque.channels(), 3) << name;
        EXPECT_NEAR(opaque.value(8, 8, 0), 0.4f, 0.01f) << name;
    }
}

TEST_F(ImageFiles, AlphaIsStoredAsTheFormatDefinesIt) {
    Image image(1, 1, 4, SampleType::f32, Alpha::premultiplied);
    const float pixel[] = {0.2f, 0.1f, 0.4f, 0.5f};
    std::copy(std::begin(pixel), std::end(pixel), image.row_as<float>(0));
    write_image(image, folder / "a.png");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.png")), (std::vector<uint8_t>{102, 51, 204, 128}));
    write_image(image, folder / "a.pam");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.pam")), (std::vector<uint8_t>{102, 51, 204, 128}));
    write_image(image, folder / "a.bmp");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.bmp")), (std::vector<uint8_t>{102, 51, 204, 128}));
    write_image(image, folder / "a.npy");
    EXPECT_EQ(samples<float>(read_image(folder / "a.npy")), (std::vector<float>{0.4f, 0.2f, 0.8f, 0.5f}));
    EXPECT_EQ(read_image(folder / "a.npy").alpha(), Alpha::none);
#if TEXELSCOPE_WITH_OIIO
    write_image(unpremultiplied(image), folder / "a.exr");
    const Image exr = read_image(folder / "a.exr");
    EXPECT_EQ(exr.alpha(), Alpha::premultiplied);
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(exr.value(0, 0, c), pixel[c], 1e-7);
    write_image(image, folder / "a.tif", {SampleType::u16});
    const Image tiff = read_image(folder / "a.tif");
    EXPECT_EQ(tiff.alpha(), Alpha::straight);
    EXPECT_EQ(samples<uint16_t>(tiff), (std::vector<uint16_t>{26214, 13107, 52428, 32768}));
#endif
}

TEST_F(ImageFiles, PlainChannelsGoWhereThereIsRoom) {
    const Image pair = ramp(3, 2, 2);
    write_image(pair, folder / "pair.png");
    const Image shown = read_image(folder / "pair.png");
    ASSERT_EQ(shown.channels(), 3);
    EXPECT_EQ(shown.alpha(), Alpha::none);
    EXPECT_EQ(shown.value(1, 1, 1), pair.value(1, 1, 1));
    EXPECT_EQ(shown.value(1, 1, 2), 0.0f);
    const Image four = ramp(3, 2, 4);
    write_image(four, folder / "four.png");
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "four.png")), samples<uint8_t>(four));
    write_image(ramp(3, 2, 1), folder / "grey.ppm");
    EXPECT_EQ(read_image(folder / "grey.ppm").channels(), 3);
    EXPECT_NE(refusal([&] { write_image(ramp(3, 2, 3), folder / "colour.pgm"); }).find("only grey"), std::string::npos);
    EXPECT_EQ(folder.count(), 3u);
}

TEST_F(ImageFiles, RoundTripsOfEightBits) {
    for (const std::string name : {"a.png", "a.pnm", "a.bmp", "a.tga", "a.tif"}) {
#if !TEXELSCOPE_WITH_OIIO
        if (name == "a.tif") continue;
#endif
        const Image image = ramp(11, 6, 3);
        write_image(image, folder / name);
        EXPECT_EQ(samples<uint8_t>(read_image(folder / name)), samples<uint8_t>(image)) << name;
    }
    const Image alpha = ramp(11, 6, 4, SampleType::u8, Alpha::straight);
    for (const std::string name : {"a.tga", "a.pam"}) {
        write_image(alpha, folder / name);
        const Image back = read_image(folder / name);
        EXPECT_EQ(back.alpha(), Alpha::straight) << name;
        EXPECT_EQ(samples<uint8_t>(back), samples<uint8_t>(alpha)) << name;
    }
}

TEST_F(ImageFiles, TheLastCheckMayKeepTheOldFile) {
    const Image old = ramp(11, 6, 3), fresh = ramp(5, 4, 1);
    write_image(old, folder / "a.png");
    EXPECT_THROW(write_image(fresh, folder / "a.png", {{}, [] { throw Error("cancelled"); }}), Error);
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.png")), samples<uint8_t>(old));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()),
              1);  // nothing is left beside it
    bool asked = false;
    write_image(fresh, folder / "a.png", {{}, [&] { asked = true; }});
    EXPECT_TRUE(asked);
    EXPECT_EQ(samples<uint8_t>(read_image(folder / "a.png")), samples<uint8_t>(fresh));
}

// Writing can be ended at any moment, in every format that is written row by row.
TEST_F(ImageFiles, WritingCanBeEndedBetweenRows) {
    const Image old = ramp(11, 6, 3), fresh = ramp(400, 300, 3);
    std::vector<const char*> names = {"a.png", "a.jpg"};
    if (TEXELSCOPE_WITH_OIIO) names.insert(names.end(), {"a.tif", "a.exr", "a.bmp", "a.tga"});
    for (const char* name : names) {
        write_image(old, folder / name);
        const auto before = read_image(folder / name);
        std::vector<double> parts;
        write_image(fresh, folder / "whole.png", {{}, {}, [&](double part) { parts.push_back(part); }});
        ASSERT_GE(parts.size(), 4u);
        EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
        for (const double end : parts) {
            const auto stop = [&](double part) {
                if (part >= end) throw Error("cancelled");
            };
            EXPECT_THROW(write_image(fresh, folder / name, {{}, {}, stop}), Error) << name;
            const Image now = read_image(folder / name);
            EXPECT_TRUE(std::equal(now.data(), now.data() + now.size_bytes(), before.data())) << name << " at " << end;
        }
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()),
              ptrdiff_t(names.size()) + 1);
}

TEST_F(ImageFiles, ListsExtensions) {
    const auto all = readable_extensions();
    for (const char* each :
         {"png", "jpg", "jpeg", "bmp", "tga", "hdr", "gif", "npy", "pfm", "pgm", "ppm", "pbm", "pam"})
        EXPECT_NE(std::find(all.begin(), all.end(), each), all.end()) << each;
    EXPECT_EQ(all.front(), "png");
    const auto writable = writable_extensions();
    EXPECT_EQ(std::find(writable.begin(), writable.end(), "gif"), writable.end());
}

}  // namespace
}  // namespace texelscope::test
