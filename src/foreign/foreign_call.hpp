// SPDX-License-Identifier: BSD-3-Clause
// A call of an MPI function in a trace of another tool.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::foreign {

/// Texts, each once: their addresses stand for them.
class Texts {
 public:
  const std::string* add(std::string text) { return &*all_.insert(std::move(text)).first; }

 private:
  std::set<std::string> all_;
};

/// A function of MPI, and what its name says.
struct Function {
  std::string name;
  std::string unknown_caller;    ///< the call site of those whose caller is not known
  const char* probes = "probe";  ///< its kind, where it probes
  bool receives_probed = false;  ///< MPI_Mrecv, MPI_Imrecv: some recorders write no event of them
  bool begins_run = false;       ///< MPI_Init, MPI_Init_thread
  bool precedes_run = false;     ///< may be called before MPI_Init
  bool starts_requests = false;  ///< MPI_Start, MPI_Startall
  bool completes = false;        ///< MPI_Wait..., MPI_Test...
  bool makes_comm = false;
  bool communicates = false;  ///< its time is communication also where nothing says what it moved
};

/// Functions of MPI by name, each once: their addresses stand for them.
class Functions {
 public:
  const Function* add(const std::string& name);

 private:
  std::map<std::string, Function> all_;
};

struct Comm {
  std::uint32_t number = 0;
  std::span<const std::int32_t> members;  ///< ranks of the world; none: the process alone
  bool is_between_groups = false;

  /// The members, as a process of this rank sees them.
  [[nodiscard]] std::span<const std::int32_t> members_for(const std::int32_t& own) const {
    return members.empty() ? std::span(&own, 1) : members;
  }
};

enum class Moved : std::uint8_t { sent, received, by_all };

/// A message, or a call of a collective.
struct Transfer {
  Moved moved = Moved::sent;
  const Comm* comm = nullptr;
  std::int32_t peer = 0;  ///< a rank of the world; of a collective, the root
  std::int64_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint64_t extra = 0;
};

struct Requested {
  std::uint64_t request = 0;  ///< or a matched message; 0: none
  Transfer transfer;
};

struct Call {
  /// Makes it another call, of which nothing is known yet.
  void begin(const Function* of, std::uint64_t at_ns, const std::string* from) {
    function = of;
    begin_ns = at_ns;
    place = from;
    done.clear();
    started.clear();
    completed.clear();
    cancelled.clear();
    probed.reset();
    taken.reset();
  }

  const Function* function = nullptr;
  std::uint64_t begin_ns = 0;
  const std::string* place = nullptr;  ///< its call site
  std::vector<Transfer> done;
  std::vector<Requested> started;
  std::vector<std::uint64_t> completed;  ///< requests
  std::vector<std::uint64_t> cancelled;
  std::optional<Requested> probed;
  std::optional<Requested> taken;  ///< the probed message that it receives
};

/// What a trace leaves out, and how often.
using LeftOut = std::map<std::string, std::uint64_t, std::less<>>;

}  // namespace stretto::foreign
