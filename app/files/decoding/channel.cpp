#include "app/files/decoding/host.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/errors.h"

namespace texelscope::decoding {
namespace {

constexpr size_t most_descriptors = 4;

void copy_words(std::string_view words, std::span<char> to) {
    const size_t length = std::min(words.size(), to.size() - 1);
    std::memcpy(to.data(), words.data(), length);
    to[length] = 0;
}

bool retried(auto call) {
    ssize_t result = 0;
    do result = call();
    while (result < 0 && errno == EINTR);
    return result >= 0;
}

// Takes ownership at once, so that none is lost whatever the message turns out to be.
std::vector<Descriptor> descriptors_of(msghdr& header) {
    std::vector<Descriptor> result;
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        const size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        std::array<int, most_descriptors> numbers{};
        std::memcpy(numbers.data(), CMSG_DATA(part), std::min(count, most_descriptors) * sizeof(int));
        for (size_t i = 0; i < std::min(count, most_descriptors); ++i) result.emplace_back(numbers[i]);
    }
    return result;
}

}  // namespace

void Message::set_format_name(std::string_view words) { copy_words(words, format_name); }
void Message::set_text(std::string_view words) { copy_words(words, text); }
void Message::set_name_there(std::string_view name) { copy_words(name, name_there); }

void Message::set_row(const MetadataRow& row) {
    copy_words(printable(row.group, sizeof format_name - 1), format_name);
    copy_words(printable(row.name, sizeof choice - 1), choice);
    copy_words(printable(row.value, sizeof text - 1), text);
}

MetadataRow Message::row() const {
    const auto words_in = [](std::span<const char> field) {
        return printable({field.data(), ::strnlen(field.data(), field.size())}, field.size());
    };
    return {words_in(format_name), words_in(choice), words_in(text)};
}

bool Message::set_choice(std::string_view words) {
    copy_words(words, choice);
    return words.size() < sizeof choice;
}

std::string Message::words() const {
    std::string result(text, ::strnlen(text, sizeof text));
    for (char& c : result)
        if (uint8_t(c) < ' ' || c == 0x7f) c = ' ';
    return result;
}

std::string Message::sentence() const {
    constexpr size_t most = 2 * sizeof text;
    std::string result = printable({text, ::strnlen(text, sizeof text)}, most);
    while (result.ends_with('.') || result.ends_with(' ')) result.pop_back();
    return result;
}

bool send(int socket, const Message& message, std::span<const int> descriptors) {
    if (descriptors.empty()) return retried([&] { return ::send(socket, &message, sizeof message, MSG_NOSIGNAL); });
    iovec data{const_cast<Message*>(&message), sizeof message};
    alignas(cmsghdr) char control[CMSG_SPACE(most_descriptors * sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
    return retried([&] { return ::sendmsg(socket, &header, MSG_NOSIGNAL); });
}

void send_if_possible(int socket, const Message& message) {
    static_cast<void>(::send(socket, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT));
}

Received receive(int socket, std::optional<std::chrono::milliseconds> patience) {
    if (patience) {
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + *patience;
        pollfd wait{socket, POLLIN, 0};
        for (int ready = -1; ready <= 0;) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
            ready = ::poll(&wait, 1, int(std::clamp<int64_t>(left, 0, 1 << 30)));
            if (ready < 0 && errno != EINTR) return {};
            if (ready <= 0 && Clock::now() >= end) return {Received::What::silence};
        }
    }
    Received received;
    iovec data{&received.message, sizeof received.message};
    alignas(cmsghdr) char control[CMSG_SPACE(most_descriptors * sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    ssize_t count = 0;
    if (!retried([&] { return count = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC); }) || count == 0) return received;
    received.descriptors = descriptors_of(header);
    const bool whole = count == ssize_t(sizeof(Message)) && !(header.msg_flags & (MSG_TRUNC | MSG_CTRUNC));
    received.what = whole ? Received::What::message : Received::What::nonsense;
    return received;
}

std::pair<Descriptor, Descriptor> connected_sockets() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw Error("no process can be made to read it: the system has no more sockets for this program");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace texelscope::decoding
