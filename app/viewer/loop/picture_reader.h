#pragma once
// Reads pictures in the background: what is to be shown next, and what open documents need; meanwhile a small picture
// shows the rows that are there.

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/picture/kept_pictures.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/state/app_state.h"
#include "app/work/work.h"
#include "gpu/core/image.h"

namespace texelscope {

// A small picture of the rows that have been decoded so far. Fed by the thread that reads, asked by the window.
class Preview {
public:
    // The first `rows` rows are complete. A few samples of each new row that counts.
    void note(const Image& so_far, int rows);

    // u8×3, at most `longest_side` wide and high; rows to come are grey. Null before the first row, or if there is
    // nothing new.
    std::shared_ptr<const Image> take();
    static constexpr int longest_side = 240;

private:
    std::mutex mutex_;
    Image small_;
    int step_ = 1, done_ = 0;  // samples from one to the next; small rows
    bool news_ = false;
};

// How far the decoder has come; written by the thread that reads.
struct DecodedSoFar {
    std::atomic<int> width = 0, height = 0, rows = 0;
    std::atomic<int> stored = -1;  // as tiles, in percent; −1: it is not
    Preview preview;
};

struct PictureQuestion {
    std::string source;
    FileStamp stamp;  // of the file, before it is read
    std::shared_ptr<DecodedSoFar> so_far = std::make_shared<DecodedSoFar>();
    // If the picture is copied to its backend, or read there, meanwhile; and who is told that it begins to.
    std::shared_ptr<ArrivingSource> arriving = nullptr;
    std::function<void()> tell = {};
};

PictureQuestion question_about(const std::string& source);

// Throws what load_image throws; Cancelled once it is to stop.
std::shared_ptr<const Image> read_picture(const PictureQuestion& question, const std::stop_token& stop);

// Seconds. A sign that changed with every frame would keep the window drawing, which a CPU does at the expense of the
// decoder.
inline constexpr double loading_sign_every = 0.2;

class PictureReader {
public:
    // `wake`: see BackgroundWork.
    explicit PictureReader(const std::function<void()>& wake = {}) : wake_(wake), next_(wake), needed_(wake) {}

    // The picture that is shown first, in this light, before there is a window: it is decoded while display and OpenGL
    // start.
    void begin_with(const std::string& source, Light light);

    // From now on, what has begun is copied there.
    void go_to(const BackendInfo& device);

    // For what is shown next, on a backend like that of `sources`, and tells it in `loading`. Ends what was read for that
    // before; nothing if it is this.
    void read_next(AppState& state, const std::string& source, const SourceCache& sources);
    void drop_next() { next_.drop(); }

    // The rows of the picture that is read to be shown next: once, when its size is known (see ArrivingSource).
    std::optional<ArrivingSource::Rows> arriving() {
        const PictureQuestion* question = next_.question();
        return question && question->arriving ? question->arriving->rows_for_thread() : std::nullopt;
    }
    bool reads_next() const { return next_.question() != nullptr; }
    bool has_next() const { return next_.has_news(); }  // it has been read, or cannot be
    // More than half of the rows of what is read next have been decoded, and not all of it is there.
    bool nearly_has_next() const;

    // What is read goes on, but leaves its device alone from now on.
    void leave_device();

    // Pictures that panes or a reference need, one after the other, and what has changed on disk.
    void read_needed(AppState& state, const std::string& source);

    // Once per turn of the loop: puts what has been read into the state, what has been copied into the cache, and what has
    // been rendered early to the slow pictures. True if there was anything.
    bool follow(AppState& state, SourceCache& sources, SlowPictures* slow = nullptr);

    // A preview of the picture that is read to be shown next; null if there is nothing new.
    std::shared_ptr<const Image> new_preview() {
        return next_.question() ? next_.question()->so_far->preview.take() : nullptr;
    }

    bool rests() const { return !next_.question() && !needed_.question() && queue_.empty(); }

private:
    using Reading = BackgroundWork<PictureQuestion, std::shared_ptr<const Image>>;
    static void keep(AppState& state, Reading::Result result, bool ahead);
    static void keep_arrived(const Reading::Result& result, SourceCache& sources);

    std::function<void()> wake_;
    Reading next_, needed_;
    double told_ = 0;                // how far the next one has come; seconds
    std::deque<std::string> queue_;  // for `needed_`
};

// What the window will show of a picture that is still being read: the only pane in view, if everything stays as it is
// and the source's document is shown, fitted, with this image. Empty if there are several panes, or none yet.
std::optional<PanePicture> picture_to_come(const AppState& state, const std::string& source,
                                           std::shared_ptr<const Image> image);

// Reads pictures in the background before they are asked for: documents that have not been shown yet, since one may be the
// larger original of another, and the neighbours of the shown file in its folder. With the lowest priority, as their decoders.

class ReadAhead : public Worker {
public:
    // What is kept of neighbours: decoded bytes. By default a share of the memory that the machine has left, asked from
    // time to time: it is the first to be given back.
    explicit ReadAhead(std::function<size_t()> budget = share_of_memory) : budget_(std::move(budget)) {}
    static size_t share_of_memory();

    // Puts an image that has been read into its document, and offers it if it is an original; begins to read the next one,
    // each once, of at most four documents with small files; then neighbours. Nothing while a picture is read to be shown.
    // True if the state has changed.
    bool read_next(AppState& state);

    // Once the first picture is seen, and while nothing is dragged.
    bool poll(AppState& state) override {
        const bool first_is_seen = state.report.frame.frames_drawn > 0;
        return first_is_seen && state.pointer.drag == Pointer::Drag::none && read_next(state);
    }

    bool reading() const { return work_.question() != nullptr; }
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override { work_.wake(wake_up, 0.05); }

private:
    std::string unread_document(const AppState& state);
    std::string unread_neighbour(const AppState& state);
    void trim(AppState& state);

    std::function<size_t()> budget_;
    size_t permitted_ = 0;                   // what the budget was then
    double asked_ = -1e9;                    // seconds
    std::set<std::string> tried_;            // documents
    std::map<std::string, FileStamp> seen_;  // neighbours: those that cannot be read, or kept, are not tried again
    BackgroundWork<PictureQuestion, std::shared_ptr<const Image>> work_;
};

// Asks the shown picture's file, in the background, what parts and channels it has and how it lies.

class FileFacts : public Worker {
public:
    bool poll(AppState& state) override;
    bool awaited(const AppState& state) const;
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override { facts_.wake(wake_up, 0.02); }

private:
    struct Question {
        std::string source;
        FileStamp stamp;
        bool operator==(const Question&) const = default;
    };
    Demand<Question, PictureFacts> facts_;
};

}  // namespace texelscope
