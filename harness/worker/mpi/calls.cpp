#include "harness/worker/mpi/calls.hpp"

#include <mpi.h>

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
