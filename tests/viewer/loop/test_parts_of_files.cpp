// Parts of a file, and slides of several files.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/loop/documents.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

// Parts of a file are images of their own: for documents, for what is kept of them, for the switch to stored rows.

const AcceptImage accept_parts = [](const std::shared_ptr<const Image>&) { return StillWanted(); };

class PartsOfFiles : public testing::Test {
protected:
    void SetUp() override {
        write_image(Image(4, 3, 3, SampleType::u8), folder_ / "a.ppm");
        file_ = (folder_ / "a.ppm").string();
        state_.scene.panes = {{default_spec(*find_method("bilinear"))}};
    }
    // As if the file had said so.
    void tell(const std::vector<PictureFacts::Part>& parts, int part = 0) {
        state_.report.file.source = state_.scene.document()->source;
        state_.report.file.facts.parts = parts;
        state_.report.file.facts.part = part;
    }
    // The choice that an edit has asked for.
    PictureChoice asked() {
        EXPECT_EQ(state_.tasks.size(), 1u);
        const Task task = state_.tasks.at(0);
        state_.tasks.clear();
        return std::get<task::ChoosePicture>(task).choice;
    }
    Folder folder_;
    std::string file_;
    AppState state_;
};

TEST_F(PartsOfFiles, AreDocumentsOfTheirOwnFromOneRecentFile) {
    open_document(state_, file_, accept_parts);
    open_document(state_, file_ + "#channels=2", accept_parts);
    ASSERT_EQ(state_.scene.documents.size(), 2u);
    EXPECT_EQ(state_.scene.documents[0].image->channels(), 3);
    EXPECT_EQ(state_.scene.documents[1].image->channels(), 1);
    EXPECT_EQ(state_.scene.documents[1].title(), "a.ppm · 2");
    EXPECT_EQ(state_.scene.documents[1].loaded, stamp_of(file_));
    EXPECT_EQ(state_.ui.recent, std::vector<std::string>{file_});
}

TEST_F(PartsOfFiles, AreKeptBySessions) {
    open_document(state_, file_ + "#channels=3,1&orientation=off", accept_parts);
    const auto session = folder_ / "s.json";
    write_session(session_of(state_.scene, state_.ui), session.string());
    EXPECT_NE(content_of(session).find("\"a.ppm#channels=3,1&orientation=off\""), std::string::npos);
    EXPECT_EQ(read_session(session.string()).scene.documents.at(0).source, state_.scene.document()->source);
}

TEST_F(PartsOfFiles, StoredRowsArePreferredOnceChosen) {
    EXPECT_EQ(as_preferred(state_.ui, file_), file_);
    state_.ui.upright = false;
    EXPECT_EQ(as_preferred(state_.ui, file_), file_ + "#orientation=off");
    EXPECT_EQ(as_preferred(state_.ui, file_ + "#part=2"), file_ + "#part=2&orientation=off");
    EXPECT_EQ(as_preferred(state_.ui, "@step:8"), "@step:8");
    walk_to_document(state_, file_, accept_parts);
    EXPECT_EQ(state_.scene.document()->source, file_ + "#orientation=off");
    EXPECT_FALSE(is_upright(state_.scene, state_.ui));
}

// However quickly the key comes: the picture of a step may take longer than the next press.
TEST_F(PartsOfFiles, StepsAddUpBeforeThePictureIsThere) {
    open_document(state_, file_, accept_parts);
    const std::vector<std::string> rgb = {"R", "G", "B"};
    tell({{"a", 4, 3, rgb}, {"b", 4, 3, rgb}, {"c", 4, 3, rgb}, {"d", 4, 3, rgb}, {"e", 4, 3, rgb}, {"f", 4, 3, rgb}});
    for (int i = 0; i < 4; ++i) step_part(state_, 1);
    ASSERT_EQ(state_.tasks.size(), 4u);
    EXPECT_EQ(std::get<task::ChoosePicture>(state_.tasks.back()).choice.part, "5");
    state_.tasks.clear();
    state_.loading = Loading{.source = file_ + "#part=5"};
    step_part(state_, -1);
    EXPECT_EQ(asked().part, "4") << "while it is read";
    state_.scene.document()->source = file_ + "#part=3";  // one that was asked for earlier has come
    step_part(state_, 1);
    EXPECT_EQ(asked().part, "5") << "the other one is on its way";
    state_.scene.document()->source = file_;
    state_.loading.reset();
    step_part(state_, 1);
    EXPECT_EQ(asked().part, "2") << "it could not be read: from the one that is shown";
}

TEST_F(PartsOfFiles, AreSteppedThroughUpToTheEnds) {
    open_document(state_, file_, accept_parts);
    EXPECT_EQ(part_count(state_), 0);
    step_part(state_, 1);
    EXPECT_TRUE(state_.tasks.empty());
    tell({{"left", 4, 3, {"R", "G", "B"}}, {"right", 4, 3, {"R", "G", "B"}}});
    EXPECT_EQ(words_of_part(shown_facts(state_)->parts, 1), "2 of 2: right");
    step_part(state_, 1);
    EXPECT_EQ(asked().part, "2");
    step_part(state_, -1);
    EXPECT_TRUE(state_.tasks.empty());
    EXPECT_EQ(state_.messages.back().text, "this is the first part of a.ppm");
    // Another part, of which nothing is known yet but its number or its name.
    state_.scene.document()->source = file_ + "#part=right";
    EXPECT_EQ(shown_part(state_), 1);
    state_.scene.document()->source = file_ + "#part=2";
    EXPECT_EQ(shown_part(state_), 1);
}

TEST_F(PartsOfFiles, KeepTheirChannelsIfTheNextOneHasThem) {
    open_document(state_, file_ + "#channels=G", accept_parts);
    tell({{"", 4, 3, {"R", "G", "B"}}, {"", 4, 3, {"G"}}, {"", 4, 3, {"Z"}}});
    choose_part(state_, 1);
    EXPECT_EQ(asked().channels, std::vector<std::string>{"G"});
    choose_part(state_, 2);
    EXPECT_TRUE(asked().channels.empty());
}

TEST_F(PartsOfFiles, LayersOfASinglePictureAreSteppedThrough) {
    open_document(state_, file_, accept_parts);
    const std::vector<std::string> channels = {"R",        "G",        "B",   "A",   "depth.Z", "normal.X",
                                               "normal.Y", "normal.Z", "l.B", "l.G", "l.R"};
    tell({{"", 4, 3, channels}});
    EXPECT_EQ(part_count(state_), 4);
    EXPECT_EQ(shown_part(state_), 0);
    EXPECT_EQ(words_of_part(parts_to_step_through(*shown_facts(state_)), 3), "4 of 4: l");
    const std::vector<std::vector<std::string>> wanted = {
        {"depth.Z"}, {"normal.X", "normal.Y", "normal.Z"}, {"l.R", "l.G", "l.B"}};
    for (size_t i = 0; i < wanted.size(); ++i) {
        step_part(state_, 1);
        const PictureChoice choice = asked();
        EXPECT_EQ(choice.channels, wanted[i]);
        state_.scene.document()->source = with_choice(file_, choice);
        EXPECT_EQ(shown_part(state_), int(i) + 1);
    }
    step_part(state_, 1);
    EXPECT_TRUE(state_.tasks.empty()) << "the last one";
    choose_part(state_, 0);
    EXPECT_EQ(asked(), PictureChoice{});
    for (const auto& [source, part] :
         {std::pair("#part=normal", 2), std::pair("#channels=5", 1), std::pair("#channels=G", 0)}) {
        state_.scene.document()->source = file_ + source;
        EXPECT_EQ(shown_part(state_), part) << source;
    }
}

TEST_F(PartsOfFiles, WithoutAUsualPictureBeginWithTheFirstLayer) {
    open_document(state_, file_, accept_parts);
    tell({{"", 4, 3, {"n.X", "n.Y", "Z"}}});
    EXPECT_EQ(shown_part(state_), 1) << "those without a layer come first";
    step_part(state_, -1);
    EXPECT_EQ(asked().channels, std::vector<std::string>{"Z"});
    tell({{"", 4, 3, {"R", "G", "B", "Z"}}});
    EXPECT_EQ(part_count(state_), 1) << "no layers";
}

std::vector<std::string> numbers_to(int count) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i) names.push_back(std::to_string(i));
    return names;
}

// The steps show the usual channels together, then each channel alone.
TEST_F(PartsOfFiles, ManyChannelsAreSteppedThroughOneByOne) {
    open_document(state_, file_, accept_parts);
    for (const auto& channels : {numbers_to(12), numbers_to(2), {"R", "G", "B", "A", "Z"}}) {
        state_.scene.document()->source = file_;
        tell({{"", 4, 3, channels}});
        ASSERT_EQ(part_count(state_), int(channels.size()) + 1);
        EXPECT_EQ(shown_part(state_), 0);
        for (const std::string& channel : channels) {
            step_part(state_, 1);
            const PictureChoice choice = asked();
            EXPECT_EQ(choice.channels, std::vector<std::string>{channel});
            state_.scene.document()->source = with_choice(file_, choice);
        }
        EXPECT_EQ(shown_part(state_), int(channels.size()));
        choose_part(state_, 0);
        EXPECT_EQ(asked(), PictureChoice{});
    }
    state_.scene.document()->source = file_;
    tell({{"", 4, 3, {"R", "G", "B"}}});
    EXPECT_EQ(part_count(state_), 1) << "a photograph";
}

TEST_F(PartsOfFiles, AnArrayWithFewRowsOffersItsChannelsFirst) {
    open_document(state_, file_, accept_parts);
    const auto read_as = [&](int height, int width, int channels) {
        state_.messages.clear();
        state_.offers_made.clear();
        tell({{"", width, height, numbers_to(channels)}});
        state_.report.file.facts.layout = PictureFacts::Layout::channels_last;
        offer_other_layout(state_);
        return !state_.messages.empty();
    };
    EXPECT_FALSE(read_as(480, 640, 3));
    EXPECT_FALSE(read_as(64, 64, 12));
    EXPECT_FALSE(read_as(64, 64, 64)) << "a cube may be either";
    EXPECT_TRUE(read_as(3, 480, 640));
    ASSERT_TRUE(read_as(12, 64, 64));
    EXPECT_NE(state_.messages[0].text.find("12 channels of 64×64"), std::string::npos) << state_.messages[0].text;
    state_.messages[0].accept(state_);
    EXPECT_EQ(asked(), PictureChoice{.channels_first = true});
    state_.scene.document()->source = file_ + "#part=2";
    offer_other_layout(state_);
    EXPECT_EQ(state_.messages.size(), 1u) << "once for the file, not for each part";
    drop_read(state_);
    EXPECT_EQ(state_.messages.size(), 1u) << "it stays while the file is shown";
    state_.scene.document()->source = file_ + "#layout=chw";
    drop_read(state_);
    EXPECT_TRUE(state_.messages.empty()) << "it is read so";
    state_.scene.document()->source = file_;
    ASSERT_TRUE(read_as(12, 64, 64));
    open_document(state_, "@step:8", accept_parts);
    drop_read(state_);
    EXPECT_TRUE(state_.messages.empty()) << "another picture is shown";
    state_.scene.current = 0;
    const auto read_first = [&](const std::string& source) {
        state_.messages.clear();
        state_.offers_made.clear();
        state_.scene.document()->source = source;
        tell({{"", 64, 48, numbers_to(3)}});
        state_.report.file.facts.layout = PictureFacts::Layout::channels_first;
        offer_other_layout(state_);
        return !state_.messages.empty();
    };
    EXPECT_FALSE(read_first(file_ + "#layout=chw")) << "it was asked for";
    ASSERT_TRUE(read_first(file_));
    EXPECT_NE(state_.messages[0].text.find("it may be 3 rows of 48 pixels with 64 channels"), std::string::npos);
    state_.messages[0].accept(state_);
    EXPECT_EQ(asked(), PictureChoice{.channels_first = false});
    state_.report.file.facts.layout = PictureFacts::Layout::fixed;
    EXPECT_FALSE(channels_first(state_).has_value()) << "pictures of other formats have one reading";
}

TEST_F(PartsOfFiles, ChannelsAreTypedByNameOrNumber) {
    open_document(state_, file_, accept_parts);
    choose_typed_channels(state_, "normal.X, normal.Y,7");
    EXPECT_EQ(asked().channels, (std::vector<std::string>{"normal.X", "normal.Y", "7"}));
    for (const char* wrong : {"R,R", "1,2,3,4,5", "R,,G", " "}) {
        choose_typed_channels(state_, wrong);
        EXPECT_TRUE(state_.tasks.empty()) << wrong;
        EXPECT_NE(state_.messages.back().text.find("1 to 4 different channels"), std::string::npos) << wrong;
    }
}

TEST_F(PartsOfFiles, OfferTheColoursOfALayerTogether) {
    const auto groups = channel_groups({"R", "G", "B", "A", "Z", "light.R", "light.G", "light.B", "N.X"});
    std::vector<std::string> titles;
    for (const ChannelGroup& group : groups) titles.push_back(group.title);
    EXPECT_EQ(titles, (std::vector<std::string>{"usual", "R, G, B, A", "light.R, G, B", "R", "G", "B", "A", "Z",
                                                "light.R", "light.G", "light.B", "N.X"}));
    EXPECT_EQ(groups[2].channels, (std::vector<std::string>{"light.R", "light.G", "light.B"}));
}

namespace fs = std::filesystem;

// Slides of several files: a change of any of them is a change of the open picture.

class SlidesOnDisk : public testing::Test {
protected:
    void SetUp() override {
        if (files_beside("a.mrxs") == Beside::nothing) GTEST_SKIP() << "built without OpenSlide";
    }
    static void write(const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    // As if it had been read just now.
    void show(const fs::path& path) {
        Document document;
        document.source = path.string();
        document.image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
        document.loaded = document.seen = stamp_of(document.source);
        state_.scene.documents = {document};
        state_.scene.current = 0;
    }
    // Once it has settled.
    bool changes() {
        const bool at_once = change_has_settled(state_);
        EXPECT_FALSE(at_once) << "it may still be written";
        return change_has_settled(state_);
    }
    Folder folder_;
    AppState state_;
};

TEST_F(SlidesOnDisk, AChangeInTheFolderOfASlideIsNoticed) {
    const fs::path slide = folder_ / "a.mrxs", data = folder_ / "a" / "Data0000.dat";
    write(slide, "slide");
    write(data, "tiles");
    show(slide);
    EXPECT_FALSE(changes());
    write(data, "more tiles");
    EXPECT_TRUE(changes());
    EXPECT_FALSE(changes());
    fs::last_write_time(data, fs::last_write_time(data) + std::chrono::seconds(3));
    EXPECT_TRUE(changes()) << "of the same length";
    write(folder_ / "a" / "Data0001.dat", "tiles");
    EXPECT_TRUE(changes()) << "one came";
    fs::remove(data);
    EXPECT_TRUE(changes()) << "one went";
    write(slide, "another slide");
    EXPECT_TRUE(changes());
    write(folder_ / "b" / "Data0000.dat", "of another slide");
    EXPECT_FALSE(changes());
}

TEST_F(SlidesOnDisk, AChangeOfAnImageBesideASlideIsNoticed) {
    for (const char* name : {"a.vms", "a.vmu"}) {
        const fs::path slide = folder_ / name, image = folder_ / "a(1,0).jpg";
        write(slide, "slide");
        write(image, "image");
        show(slide);
        write(image, "another image");
        EXPECT_TRUE(changes()) << name;
        write(folder_ / "b.jpg", name);
        EXPECT_FALSE(changes()) << name;
    }
}

TEST_F(SlidesOnDisk, ThoseOfALinkLieWhereItLeads) {
    write(folder_ / "far/a.mrxs", "slide");
    write(folder_ / "far/a/Data0000.dat", "tiles");
    fs::create_symlink(folder_ / "far/a.mrxs", folder_ / "link.mrxs");
    show(folder_ / "link.mrxs");
    write(folder_ / "far/a/Data0000.dat", "more tiles");
    EXPECT_TRUE(changes());
}

}  // namespace
}  // namespace texelscope::test
