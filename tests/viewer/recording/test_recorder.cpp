// Recordings: frame k is the screen at k/30 seconds; videos hold all frames; nothing incomplete is left.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "app/viewer/recording/recording.h"
#include "gpu/core/errors.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

Image of_colour(int width, int height, uint8_t r, uint8_t g, uint8_t b) {
    Image image(width, height, 3, SampleType::u8);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            uint8_t* at = image.row_as<uint8_t>(y) + x * 3;
            at[0] = r, at[1] = g, at[2] = b;
        }
    return image;
}

std::shared_ptr<const Image> picture(uint8_t value) {
    return std::make_shared<const Image>(of_colour(1, 1, value, 0, 0));
}

// The recorded values, one per frame.
class ListSink : public FrameSink {
public:
    explicit ListSink(std::vector<int>& frames, bool fails = false) : frames_(frames), fails_(fails) {}
    void write(const Image& frame, int64_t count) override {
        if (fails_) throw Error("no room");
        frames_.insert(frames_.end(), size_t(count), frame.row_as<uint8_t>(0)[0]);
    }
    void finish() override {}

private:
    std::vector<int>& frames_;
    bool fails_;
};

TEST(Recorder, FramesAreWhatWasOnTheScreen) {
    std::vector<int> frames;
    {
        Recorder recorder(std::make_unique<ListSink>(frames), 100);
        recorder.show(picture(1), 100.0);    // frame 0
        recorder.show(picture(2), 100.01);   // gone before frame 1
        recorder.show(picture(3), 100.02);   // frame 1, at 33 ms
        recorder.keep_up(100.09);            // and 2
        recorder.keep_up(100.095);           // nothing more is due
        recorder.show(picture(4), 100.105);  // 3 was still the third picture, at 100 ms
        recorder.show(picture(5), 100.5);    // 4 … 14 the fourth
        recorder.close();
    }
    std::vector<int> expected = {1, 3, 3, 3};
    expected.insert(expected.end(), 11, 4);
    expected.push_back(5);  // frame 15 at 500 ms
    EXPECT_EQ(frames, expected);
}

TEST(Recorder, TellsWhatWentWrongAndGoesOn) {
    std::vector<int> frames;
    Recorder recorder(std::make_unique<ListSink>(frames, true), 0);
    for (int i = 0; i < 100; ++i) recorder.show(picture(uint8_t(i)), i);  // does not wait forever
    recorder.close();
    while (!recorder.done()) std::this_thread::yield();
    EXPECT_EQ(recorder.problem(), "no room");
}

class RecordingFiles : public testing::Test {
protected:
    static int files_in(const fs::path& folder) {
        return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    const Folder folder_{testing::TempDir()};
};

TEST_F(RecordingFiles, PicturesAreNumbered) {
    const fs::path folder = folder_ / "frames";
    const auto sink = make_picture_sink(folder);
    sink->write(of_colour(4, 3, 10, 20, 30), 2);
    sink->write(of_colour(4, 3, 40, 50, 60), 1);
    sink->finish();
    EXPECT_EQ(files_in(folder), 3);
    const int reds[] = {10, 10, 40};
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(
            read_image((folder / ("frame-00000" + std::to_string(i + 1) + ".png")).string()).row_as<uint8_t>(0)[0],
            reds[i]);
    EXPECT_THROW(make_picture_sink(folder), FileError);  // it exists
}

TEST_F(RecordingFiles, SizeSoFarIsThatOnTheDisk) {
    const fs::path folder = folder_ / "frames";
    {
        Recorder recorder(make_picture_sink(folder), 0);
        recorder.show(picture(1), 0);
        recorder.keep_up(0.2);
        recorder.close();
        while (!recorder.done()) std::this_thread::yield();
        int64_t bytes = 0;
        for (const auto& file : fs::directory_iterator(folder)) bytes += int64_t(file.file_size());
        EXPECT_GT(bytes, 0);
        EXPECT_EQ(recorder.bytes(), bytes);
    }
}

TEST_F(RecordingFiles, WithoutFfmpegItSaysWhatWhereAndHowLarge) {
    const Question question = question_before_pictures(folder_ / "frames", {1280, 800});
    EXPECT_NE(question.text.find("PNG"), std::string::npos);
    EXPECT_NE(question.text.find("about 37 MB per second"), std::string::npos) << question.text;
    EXPECT_NE(question.details.find((folder_ / "frames").string()), std::string::npos);
    EXPECT_EQ(std::get<task::StartRecording>(question.task).path, (folder_ / "frames").string());
    EXPECT_FALSE(fs::exists(folder_ / "frames"));
}

TEST_F(RecordingFiles, AVideoHoldsEveryFrame) {
    const std::string ffmpeg = program_on_path("ffmpeg");
    if (ffmpeg.empty()) GTEST_SKIP() << "no ffmpeg: install Debian's ffmpeg";
    const fs::path path = folder_ / "a \"b\"; $(touch c).mp4", raw = folder_ / "raw";
    {
        const auto sink = make_video_sink(ffmpeg, path, 65, 47);  // odd sides
        sink->write(of_colour(65, 47, 200, 40, 40), 15);
        sink->write(of_colour(65, 47, 40, 40, 200), 5);
        EXPECT_FALSE(fs::exists(path));
        sink->finish();
    }
    EXPECT_EQ(files_in(folder_), 1);
    ASSERT_TRUE(fs::exists(path));
    ASSERT_EQ(test::run({ffmpeg, "-loglevel", "error", "-i", "file:" + path.string(), "-f", "rawvideo", "-pix_fmt",
                         "rgb24", raw.string()}),
              0);
    std::ifstream file(raw, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    constexpr size_t frame = 66 * 48 * 3;
    ASSERT_EQ(bytes.size(), 20 * frame);
    for (const auto& [index, r, b] : {std::tuple{0, 200, 40}, std::tuple{14, 200, 40}, std::tuple{19, 40, 200}}) {
        const auto* at = reinterpret_cast<const uint8_t*>(bytes.data()) + size_t(index) * frame + (20 * 66 + 30) * 3;
        EXPECT_NEAR(at[0], r, 25) << index;
        EXPECT_NEAR(at[2], b, 25) << index;
    }
}

TEST_F(RecordingFiles, AFailingProgramIsOneSentenceAndLeavesNothing) {
    const fs::path program = folder_ / "ffmpeg", path = folder_ / "a.mp4";
    std::ofstream(program) << "#!/bin/sh\necho 'no such encoder' >&2\necho more >&2\nexit 1\n";
    fs::permissions(program, fs::perms::owner_all);
    for (const bool at_the_end : {false, true}) {
        const auto sink = make_video_sink(program.string(), path, 640, 480);
        try {
            // A pipe takes some frames before it is noticed that nobody reads.
            sink->write(of_colour(640, 480, 0, 0, 0), at_the_end ? 0 : 100);
            sink->finish();
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("no such encoder"), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
    }
    EXPECT_EQ(files_in(folder_), 1);
    EXPECT_THROW(make_video_sink((folder_ / "none").string(), path, 4, 4), Error);
}

TEST_F(RecordingFiles, OneThatWasStoppedIsSaidToBeWritten) {
    AppState state;
    Recording recording;
    recording.start(state, {(folder_ / "frames").string(), ""}, {4, 4});
    EXPECT_TRUE(state.report.recording.active);
    EXPECT_FALSE(state.report.recording.stopped);
    recording.toggle(state, folder_, {4, 4});
    EXPECT_TRUE(state.report.recording.active && state.report.recording.stopped) << "at once, though files are written";
    EXPECT_TRUE(state.messages.empty());
    recording.toggle(state, folder_, {4, 4});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_NE(state.messages[0].text.find("still being written"), std::string::npos) << state.messages[0].text;
    while (recording.active()) recording.poll(state);
    EXPECT_FALSE(state.report.recording.active || state.report.recording.stopped);
}

TEST_F(RecordingFiles, NamesAreFreeAndSizesStay) {
    const fs::path first = free_recording_path(folder_, ".mp4");
    EXPECT_EQ(first.filename(), "texelscope-recording.mp4");
    std::ofstream(first) << "x";
    EXPECT_EQ(free_recording_path(folder_, ".mp4").filename(), "texelscope-recording-2.mp4");
    const auto larger = of_size(of_colour(2, 2, 9, 9, 9), {4, 3});
    EXPECT_EQ(larger->width(), 4);
    EXPECT_EQ(larger->height(), 3);
    EXPECT_EQ(larger->row_as<uint8_t>(1)[3], 9);
    EXPECT_EQ(larger->row_as<uint8_t>(1)[6], 0);
    EXPECT_EQ(larger->row_as<uint8_t>(2)[0], 0);
    const auto smaller = of_size(of_colour(9, 9, 7, 7, 7), {4, 3});
    EXPECT_EQ(smaller->height(), 3);
    EXPECT_EQ(smaller->row_as<uint8_t>(2)[11], 7);
}

}  // namespace
}  // namespace texelscope::test
