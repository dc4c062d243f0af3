#include "harness/worker/alone/child.hpp"

#include "harness/host/process/process.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

ChildStart start_of(Child::Kind kind, const std::vector<std::string>& command) {
  if (kind == Child::Kind::survivor)
    return {.command = command,
            .group = ChildStart::Group::session,
            .dies_with_parent = false,
            .in = {ChildStream::Kind::pipe}};
  // A group of its own: Ctrl-C in gdb is for the worker.
  return {.command = command,
          .group = ChildStart::Group::own,
          .in = {ChildStream::Kind::pipe},
          .out = {ChildStream::Kind::pipe},
          .errors = {ChildStream::Kind::shared}};
}

}  // namespace

Child::Child(Kind kind, const std::vector<std::string>& command) try
    : kind_(kind), process_(std::make_unique<ChildProcess>(start_of(kind, command))) {
} catch (const StartFailure& failure) {
  throw UsageError(failure.what());
}

Child::~Child() {
  process_->in.close();
  process_->out.close();
  if (kind_ == Kind::survivor) process_->wait();
}

int Child::to() const { return process_->in.get(); }

int Child::from() const { return process_->out.get(); }

}  // namespace uotbench
