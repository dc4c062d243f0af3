// The processes of a worker of several, where they may run, and what they hand to MPI.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

// The processes of a case as MPI starts them. Rank 0 speaks the protocol; each of the others does what rank 0
// is asked for, at the same time.

class Ranks {
 public:
  /// Starts MPI. Throws Error where the launcher started another number of processes than this library finds:
  /// each would think that it is alone.
  Ranks(int* argc, char*** argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The harness's own: its messages never meet those of a kernel.
  MPI_Comm comm() const { return comm_; }
  /// "rank 1 of 4 on HOST"
  std::string name() const { return name_; }
  /// Of the CPUs that a case was given, those of this process; none on another host than rank 0's, whose
  /// numbers they are: what the launcher bound there stays.
  std::vector<int> own_cpus(const std::vector<int>& all, int threads) const;

  /// Rank 0's text, in every process. Those that wait sleep.
  std::string broadcast(const std::string& text) const;
  /// Called by all at the end of a request with why it failed in this process; empty: it did not. Returns
  /// what is to be said of it, empty where it failed nowhere. A process that failed while others wait for it
  /// in a kernel ends all of them, since those cannot be called back.
  std::string agree(const std::string& failure) const;

  double sum(double mine) const;
  double least(double mine) const;
  double most(double mine) const;
  /// A short text of each, by rank.
  std::vector<std::string> texts(const std::string& mine) const;

 private:
  int rank_ = 0, size_ = 1;
  MPI_Comm comm_ = MPI_COMM_NULL;
  bool with_first_ = true;  ///< on the host of rank 0
  int place_ = 0;           ///< among the ranks of this host
  std::string name_;
};

/// The library, in a line: "Open MPI v4.1.4".
std::string mpi_library();

// What a person should know of the MPI here before trusting a time.

/// In a line: launcher, library, where the processes may run, and between the first two what a message takes.
/// All processes call it; the first has the line, the others an empty one.
std::string examined(const Ranks& ranks);

/// Where this process may run: "0", "0-3", "0,2".
std::string allowed_cpus();

// What a kernel hands to MPI: its calls are seen on their way, by MPI's own profiling interface (MPI 4.0,
// section 15.2). The harness's own messages go past it.

struct MpiCalls {
  double messages = 0;  ///< calls that exchange: collectives and sends, not waiting for them
  double bytes = 0;     ///< that this process handed over to be sent
};

/// Of this process, since it started.
const MpiCalls& mpi_calls();
/// The function of MPI that this process is in now; null: none, it computes. For signal handlers, too.
const char* mpi_function();

// What a kernel hands to MPI, counted exactly: the source "mpi".

std::unique_ptr<CounterSource> message_source(const Ranks& ranks);

}  // namespace uotbench
