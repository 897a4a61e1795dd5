#include "app/files/desktop/folders.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <unordered_set>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/machine.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

using Extensions = std::unordered_set<std::string>;

Extensions image_extensions() {
    const std::vector<std::string> all = readable_extensions();
    return {all.begin(), all.end()};
}

bool is_readable_type(const std::string& name, const Extensions& extensions) {
    const size_t dot = name.rfind('.');
    return dot != name.npos && dot > 0 && extensions.contains(lower_case(name.substr(dot + 1)));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number that begins the text, without leading zeros; what it takes from the text includes them.
std::string_view take_number(std::string_view& text) {
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

int sign(int x) { return (x > 0) - (x < 0); }

// −1, 0 or 1.
int compare_naturally(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            const std::string_view x = take_number(a), y = take_number(b);
            if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
            if (const int order = x.compare(y); order != 0) return sign(order);
        } else {
            const auto x = static_cast<unsigned char>(lower_case(a[0])),
                       y = static_cast<unsigned char>(lower_case(b[0]));
            if (x != y) return x < y ? -1 : 1;
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return int(b.empty()) - int(a.empty());
}

// Why it ended early, if it did. `visit` returns false to end it.
template <class Visit> std::string visit_entries(const fs::path& folder, Visit visit) {
    std::error_code error;
    fs::directory_iterator at(folder, error), end;
    for (; !error && at != end; at.increment(error))
        if (!visit(*at)) return {};
    return error ? fmt::format("{}: {}", folder.string(), words_of_error(error.value())) : "";
}

std::time_t time_of(const fs::directory_entry& entry) {
    struct stat info = {};
    return ::stat(entry.path().c_str(), &info) == 0 ? info.st_mtime : 0;
}

}  // namespace

bool naturally_before(std::string_view a, std::string_view b) {
    const int order = compare_naturally(a, b);
    return order != 0 ? order < 0 : a < b;
}

bool comes_before(const FolderEntry& first, const FolderEntry& second, FolderOrder order, bool descending) {
    if (first.folder != second.folder) return first.folder;
    const FolderEntry &a = descending ? second : first, &b = descending ? first : second;
    if (order == FolderOrder::modified && a.modified != b.modified) return a.modified < b.modified;
    if (order == FolderOrder::size && a.bytes != b.bytes) return a.bytes < b.bytes;
    return order == FolderOrder::name ? naturally_before(a.name, b.name) : naturally_before(first.name, second.name);
}

void sort_entries(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
    std::stable_sort(entries.begin(), entries.end(), [&](const FolderEntry& first, const FolderEntry& second) {
        return comes_before(first, second, order, descending);
    });
}

FileKind kind_of_file(std::string_view source) {
    if (source.starts_with('@')) return FileKind::picture;
    for (const FileEnding& each : file_endings)
        if (source.ends_with(each.ending)) return each.kind;
    return FileKind::picture;
}

bool is_folder(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(path, none);
}

FolderEntry entry_at(const fs::path& path) {
    std::error_code none;
    const fs::directory_entry entry(path, none);
    return {path.filename().string(), false, entry.is_regular_file(none) ? entry.file_size(none) : 0, time_of(entry)};
}

FolderListing list_folder(const fs::path& folder, bool all) {
    FolderListing listing;
    Extensions extensions = image_extensions();
    for (const FileEnding& each : file_endings)
        if (each.browsed) extensions.insert(std::string(each.ending.substr(1)));
    listing.problem = visit_entries(folder, [&](const fs::directory_entry& at) {
        std::error_code none;
        FolderEntry entry{at.path().filename().string(), at.is_directory(none), 0, time_of(at)};
        if (!all && entry.name.starts_with('.')) return true;
        if (!entry.folder && !all && !is_readable_type(entry.name, extensions)) return true;
        if (!entry.folder) entry.bytes = at.is_regular_file(none) ? at.file_size(none) : 0;
        listing.entries.push_back(std::move(entry));
        return true;
    });
    sort_entries(listing.entries, FolderOrder::name, false);
    return listing;
}

FolderListing list_pictures(const fs::path& folder, FolderOrder order, bool descending, const std::stop_token& stop) {
    FolderListing listing;
    const Extensions extensions = image_extensions();
    listing.problem = visit_entries(folder, [&](const fs::directory_entry& at) {
        std::error_code none;
        FolderEntry entry{at.path().filename().string()};
        if (entry.name.starts_with('.') || !is_readable_type(entry.name, extensions) || !at.is_regular_file(none))
            return !stop.stop_requested();
        if (order == FolderOrder::modified) entry.modified = time_of(at);
        if (order == FolderOrder::size) entry.bytes = at.file_size(none);
        listing.entries.push_back(std::move(entry));
        return !stop.stop_requested();
    });
    sort_entries(listing.entries, order, descending);
    return listing;
}

namespace {

namespace fs = std::filesystem;

constexpr const char *uri_key = "Thumb::URI", *time_key = "Thumb::MTime", *bytes_key = "Thumb::Size",
                     *width_key = "Thumb::Image::Width", *height_key = "Thumb::Image::Height";
constexpr std::array names = {"normal", "large", "x-large", "xx-large"};
constexpr const char* failures = "fail/texelscope-" TEXELSCOPE_VERSION;
constexpr size_t most_bytes = size_t(16) << 20;  // of a thumbnail's file

std::string text_at(const PngTexts& texts, const char* key) {
    const auto at = texts.find(key);
    return at == texts.end() ? "" : at->second;
}

// 0 if it is none.
int number_at(const PngTexts& texts, const char* key) {
    const std::string text = text_at(texts, key);
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

bool is_of(const PngTexts& texts, const ThumbnailSubject& subject) {
    const std::string bytes = text_at(texts, bytes_key);
    return text_at(texts, uri_key) == subject.uri && text_at(texts, time_key) == std::to_string(subject.modified) &&
           (bytes.empty() || bytes == std::to_string(subject.bytes));
}

// No texts if there is no such file.
PngTexts texts_at(const fs::path& path) {
    PngTexts texts;
    try {
        for (auto& row : png_texts(read_prefix(path, most_bytes))) texts.emplace(row.name, std::move(row.value));
    } catch (const Error&) {}
    return texts;
}

bool make_private(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return true;
    return make_private(folder.parent_path()) &&
           (::mkdir(folder.c_str(), 0700) == 0 || fs::is_directory(folder, error));
}

bool write_all(int descriptor, ByteSpan bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0) return false;
        bytes = bytes.subspan(size_t(count));
    }
    return true;
}

// Beside its place, then renamed over it: no program ever sees half of one.
bool write_private(const fs::path& path, ByteSpan bytes) {
    static std::atomic<int> number = 0;
    const std::string temporary = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), ++number);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
    const bool written = write_all(descriptor, bytes), closed = ::close(descriptor) == 0;
    if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0) return true;
    ::unlink(temporary.c_str());
    return false;
}

}  // namespace

std::optional<ThumbnailSubject> thumbnail_subject(const fs::path& file) {
    std::error_code error;
    const fs::path full = fs::absolute(file, error).lexically_normal();
    struct stat info = {};
    if (error || ::stat(full.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    return ThumbnailSubject{"file://" + encoded_path(full.string()), info.st_mtime, uintmax_t(info.st_size)};
}

ThumbnailCache::ThumbnailCache() : folder_(path_in(cache_home, "thumbnails")) {}

int ThumbnailCache::side_for(int pixels) {
    const auto* at = std::find_if(std::begin(sides), std::end(sides), [&](int side) { return side >= pixels; });
    return at == std::end(sides) ? *std::prev(std::end(sides)) : *at;
}

fs::path ThumbnailCache::place(const ThumbnailSubject& subject, const std::string& part) const {
    return folder_ / part / (md5(subject.uri) + ".png");
}

std::optional<CachedThumbnail> ThumbnailCache::find(const ThumbnailSubject& subject, int side,
                                                    const Reading& reading) const {
    if (folder_.empty()) return {};
    for (size_t i = 0; i < names.size(); ++i) {
        if (sides[i] < side) continue;
        const fs::path path = place(subject, names[i]);
        const PngTexts texts = texts_at(path);
        if (!is_of(texts, subject)) continue;
        Reading limited = reading;
        limited.told = [&](const PictureFacts& facts) {
            if (std::max(facts.shape.width, facts.shape.height) > sides[i]) throw Error("it is too large");
        };
        try {
            Image image = read_image(path, limited);
            if (image.missing().empty())
                return CachedThumbnail{std::move(image), number_at(texts, width_key), number_at(texts, height_key)};
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {  // it is made again
        }
    }
    return {};
}

bool ThumbnailCache::write(const ThumbnailSubject& subject, const std::string& part, const Image& image,
                           PngTexts texts) const {
    const fs::path path = place(subject, part);
    if (folder_.empty() || !make_private(path.parent_path())) return false;
    texts[uri_key] = subject.uri;
    texts[time_key] = std::to_string(subject.modified);
    texts[bytes_key] = std::to_string(subject.bytes);
    texts["Software"] = "texelscope " TEXELSCOPE_VERSION;
    return write_private(path, with_texts(encoded_png(image), texts));
}

bool ThumbnailCache::put(const ThumbnailSubject& subject, int side, const Image& image, int width, int height) const {
    const auto which = size_t(std::find(std::begin(sides), std::end(sides), side) - std::begin(sides));
    return write(subject, names.at(which), image,
                 {{width_key, std::to_string(width)}, {height_key, std::to_string(height)}});
}

bool ThumbnailCache::has_failure(const ThumbnailSubject& subject) const {
    return !folder_.empty() && is_of(texts_at(place(subject, failures)), subject);
}

bool ThumbnailCache::put_failure(const ThumbnailSubject& subject) const {
    return write(subject, failures, Image(1, 1, 1, SampleType::u8), {});
}

bool ThumbnailCache::holds(const fs::path& file) const {
    std::error_code error;
    const fs::path inside = fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(folder_, error));
    return !folder_.empty() && !inside.empty() && *inside.begin() != "..";
}

}  // namespace texelscope
