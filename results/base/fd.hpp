// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace uotbench {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() { close(); }
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }

  int get() const { return fd_; }  ///< -1: none
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (is_open()) ::close(release());
  }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

}  // namespace uotbench
