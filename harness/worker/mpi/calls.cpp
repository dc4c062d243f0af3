#include <fmt/format.h>
#include <mpi.h>

#include "harness/worker/mpi/ranks.hpp"
#include "harness/worker/timing/timed_case.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

MpiCalls counted;
const char* volatile inside = nullptr;

double bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<double>(count) * size;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

/// A call that hands over so many bytes, while it lasts.
class Call {
 public:
  Call(const char* name, double bytes) {
    ++counted.messages;
    counted.bytes += bytes;
    inside = name;
  }
  ~Call() { inside = nullptr; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

/// One that exchanges nothing of its own.
class Waits {
 public:
  explicit Waits(const char* name) { inside = name; }
  ~Waits() { inside = nullptr; }
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;
};

}  // namespace

const MpiCalls& mpi_calls() { return counted; }
const char* mpi_function() { return inside; }

}  // namespace uotbench

using uotbench::bytes_of;
using uotbench::Call;
using uotbench::Waits;

extern "C" {

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call("MPI_Allreduce", bytes_of(count, type));
  return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  const Call call("MPI_Iallreduce", bytes_of(count, type));
  return PMPI_Iallreduce(from, to, count, type, op, comm, request);
}

int MPI_Reduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const Call call("MPI_Reduce", bytes_of(count, type));
  return PMPI_Reduce(from, to, count, type, op, root, comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Call call("MPI_Bcast", uotbench::rank_in(comm) == root ? bytes_of(count, type) : 0);
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Allgather(const void* from, int count, MPI_Datatype type, void* to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm) {
  const Call call("MPI_Allgather", bytes_of(count, type));
  return PMPI_Allgather(from, count, type, to, to_count, to_type, comm);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call("MPI_Send", bytes_of(count, type));
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Waits waits("MPI_Recv");
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm) {
  const Call call("MPI_Barrier", 0);
  return PMPI_Barrier(comm);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Waits waits("MPI_Wait");
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  const Waits waits("MPI_Waitall");
  return PMPI_Waitall(count, requests, statuses);
}

}  // extern "C"

namespace uotbench {
namespace {

class MessageSource final : public CounterSource {
 public:
  explicit MessageSource(const Ranks& ranks) : ranks_(ranks) {}

  std::string name() const override { return "mpi"; }
  Obstacle obstacle() const override { return {}; }
  std::string unknown(const std::string& event) const override {
    if (event == "messages" || event == "bytes") return "";
    return fmt::format("mpi has no event \"{}\"{}; it has: messages, bytes", event,
                       did_you_mean(event, {"messages", "bytes"}));
  }

  /// One call: what a steady iteration sends depends on nothing but the point.
  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    const MpiCalls before = mpi_calls();
    instance.timed();
    const MpiCalls now = mpi_calls();
    const double messages = ranks_.sum(now.messages - before.messages);
    const double bytes = ranks_.sum(now.bytes - before.bytes);
    EventCounts counts;
    for (const auto& event : request.events) {
      EventCount& its = counts[event];
      if (its.reason = unknown(event); !its.reason.empty()) continue;
      its.value = event == "messages" ? messages : bytes;
      its.exact = true;
      its.note = "of all processes together";
    }
    return counts;
  }

 private:
  const Ranks& ranks_;
};

}  // namespace

std::unique_ptr<CounterSource> message_source(const Ranks& ranks) {
  return std::make_unique<MessageSource>(ranks);
}

}  // namespace uotbench
