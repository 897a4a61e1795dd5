// Images from pipes, and output: what a killed program leaves, and the type of samples.

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <thread>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "gpu/core/errors.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

// Images from pipes.

// Through a pipe, which holds less than large files have.
Image piped(const std::string& bytes, size_t at_most = most_piped_bytes) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::thread writer([&] {
        for (size_t at = 0; at < bytes.size();) {
            const ssize_t count = ::write(ends[1], bytes.data() + at, bytes.size() - at);
            if (count <= 0) break;
            at += size_t(count);
        }
        ::close(ends[1]);
    });
    struct Joined {
        std::thread& thread;
        int end;
        ~Joined() {
            thread.join();
            ::close(end);
        }
    } joined{writer, ends[0]};
    return read_image_from(ends[0], at_most);
}

std::string sentence_about(const std::string& bytes, size_t at_most = most_piped_bytes) try {
    piped(bytes, at_most);
    return "taken";
} catch (const Error& error) {
    return error.what();
}

std::string pgm(int side) {
    return "P5 " + std::to_string(side) + " " + std::to_string(side) + " 255\n" +
           std::string(size_t(side) * size_t(side), 'a');
}

TEST(StandardInput, AnImageLargerThanAPipe) {
    const Image image = piped(pgm(700));
    EXPECT_EQ(image.width(), 700);
    EXPECT_EQ(image.row_as<uint8_t>(699)[699], 'a');
}

TEST(StandardInput, WhatIsNoImageIsOneSentenceWithoutAPath) {
    EXPECT_EQ(sentence_about(""), "is empty");
    const std::vector<std::string> all = {sentence_about("hello, world\n"), sentence_about(pgm(700).substr(0, 1000)),
                                          sentence_about("\x89PNG\r\n\x1a\nxxxxxxxxxxxx")};
    for (const std::string& sentence : all) {
        EXPECT_NE(sentence, "taken");
        EXPECT_EQ(sentence.find("/proc"), std::string::npos) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
    EXPECT_NE(all[0].find("not an image file"), std::string::npos) << all[0];
}

TEST(StandardInput, MoreThanTheLimitIsRefused) {
    EXPECT_NE(sentence_about(pgm(300), 50000).find("is larger than"), std::string::npos);
    EXPECT_EQ(sentence_about(pgm(10), 200), "taken");
}

// What a killed program leaves beside its output goes when the next one writes there.

std::string name_of(pid_t process) { return ".texelscope-" + std::to_string(process) + "-3"; }

pid_t ended_process() {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(0);
    ::waitpid(process, nullptr, 0);
    return process;
}

TEST(Leftovers, ThoseOfEndedProcessesAreRemovedByTheNextWrite) {
    const Folder folder;
    const auto write = [&](const std::string& name, bool old = true) {
        const auto path = folder.write(name, "half a picture");
        if (old)
            std::filesystem::last_write_time(path,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        return path;
    };
    const pid_t ended = ended_process();
    const auto orphan = write(name_of(ended)), running = write(name_of(::getpid())),
               fresh = write(name_of(ended) + "1", false), other = write(".texelscope-" + std::to_string(ended)),
               users = write("texelscope-" + std::to_string(ended) + "-3");
    write_text(folder / "new.txt", "new");
    EXPECT_FALSE(std::filesystem::exists(orphan));
    for (const auto& kept : {running, fresh, other, users}) EXPECT_TRUE(std::filesystem::exists(kept)) << kept;
    EXPECT_EQ(content_of(folder / "new.txt"), "new");
}

using ::testing::StartsWith;

// In which type a picture is written, and what is said of it.

// What the dialog says and what the file then has, for every format that this build writes.
TEST(WrittenDepth, SaysTheDepthThatIsWritten) {
    const std::string folder = testing::TempDir();
    for (const std::string& extension : writable_extensions())
        for (const SampleType stored : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
            const std::string path = folder + "export-depth." + extension;
            const WrittenDepth depth = written_depth(path, stored, {});
            write_image(Image(8, 8, 1, SampleType::f32), path, options_for(path, stored, {}));
            const SampleType read = read_image(path).type();
            std::filesystem::remove(path);
            EXPECT_EQ(read, depth.type) << path;
            EXPECT_EQ(depth.less, depth.words.find(": ") != std::string::npos) << depth.words;
            const bool integers = depth.type == SampleType::u8 || depth.type == SampleType::u16;
            const std::string type = !integers ? "floats" : depth.type == SampleType::u8 ? "8 bits" : "16 bits";
            EXPECT_THAT(depth.words, StartsWith(type));
            EXPECT_EQ(depth.less, integers && stored > depth.type) << path << ", " << name_of(stored);
        }
}

TEST(WrittenDepth, SaysWhyTheFileHasLessThanTheImage) {
    EXPECT_EQ(written_depth("a.jpg", SampleType::u16, {}).words, "8 bits: JPEG has no more");
    EXPECT_EQ(written_depth("a.png", SampleType::u8, {}).words, "8 bits");
    EXPECT_EQ(written_depth("a.ppm", SampleType::u16, {}).words, "16 bits");
    EXPECT_EQ(written_depth("a.pam", SampleType::f32, {}).words, "8 bits: PAM has no floats");
    EXPECT_EQ(written_depth("a.png", SampleType::u16, SampleType::u8).words, "8 bits") << "as chosen";
    EXPECT_EQ(written_depth("a.png", SampleType::u16, {}).words, "16 bits");
    EXPECT_EQ(written_depth("a.png", SampleType::f32, {}).words, "8 bits: PNG has no floats");
    EXPECT_THROW(written_depth("a.jpg", SampleType::u16, SampleType::u16), UsageError);
}

}  // namespace

// Files that lack their end: with all pixels they are whole; without some, they give the rest and the missing part.

namespace {

using namespace std::string_literals;

int noise(int x, int y, int c) { return (x * 7 + y * 13 + c * 50 + x * y % 31) % 256; }

std::string jpeg(const std::function<void(jpeg_compress_struct&)>& settings = {}) {
    return jpeg_of(200, 160, 3, JCS_RGB, noise, settings);
}

std::string first_half(const std::string& bytes) { return bytes.substr(0, bytes.size() / 2); }

class FilesThatEndEarly : public testing::Test {
protected:
    Image read(const std::string& bytes) {
        const auto path = folder.write("a", bytes);
        const Image image = read_image(path), here = read_image_in_process(path);
        EXPECT_EQ(image.missing(), here.missing());
        EXPECT_EQ(samples<uint8_t>(image), samples<uint8_t>(here));
        EXPECT_EQ(read_facts(path).missing, image.missing());
        return image;
    }
    Folder folder;
};

// Rows above the missing ones are those of the whole picture; below, 17 rows may have anything, the others are 0.
void expect_rows_of(const Image& cut, const Image& whole, int least, int most) {
    ASSERT_EQ(describe(cut), describe(whole));
    const SampleRegion missing = cut.missing();
    EXPECT_EQ(missing.x, 0);
    EXPECT_EQ(missing.width, whole.width());
    EXPECT_EQ(missing.y + missing.height, whole.height());
    EXPECT_GE(missing.y, least);
    EXPECT_LE(missing.y, most);
    for (int y = 0; y < whole.height(); ++y)
        for (size_t i = 0; i < whole.row_bytes(); ++i) {
            const bool there = y < missing.y, known = there || y > missing.y + 16;
            ASSERT_EQ(cut.row(y)[i], there ? whole.row(y)[i] : known ? std::byte(0) : cut.row(y)[i]) << y;
        }
}

TEST_F(FilesThatEndEarly, AJpegIsWholeWithoutItsEndMarker) {
    for (const bool progressive : {false, true}) {
        const std::string bytes = jpeg([&](jpeg_compress_struct& info) {
            if (progressive) jpeg_simple_progression(&info);
        });
        const Image whole = read(bytes);
        EXPECT_EQ(whole.missing(), SampleRegion{});
        const std::string no_end = bytes.substr(0, bytes.size() - 2);
        // The bytes that cameras and telephones write behind the picture, and another picture.
        for (const std::string& end : {""s, "\xff"s,
                                       "\0\0\0\x20"s
                                       "ftypmp42"s +
                                           std::string(200, '\0'),
                                       first_half(bytes), "\xff\xd9 and more"s,
                                       "\xff\xe1\xff\xff"s
                                       "no segment"s}) {
            const Image image = read(no_end + end);
            EXPECT_EQ(image.missing(), SampleRegion{}) << end;
            EXPECT_EQ(samples<uint8_t>(image), samples<uint8_t>(whole)) << end.substr(0, 20);
        }
    }
}

TEST_F(FilesThatEndEarly, HalfAJpegHasItsUpperRows) {
    const auto fine = [](jpeg_compress_struct& info) {
        info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
    };
    const auto restarting = [](jpeg_compress_struct& info) { info.restart_interval = 3; };
    const auto optimised = [](jpeg_compress_struct& info) { info.optimize_coding = TRUE; };
    const std::vector<std::function<void(jpeg_compress_struct&)>> all = {{}, fine, restarting, optimised};
    for (const auto& settings : all) {
        const std::string bytes = jpeg(settings);
        expect_rows_of(read(first_half(bytes)), read(bytes), 48, 96);
    }
    const std::string grey = jpeg_of(200, 160, 1, JCS_GRAYSCALE, noise), inks = jpeg_of(200, 160, 4, JCS_CMYK, noise);
    expect_rows_of(read(first_half(grey)), read(grey), 48, 96);
    expect_rows_of(read(first_half(inks)), read(inks), 48, 96);
}

TEST_F(FilesThatEndEarly, ATurnedJpegLacksASide) {
    const std::string bytes = jpeg(), turned = "\xff\xd8"s + app1(exif(6, true)) + bytes.substr(2);
    const Image stored = read(first_half(bytes)), image = read(turned.substr(0, turned.size() - bytes.size() / 2));
    EXPECT_EQ(image.width(), 160);
    EXPECT_EQ(image.missing().height, 200);
    EXPECT_EQ(image.missing().x, 0) << "the file's rows are columns from the right";
    EXPECT_NEAR(image.missing().width, stored.missing().height, 16);
}

// Each scan adds to all rows: without the last scans no row is as it was written, but all are visible.
TEST_F(FilesThatEndEarly, AProgressiveJpegIsCoarse) {
    const std::string bytes = jpeg([](jpeg_compress_struct& info) { jpeg_simple_progression(&info); });
    const Image whole = read(bytes), cut = read(first_half(bytes));
    EXPECT_EQ(cut.missing(), (SampleRegion{0, 0, 200, 160}));
    double difference = 0;
    for (size_t i = 0; i < whole.size_bytes(); ++i)
        difference += std::abs(int(whole.data()[i]) - int(cut.data()[i])) / double(whole.size_bytes());
    EXPECT_LT(difference, 64);
    expect_rows_of(read(bytes.substr(0, bytes.size() - 200)), whole, 100, 159);
}

std::string grey_rows(int width, int height) {
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) rows += char(1 + (x * 3 + y * 5) % 255);
    }
    return rows;
}

TEST_F(FilesThatEndEarly, APngIsWholeWithoutItsLastChunk) {
    const std::string bytes = png(40, 30, 8, 0, grey_rows(40, 30));
    const Image whole = read(bytes);
    // The chunk IEND has 12 bytes, the last checksum 4, the checksum of the deflated data before it 4.
    for (const std::string& file :
         {bytes.substr(0, bytes.size() - 12), bytes.substr(0, bytes.size() - 16), bytes.substr(0, bytes.size() - 20),
          bytes.substr(0, bytes.size() - 2), bytes.substr(0, bytes.size() - 4) + "abcd", bytes + "trailer",
          bytes.substr(0, bytes.size() - 12) + "<html>no chunk</html>"}) {
        const Image image = read(file);
        EXPECT_EQ(image.missing(), SampleRegion{}) << file.size() << " of " << bytes.size();
        EXPECT_EQ(samples<uint8_t>(image), samples<uint8_t>(whole));
    }
}

TEST_F(FilesThatEndEarly, HalfAPngHasItsUpperRows) {
    const std::string bytes = png(40, 30, 8, 0, grey_rows(40, 30));
    const size_t rows_at = 8 + 25 + 8 + 7;  // signature, header, length and type, zlib's and the block's header
    const Image cut = read(bytes.substr(0, rows_at + 41 * 17 + 20)), whole = read(bytes);
    EXPECT_EQ(cut.missing(), (SampleRegion{0, 17, 40, 13}));
    expect_rows_of(cut, whole, 17, 17);
    // Bytes that are no chunk do not end a file: it is damaged.
    const std::string lost = bytes.substr(0, rows_at + 41 * 17) + std::string(200, '\xfe');
    EXPECT_NE(refusal([&] { read(lost); }).find("damaged"), std::string::npos);
}

// PNG, section 8.2: pass 7 has the odd rows; before it, all of them are missing.
TEST_F(FilesThatEndEarly, AnInterlacedPngIsCoarse) {
    constexpr int x0[] = {0, 4, 0, 2, 0, 1, 0}, dx[] = {8, 8, 4, 4, 2, 2, 1};
    constexpr int y0[] = {0, 0, 4, 0, 2, 0, 1}, dy[] = {8, 8, 8, 4, 4, 2, 2};
    std::string rows;
    size_t ends[7];
    for (size_t pass = 0; pass < 7; ++pass) {
        for (int y = y0[pass]; y < 16; y += dy[pass]) {
            rows += '\0';
            for (int x = x0[pass]; x < 16; x += dx[pass]) rows += char(10 + x + y);
        }
        ends[pass] = rows.size();
    }
    const std::string header = big32(16) + big32(16) + "\x08\0\0\0\1"s;
    const std::string start = "\x89PNG\r\n\x1a\n" + chunk("IHDR", header), data = chunk("IDAT", stored(rows));
    const auto cut_to = [&](size_t rows_bytes) { return read(start + data.substr(0, 8 + 7 + rows_bytes)); };
    EXPECT_EQ(read(start + data + chunk("IEND", "")).missing(), SampleRegion{});
    EXPECT_EQ(cut_to(ends[6]).missing(), SampleRegion{});
    EXPECT_EQ(cut_to(ends[5] + 3 * 17).missing(), (SampleRegion{0, 7, 16, 9})) << "rows 1, 3 and 5 of pass 7";
    const Image coarse = cut_to(ends[0]);
    EXPECT_EQ(coarse.missing(), (SampleRegion{0, 0, 16, 16}));
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            EXPECT_EQ(int(coarse.row_as<uint8_t>(y)[x]), 10 + x / 8 * 8 + y / 8 * 8) << "the pixel of its block";
}

TEST_F(FilesThatEndEarly, AnAnimationLacksPartOfItsLastFrame) {
    const std::string frame = big32(1) + big32(2) + big32(1) + big32(0) + big16(1) + big16(9) + "\0\0"s;
    const std::string whole = big32(2) + big32(2) + big32(0) + big32(0) + big16(1) + big16(9) + "\0\0"s;
    const std::string rgba = "abcd", two = rgba + rgba, last = chunk("fdAT", big32(2) + stored("\0abcd\0efgh"s));
    const std::string bytes = "\x89PNG\r\n\x1a\n" + chunk("IHDR", big32(2) + big32(2) + "\x08\6\0\0\0"s) +
                              chunk("acTL", big32(2) + big32(0)) + chunk("fcTL", big32(0) + whole) +
                              chunk("IDAT", stored("\0"s + two + "\0"s + two)) + chunk("fcTL", big32(1) + frame) +
                              last.substr(0, 8 + 4 + 7 + 5 + 2);
    const auto path = folder.write("a.png", bytes);
    EXPECT_EQ(read_image(path).missing(), SampleRegion{}) << "the first picture is there";
    Reading reading;
    reading.choice.part = "2";
    EXPECT_EQ(read_image(path, reading).missing(), (SampleRegion{1, 1, 1, 1}));
    EXPECT_EQ(read_facts(path, reading).missing, (SampleRegion{1, 1, 1, 1}));
}

TEST_F(FilesThatEndEarly, RawRowsAreThoseThatAreThere) {
    const std::string rows(4 * 3, 'x');
    EXPECT_EQ(read("P5 4 5 255\n" + rows + "xx").missing(), (SampleRegion{0, 3, 4, 2}));
    EXPECT_EQ(read("P4 9 3\n" + std::string(5, '\0')).missing(), (SampleRegion{0, 2, 9, 1}));
    EXPECT_EQ(read("P2 2 3 255\n1 2 3 4 5").missing(), (SampleRegion{0, 2, 2, 1}));
    EXPECT_EQ(read("P2 2 3 255\n1 2 3 4").missing(), (SampleRegion{0, 1, 2, 2})) << "the 4 may have been 40";
    EXPECT_EQ(read("P1 2 3\n10 01").missing(), (SampleRegion{0, 2, 2, 1}));
    EXPECT_EQ(read("P2 2 2 255\n1 2 3 4").missing(), SampleRegion{});
    const Image pfm = read("Pf\n1 4\n-1.0\n" + std::string(12, '\0') + "ab");
    EXPECT_EQ(pfm.missing(), (SampleRegion{0, 0, 1, 1})) << "its rows come from below";
    EXPECT_EQ(read(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (5, 4), }", rows)).missing(),
              (SampleRegion{0, 3, 4, 2}));
    EXPECT_NE(refusal([&] { read("P5 4 100 255\n" + rows); }).find("truncated"), std::string::npos)
        << "hardly anything";
}

TEST_F(FilesThatEndEarly, LightAndStarsAreSeenAsFarAsTheyGo) {
    const std::string pixel = "\x40\x20\x10\x81";
    EXPECT_EQ(read("#?RADIANCE\n\n-Y 3 +X 1\n" + pixel + pixel + "ab").missing(), (SampleRegion{0, 2, 1, 1}));
    EXPECT_EQ(read("#?RADIANCE\n\n+X 3 +Y 1\n" + pixel).missing(), (SampleRegion{1, 0, 2, 1}));
    std::string fits = "SIMPLE  =                    T";
    for (const std::string line : {"BITPIX  =                    8", "NAXIS   =                    2",
                                   "NAXIS1  =                    2", "NAXIS2  =                    3", "END"}) {
        fits.resize((fits.size() + 79) / 80 * 80, ' ');
        fits += line;
    }
    fits.resize(2880, ' ');
    const Image stars = read(fits + "abcd");
    EXPECT_EQ(stars.missing(), (SampleRegion{0, 0, 2, 1})) << "the last row of the file is the uppermost";
    EXPECT_EQ(samples<uint8_t>(stars), (std::vector<uint8_t>{0, 0, 'c', 'd', 'a', 'b'}));
}

TEST(WordsOfMissing, SayHowMuchIsThere) {
    EXPECT_EQ(words_of_missing({0, 57, 10, 43}, 10, 100), "the file ends early; 57 % of the rows are there");
    EXPECT_EQ(words_of_missing({0, 0, 3, 100}, 10, 100), "the file ends early; 70 % of the columns are there");
    EXPECT_EQ(words_of_missing({0, 0, 10, 100}, 10, 100), "the file ends early; at most a coarse picture is there");
    EXPECT_EQ(words_of_missing({2, 2, 3, 4}, 10, 100), "the file ends early; 3×4 of its pixels are missing");
}

}  // namespace
}  // namespace texelscope::test
