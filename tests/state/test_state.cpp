// Parts of the state: messages, readouts, views.

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "app/state/app_state.h"
#include "app/state/readout_text.h"
#include "app/state/view_math.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

// Messages: what is counted, what is removed, what stays.

TEST(MessageList, ErrorsAboutAFileGoWithItWhateverTheirText) {
    AppState state;
    post(state.messages, Message::Level::error, "/d/scan.png: the file is damaged", "/d/scan.png");
    post(state.messages, Message::Level::error, "not enough memory; the old picture stays", "/d/scan");
    post(state.messages, Message::Level::info, "/d/scan: saved", "/d/scan");
    forget_errors_about(state.messages, "/d/scan");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].source, "/d/scan.png") << "a file whose name only begins alike";
    EXPECT_EQ(state.messages[1].text, "/d/scan: saved");
    post(state.messages, Message::Level::error, "/d/scan: a text without a file");
    forget_errors_about(state.messages, "/d/scan");
    EXPECT_EQ(state.messages.size(), 3u) << "about no file, whatever it says";
}

TEST(MessageList, AnErrorIsAboutTheFileThatItNamesElseAboutTheGivenOne) {
    AppState state;
    post_error(state.messages, FileError("/d/photo.png", "the file is empty"), "/d/session.json");
    post_error(state.messages, Error("the window is too small"), "/d/session.json");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].source, "/d/photo.png");
    EXPECT_EQ(state.messages[0].text, "/d/photo.png: the file is empty");
    EXPECT_EQ(state.messages[1].source, "/d/session.json");
    EXPECT_EQ(state.messages[1].level, Message::Level::error);
}

TEST(MessageList, AMessageIsWithdrawnByItsText) {
    AppState state;
    post(state.messages, Message::Level::info, "compiling");
    post(state.messages, Message::Level::info, "saved");
    withdraw(state.messages, "compiling");
    withdraw(state.messages, "compiling");
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "saved");
}

TEST(MessageList, TheSameTextAgainIsCounted) {
    AppState state;
    for (int i = 0; i < 3; ++i) post(state.messages, Message::Level::error, "the same");
    post(state.messages, Message::Level::warning, "the same");
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].count, 3);
}

// Frames every `step` seconds until the message is gone, or for ten minutes; the mouse is on it in `held` of them.
double seconds_shown(AppState& state, double held_from = 0, double held_to = 0) {
    const double start = state.now, step = 0.25;
    for (; state.now < start + 600; state.now += step) {
        drop_read(state);
        if (state.messages.empty()) break;
        const double at = state.now - start;
        pass_time(state.messages[0], state.now, at >= held_from && at < held_to);
    }
    return state.now - start;
}

TEST(MessageList, AnErrorGoesAfterTheTimeThatItTakesToReadButNotAtOnce) {
    AppState state;
    post(state.messages, Message::Level::error, "no");
    EXPECT_NEAR(seconds_shown(state), 10, 0.5);
    post(state.messages, Message::Level::error, std::string(240, 'x'));
    EXPECT_NEAR(seconds_shown(state), 24, 0.5) << "twelve letters a second, after four seconds";
    post(state.messages, Message::Level::info, "saved");
    EXPECT_NEAR(seconds_shown(state), 6, 0.5);
    post(state.messages, Message::Level::hint, "wheel zooms");
    EXPECT_NEAR(seconds_shown(state), 20, 0.5);
    EXPECT_TRUE(state.ui.hint_dismissed) << "it was there to be read";
}

TEST(MessageList, TheTimeStandsStillWhileTheMouseIsOnTheMessage) {
    AppState state;
    post(state.messages, Message::Level::error, "no");
    EXPECT_NEAR(seconds_shown(state, 5, 65), 70, 0.5);
    post(state.messages, Message::Level::error, "no");
    pass_time(state.messages[0], state.now, true);
    EXPECT_FALSE(seconds_left(state.messages[0])) << "no frame is due";
    pass_time(state.messages[0], state.now + 100, false);
    EXPECT_NEAR(seconds_left(state.messages[0]).value_or(-1), 10, 0.01);
}

TEST(MessageList, AnOfferStaysUntilThePictureWasUsedAsOftenAsTheHintWaitsFor) {
    AppState state;
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    EXPECT_GE(seconds_shown(state), 600);
    ASSERT_EQ(state.messages.size(), 1u);
    state.messages[0].uses = uses_of_hint;
    EXPECT_NEAR(seconds_shown(state), 0, 0.5) << "it was there for long enough";
    post_offer(state, "Measure against the other?", "Use it", [](AppState&) {});
    state.messages[0].uses = uses_of_hint;
    EXPECT_NEAR(seconds_shown(state), 15, 0.5) << "however fast it was used";
}

TEST(MessageList, HoldsThreeAndAnOfferIsNotPushedOut) {
    AppState state;
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    for (int i = 0; i < 5; ++i) post(state.messages, Message::Level::error, std::to_string(i));
    ASSERT_EQ(state.messages.size(), 3u);
    EXPECT_EQ(state.messages[0].offer, "Use it");
    EXPECT_EQ(state.messages[1].text, "3");
    EXPECT_EQ(state.messages[2].text, "4");
}

// So that it neither lies above other messages nor comes back when they go.
TEST(MessageList, TheHintGivesWayToOtherMessagesForGood) {
    AppState state;
    post(state.messages, Message::Level::hint, "wheel zooms");
    post(state.messages, Message::Level::info, "shown at 400 %");
    drop_read(state);
    ASSERT_EQ(state.messages.size(), 2u) << "it was not there to be read: it waits";
    EXPECT_FALSE(shows(state, state.messages[0]));
    state.messages.pop_back();
    EXPECT_TRUE(shows(state, state.messages[0]));
    pass_time(state.messages[0], state.now, false);
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    drop_read(state);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].offer, "Use it");
    EXPECT_TRUE(state.ui.hint_dismissed);
}

// Offers are not for an audience; what was saved, such as a recording, is what the user did.
TEST(MessageList, WhatWasSavedIsSaidInPresenterModeToo) {
    AppState state;
    post_offer(state, "Measure against it?", "Use it", [](AppState&) {});
    post_saved(state.messages, "/tmp/texelscope-recording.mp4", "3.0 s");
    state.presenter.on = true;
    EXPECT_FALSE(shows(state, state.messages[0]));
    EXPECT_TRUE(shows(state, state.messages[1]));
    EXPECT_EQ(state.messages[1].offer, "Open");
}

TEST(MessageList, FilesThatAWalkPassesOverShareARow) {
    AppState state;
    for (const char* file : {"a.png", "b.png", "b.png", "c.png"})
        post_one_of(state.messages, Message::Level::error, "skipped", std::string(file) + ": damaged; skipped", file);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(words_of(state.messages[0]), "c.png: damaged; skipped  (and 2 before it)");
    EXPECT_EQ(state.messages[0].source, "c.png");
}

TEST(MessageList, TheNewestOneThatIsShownIsDismissed) {
    AppState state;
    state.ui.panels = false;  // no hints
    post(state.messages, Message::Level::error, "first");
    post(state.messages, Message::Level::error, "second");
    post(state.messages, Message::Level::hint, "wheel zooms");
    EXPECT_TRUE(dismiss_newest(state));
    ASSERT_EQ(state.messages.size(), 2u);
    EXPECT_EQ(state.messages[0].text, "first");
    EXPECT_TRUE(dismiss_newest(state));
    EXPECT_FALSE(dismiss_newest(state));
    EXPECT_FALSE(state.ui.hint_dismissed) << "it was not there to be read";
    state.ui.panels = true;
    EXPECT_TRUE(dismiss_newest(state));
    EXPECT_TRUE(state.ui.hint_dismissed);
}

using ::testing::HasSubstr;
using ::testing::Not;

// The values under the cursor, as text.

Readout grey(float value) {
    Readout readout;
    readout.channels = 1;
    readout.interpolated[0] = value;
    return readout;
}

TEST(ReadoutText, GivesTheDifferenceOnlyWhereOneIsShown) {
    AppState state;
    const ValueScale scale(ValueUnit::levels, SampleType::u8);
    Readout readout = grey(0.5f);
    EXPECT_EQ(difference_text(state.scene, readout, scale), "");
    readout.compared = {{0.5}, {0.4}};
    EXPECT_EQ(difference_text(state.scene, readout, scale), "|a − r| [25.5]");
    state.scene.difference.kind = DifferenceKind::signed_;
    readout.compared = {{0.4}, {0.5}};
    EXPECT_EQ(difference_text(state.scene, readout, scale), "a − r [-25.5]");
}

// The colour that a file happens to have there is in nobody's picture; the bits say it all the same.
TEST(ReadoutText, WhereNothingIsSeenThereIsNoColour) {
    const ValueScale scale(ValueUnit::levels, SampleType::u8);
    Readout readout;
    readout.channels = 4;
    readout.stored = {0, 1, 0, 0};
    readout.interpolated = {0, 1, 0, 0.5f};
    EXPECT_EQ(stored_text(readout, scale, Alpha::straight), "transparent");
    EXPECT_EQ(stored_text(readout, scale), "[0 255 0 0]") << "four channels of data";
    EXPECT_EQ(interpolated_text(readout, scale, Alpha::straight), "[0.00 255.00 0.00 127.50]");
    EXPECT_EQ(hex_text(readout, SampleType::u8), "#00FF0000");
    readout.interpolated[3] = 0;
    EXPECT_EQ(interpolated_text(readout, scale, Alpha::straight), "transparent");
}

TEST(ReadoutText, CopiedNamesTheDifferenceToo) {
    AppState state;
    state.scene.panes.push_back({default_spec(*find_method("bilinear"))});
    Document& document = state.scene.documents.emplace_back();
    document.image = std::make_shared<const Image>(4, 4, 1, SampleType::u8);
    state.scene.current = 0;
    state.report.findings.readout = grey(0.5f);
    EXPECT_THAT(copied_text(state), Not(HasSubstr("|a − r|")));
    state.report.findings.readout->compared = {{0.5}, {0.4}};
    EXPECT_THAT(copied_text(state), HasSubstr(": |a − r| [25.5] stored [0] interpolated [127.50]"));
}

// The effect of wheel, drag and keys on a view.

constexpr Extent image{640, 480}, output{961, 637};

Point shown_at(const View& view, Point pixel) {
    return apply(sampling_affine(view, image.width, image.height, output.width, output.height), pixel.x, pixel.y);
}

TEST(ViewMath, ZoomKeepsTheSampleUnderTheCursor) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < 1000; ++i) {
        const View view{300 * any(random), 300 * any(random), std::exp2(8 * any(random)), 180 * any(random)};
        const Point pixel{std::round(480 + 480 * any(random)), std::round(318 + 318 * any(random))};
        const View zoomed = zoomed_about(view, std::exp2(8 * any(random)), image, output, pixel);
        const Point before = shown_at(view, pixel), after = shown_at(zoomed, pixel);
        EXPECT_NEAR(before.x, after.x, 1e-9 * (1 + 480 * (view.scale + zoomed.scale)));
        EXPECT_NEAR(before.y, after.y, 1e-9 * (1 + 480 * (view.scale + zoomed.scale)));
    }
}

TEST(ViewMath, TheSampleStaysDuringTheMotionToo) {
    const View from{12.5, -3, 2, 30};
    const Point pixel{100, 550};
    const View to = zoomed_about(from, 4, image, output, pixel);
    for (double t : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const Point p = shown_at(between(from, to, t), pixel), q = shown_at(from, pixel);
        EXPECT_NEAR(p.x, q.x, 1e-9);
        EXPECT_NEAR(p.y, q.y, 1e-9);
    }
    EXPECT_EQ(between(from, to, 1), to);
    EXPECT_EQ(between(from, to, 0), from);
}

TEST(ViewMath, EightNotchesAreExactlyTwo) {
    double zoom = 1;
    for (int i = 0; i < 8; ++i) zoom = stepped_zoom(zoom, std::exp2(1.0 / 8));
    EXPECT_EQ(zoom, 2);
    for (int i = 0; i < 16; ++i) zoom = stepped_zoom(zoom, std::exp2(-1.0 / 8));
    EXPECT_EQ(zoom, 0.5);
}

TEST(ViewMath, ZoomStopsAtOneHundredPercent) {
    EXPECT_EQ(stepped_zoom(0.97, 1.5), 1);
    EXPECT_EQ(stepped_zoom(1.03, 0.5), 1);
    EXPECT_EQ(stepped_zoom(1, 1.5), 1.5);
    EXPECT_EQ(stepped_zoom(1, 0.5), 0.5);
    EXPECT_NE(stepped_zoom(0.5, 1.5), 1);
}

TEST(ViewMath, ZoomStaysInItsRange) {
    EXPECT_EQ(stepped_zoom(500, 2), max_zoom);
    EXPECT_EQ(stepped_zoom(0.011, 0.1), min_zoom);
    EXPECT_EQ(power_of_two_zoom(512, +1), 512);
    EXPECT_EQ(power_of_two_zoom(0.01, -1), 0.01);
    const View zoomed = zoomed_about({}, 1e9, image, output, {0, 0});
    EXPECT_EQ(zoomed.zoom(), max_zoom);
}

TEST(ViewMath, AnImageOfAnySizeFits) {
    constexpr Extent row{1'000'000, 1}, window{500, 400};
    const View whole = fitted(0, row, window);
    EXPECT_DOUBLE_EQ(whole.zoom(), 0.0005);
    const double lowest = lowest_zoom(0, row, window);
    EXPECT_DOUBLE_EQ(lowest, whole.zoom());
    EXPECT_DOUBLE_EQ(stepped_zoom(0.02, 1e-3, lowest), lowest);
    EXPECT_DOUBLE_EQ(power_of_two_zoom(0.0006, -1, lowest), lowest);
    EXPECT_DOUBLE_EQ(zoomed_about(whole, 1e-6, row, window, {0, 0}).zoom(), lowest);
    EXPECT_EQ(lowest_zoom(0, image, output), min_zoom) << "where it fits above the usual end, nothing changes";
}

TEST(ViewMath, AStepGoesToTheNextPowerOfTwo) {
    EXPECT_EQ(power_of_two_zoom(1, +1), 2);
    EXPECT_EQ(power_of_two_zoom(1, -1), 0.5);
    EXPECT_EQ(power_of_two_zoom(3, +1), 4);
    EXPECT_EQ(power_of_two_zoom(3, -1), 2);
    EXPECT_EQ(power_of_two_zoom(1.9999999999, +1), 4);
}

TEST(ViewMath, PanMovesByPixels) {
    const View view{1, 2, 0.25, 40};
    const Point before = shown_at(view, {100, 200}), after = shown_at(panned(view, 30, -7), {130, 193});
    EXPECT_NEAR(before.x, after.x, 1e-12);
    EXPECT_NEAR(before.y, after.y, 1e-12);
}

// Every corner of the samples' extent is in the output, and two of them touch it.
TEST(ViewMath, FitShowsAll) {
    for (double rotate : {0.0, 90.0, 30.0, -135.0}) {
        const View view = fitted(rotate, image, output);
        const Affine affine = sampling_affine(view, image.width, image.height, output.width, output.height);
        double least = 1e9;
        for (double x : {-0.5, image.width - 0.5})
            for (double y : {-0.5, image.height - 0.5}) {
                const Point p = apply_inverse(affine, {x, y});
                for (double room : {p.x + 0.5, p.y + 0.5, output.width - 0.5 - p.x, output.height - 0.5 - p.y}) {
                    EXPECT_GE(room, -1e-9) << rotate;
                    least = std::min(least, room);
                }
            }
        EXPECT_NEAR(least, 0, 1e-9) << rotate;
    }
}

TEST(ViewMath, OneToOneIsOnWholeSamples) {
    const View view = one_to_one({3.4, -7.6, 0.3, 0});
    EXPECT_EQ(view, (View{3, -8, 1, 0}));
}

TEST(ViewMath, RegionFillsTheWindow) {
    const Region region{100, 50, 300, 150};
    const View view = zoomed_to(region, 0, image, output);
    const Point middle = shown_at(view, {(output.width - 1) / 2.0, (output.height - 1) / 2.0});
    EXPECT_NEAR(middle.x, 200, 1e-9);
    EXPECT_NEAR(middle.y, 100, 1e-9);
    EXPECT_NEAR(view.scale * output.width, 200, 1e-9);
}

TEST(ViewMath, RotationWraps) {
    EXPECT_EQ(rotated({0, 0, 1, 175}, 10).rotate, -175);
    EXPECT_EQ(rotated({0, 0, 1, 170}, 10).rotate, 180);
    EXPECT_EQ(rotated({0, 0, 1, -170}, -10).rotate, 180);
    EXPECT_FALSE(std::signbit(rotated({0, 0, 1, -10}, 10).rotate));
}

TEST(ViewMath, ZoomInWords) {
    EXPECT_EQ(zoom_text(4), "400 % (4:1)");
    EXPECT_EQ(zoom_text(1), "100 % (1:1)");
    EXPECT_EQ(zoom_text(0.5), "50 % (1:2)");
    EXPECT_EQ(zoom_text(0.01), "1 % (1:100)");
    EXPECT_EQ(zoom_text(0.0005), "0.05 % (1:2000)");
    EXPECT_EQ(zoom_text(1.19), "119 % (1.19:1)");
    EXPECT_EQ(zoom_text(512), "51200 % (512:1)");
    EXPECT_EQ(zoom_text(0.375), "37.5 % (1:2.67)");
}

TEST(ViewMath, EaseOutEndsExactly) {
    EXPECT_EQ(ease_out(0), 0);
    EXPECT_EQ(ease_out(1), 1);
    EXPECT_EQ(ease_out(7), 1);
    EXPECT_GT(ease_out(0.5), 0.5);
}

}  // namespace
}  // namespace texelscope::test
