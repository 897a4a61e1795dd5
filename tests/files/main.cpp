// As tests/main.cpp, with decoders that misbehave, as a damaged or hostile file might make them, when a file's name asks for it.

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/parallel.h"
#include "tests/files/decoding/misbehaviour.h"

namespace texelscope::test {
namespace {

constexpr int socket_of_decoder = 3;

using Do = void (*)(const EncodedFile& file, DecodingTarget& target);

void gradient(const EncodedFile&, DecodingTarget& target) {
    Image& image = *target.begin({1024, 2048, 1, SampleType::u8, Alpha::none});
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) image.row_as<uint8_t>(y)[x] = uint8_t(x * 7 + y);
        if (y % 256 == 0) ::usleep(12000);  // it tells no more than 100 times a second
        target.rows_done(y + 1);
    }
}

void pixel(DecodingTarget& target) {
    if (Image* const image = target.begin({1, 1, 1, SampleType::u8, Alpha::none})) *image->data() = std::byte(7);
}

// A picture if it succeeds, which the tests do not expect.
void refused(DecodingTarget& target, long result) {
    if (result < 0) throw Error(std::strerror(errno));
    pixel(target);
}

[[noreturn]] void loop() {
    for (volatile int i = 0;; static_cast<void>(i)) {}
}

const std::map<std::string, Do> behaviours = {
    {"!gradient", gradient},
    {"!niceness",
     [](const EncodedFile&, DecodingTarget& target) {
         *target.begin({1, 1, 1, SampleType::u8, Alpha::none})->data() = std::byte(niceness());
     }},
    {"!abort", [](const EncodedFile&, DecodingTarget&) { std::abort(); }},
    {"!segfault", [](const EncodedFile&, DecodingTarget&) { ::raise(SIGSEGV); }},
    {"!divide", [](const EncodedFile&, DecodingTarget&) { ::raise(SIGFPE); }},
    {"!exit", [](const EncodedFile&, DecodingTarget&) { ::_exit(3); }},
    {"!loop", [](const EncodedFile&, DecodingTarget&) { loop(); }},
    {"!loop after a row",
     [](const EncodedFile&, DecodingTarget& target) {
         target.begin({1, 1 << 23, 1, SampleType::u8, Alpha::none});
         ::usleep(12000);
         target.rows_done(::getpid());
         loop();
     }},
    {"!allocate",
     [](const EncodedFile&, DecodingTarget&) {
         for (;;) std::memset(::operator new(1 << 20), 1, 1 << 20);
     }},
    {"!write",
     [](const EncodedFile& file, DecodingTarget& target) {
         refused(target, ::open((file.name.substr(7) + ".new").c_str(), O_WRONLY | O_CREAT, 0600));
     }},
    {"!socket", [](const EncodedFile&, DecodingTarget& target) { refused(target, ::socket(AF_INET, SOCK_STREAM, 0)); }},
    {"!open", [](const EncodedFile&, DecodingTarget& target) { refused(target, ::open("/etc/passwd", O_RDONLY)); }},
    {"!open itself",
     [](const EncodedFile& file, DecodingTarget& target) {
         const std::string name = "/proc/self/fd/" + std::to_string(file.descriptor);
         const int again = ::open(name.c_str(), O_RDONLY);
         if (again < 0) throw Error("its own file cannot be opened");
         refused(target, ::open("/etc/passwd", O_RDONLY));
     }},
    {"!open beside",
     [](const EncodedFile& file, DecodingTarget& target) {
         const std::string name = file.name.substr(file.name.find(':') + 1);
         refused(target, ::openat(file.companions->folder.number(), name.c_str(), O_RDONLY));
     }},
    {"!start", [](const EncodedFile&, DecodingTarget& target) { refused(target, ::fork()); }},
    {"!kill", [](const EncodedFile&, DecodingTarget& target) { refused(target, ::kill(::getppid(), SIGKILL)); }},
    {"!thread", [](const EncodedFile&, DecodingTarget& target) { std::thread([&] { pixel(target); }).join(); }},
    {"!shrink",
     [](const EncodedFile&, DecodingTarget& target) {
         Image& image = *target.begin({1 << 20, 4, 1, SampleType::u8, Alpha::none});
         for (int i = 0; i < 64; ++i) static_cast<void>(::ftruncate(i, 0) == 0);
         image.data()[image.size_bytes() - 1] = std::byte(9);
     }},
    {"!nothing", [](const EncodedFile&, DecodingTarget&) {}},
    {"!impossible",
     [](const EncodedFile&, DecodingTarget& target) {
         target.begin({-5, 7, 1, SampleType::u8, Alpha::none});
     }},
    {"!huge",
     [](const EncodedFile&, DecodingTarget& target) {
         target.begin({1 << 24, 1 << 10, 4, SampleType::f32, Alpha::none});
     }},
    {"!unknown type",
     [](const EncodedFile&, DecodingTarget& target) {
         target.begin({5, 7, 1, SampleType(77), Alpha::none});
     }},
    {"!twice",
     [](const EncodedFile&, DecodingTarget& target) {
         pixel(target);
         pixel(target);
     }},
    {"!nonsense",
     [](const EncodedFile&, DecodingTarget&) {
         static_cast<void>(::send(socket_of_decoder, "hello", 5, 0));
         loop();
     }},
    {"!escape", [](const EncodedFile&, DecodingTarget&) { throw Error("bad\n\x1b[31mred"); }},
    {"!quote", [](const EncodedFile&, DecodingTarget&) { throw Error("the header says \xff\xe2\x80\xae."); }},
    {"!hang up",
     [](const EncodedFile&, DecodingTarget&) {
         ::close(socket_of_decoder);
         loop();
     }},
    {"!complain",
     [](const EncodedFile&, DecodingTarget& target) {
         pixel(target);
         std::fprintf(stderr, "ZIPDecode: Decoding error at scanline 0\n");
     }},
    {"!warn",
     [](const EncodedFile&, DecodingTarget& target) {
         pixel(target);
         std::fprintf(stderr, "libpng warning: iCCP: known incorrect sRGB profile\n");
     }},
    {"!frame",
     [](const EncodedFile&, DecodingTarget& target) {
         PictureFacts facts;
         facts.frame = SampleRegion{-3, -2, 10, 8};
         Image& image = *target.begin({4, 4, 1, SampleType::i32, Alpha::none}, facts);
         image.row_as<int32_t>(0)[0] = -70000;
         image.set_missing({0, 3, 4, 1});
     }},
    {"!missing elsewhere",
     [](const EncodedFile&, DecodingTarget& target) {
         target.begin({4, 4, 1, SampleType::u8, Alpha::none})->set_missing({0, 3, 4, 2});
     }},
    {"!chatter",
     [](const EncodedFile&, DecodingTarget& target) {
         pixel(target);
         for (int i = 0; i < 100000; ++i) std::fputs("a warning that fills the pipe and must not block it\n", stderr);
     }},
};

void decode(const EncodedFile& file, DecodingTarget& target) {
    if (file.name.find("metadata") != file.name.npos) return pixel(target);
    const auto found = behaviours.find(file.name.substr(0, file.name.find(':')));
    (found == behaviours.end() ? foreign_decoder().decode : found->second)(file, target);
}

std::vector<MetadataRow> describe(const EncodedFile& file, const PictureFacts& facts) {
    if (file.name == "!crash in metadata") ::raise(SIGSEGV);
    if (file.name == "!metadata without end") return std::vector<MetadataRow>(100000, {"a", "b", "c"});
    if (file.name == "!metadata that escape") return {{"EXIF", "a\x1b[31m", std::string(5000, '\n') + "\xff"}};
    return file.name.starts_with('!') ? std::vector<MetadataRow>() : foreign_decoder().describe(file, facts);
}

std::vector<std::byte> compute(std::span<const std::byte> question) {
    const std::string_view word(reinterpret_cast<const char*>(question.data()), question.size());
    if (word.ends_with("!crash")) ::raise(SIGSEGV);
    if (word.ends_with("!lie")) return std::vector<std::byte>(300, std::byte(0xff));
    if (word == "!loop") loop();
    if (word == "!long") return std::vector<std::byte>(1 << 20);
    if (word == "!open" && ::open("/etc/passwd", O_RDONLY) < 0) throw Error(std::strerror(errno));
    if (word.starts_with("!echo")) return {question.begin(), question.end()};
    return foreign_decoder().compute(question);
}

// 1000×800 samples and a smaller level. The file's name says what is wrong, or the x of a region of one sample does.
class MisbehavingRegions : public TileSource {
public:
    explicit MisbehavingRegions(std::string name) : name_(std::move(name)) {
        info_ = {1000, 800, 1, SampleType::u8, Alpha::none, nullptr};
        if (name_ == "!regions of another type") info_.type = SampleType(77);
        if (name_ == "!process") info_.type = SampleType::f32;
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return name_ == "!regions without tiles" ? 0 : 64; }
    int levels() const override { return name_ == "!regions without end" ? 1000 : 2; }
    Extent level_extent(int level) const override {
        if (name_ == "!regions of no size") return {-5, 7};
        return {1000 >> level, 800 >> level};
    }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        if (region.width == 1) misbehave(int(region.x));
        for (int y = 0; y < region.height; ++y)
            for (int x = 0; x < region.width; ++x) {
                if (info_.type == SampleType::f32) {
                    const auto process = float(::getpid());
                    std::memcpy(to + size_t(y) * row_bytes + size_t(x) * sizeof process, &process, sizeof process);
                } else {
                    to[size_t(y) * row_bytes + size_t(x)] = region_sample(level, region.x + x, region.y + y);
                }
            }
    }

private:
    static void misbehave(int x) {
        switch (x) {
            case 13: ::raise(SIGSEGV); break;
            case 14: loop();
            case 15: throw Error("bad\n\x1b[31mred");
            case 16: std::fprintf(stderr, "ZIPDecode: Decoding error at scanline 0\n"); break;
            case 17:
                for (;;) std::memset(::operator new(1 << 20), 1, 1 << 20);
            case 18: static_cast<void>(::send(socket_of_decoder, "hello", 5, 0)); break;
            case 19: ::_exit(0);
            default: break;
        }
    }

    std::string name_;
    ImageInfo info_;
};

std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    if (file.name == "!crash") ::raise(SIGSEGV);
    if (file.name == "!in one piece") throw NotInParts("it is in one piece");
    if (file.name.starts_with('!')) return std::make_unique<MisbehavingRegions>(file.name);
    return foreign_decoder().open_regions(file);
}

// Format 1000 stands for those whose reader wants a name.
bool opens_file(int format) { return format == 1000 || foreign_decoder().opens_file(format); }

}  // namespace

std::byte region_sample(int level, int64_t x, int64_t y) { return std::byte((x * 7 + y * 13 + level * 50) & 255); }

const Decoder& misbehaving_decoder() {
    static const Decoder decoder{foreign_decoder().prepare, decode, opens_file, describe, compute, open_regions};
    return decoder;
}

}  // namespace texelscope::test

// Encoders of HEIF, which tests call, keep memory of their own until the program ends.
extern "C" const char* __lsan_default_suppressions() { return "leak:libx265\n"; }

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::test::misbehaving_decoder());
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
