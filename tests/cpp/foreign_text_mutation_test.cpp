// SPDX-License-Identifier: BSD-3-Clause
// Damaged Paraver traces and time-independent traces. tests/system/test_paraver_records.py and
// test_time_independent_records.py convert whole ones.
#include "foreign/conversion.hpp"
#include "foreign_mutations.hpp"

namespace stretto::foreign::test {
namespace {

const Files paraver{
    {"run.prv",
     "#Paraver (28/11/2026 at 16:37):9000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\nc:1:2:1:1\n"
     "2:1:1:1:1:0:50000003:31\n2:2:1:2:1:0:50000003:31\n1:1:1:1:1:0:900:9\n"
     "2:1:1:1:1:900:50000003:0\n2:2:1:2:1:900:50000003:0\n"
     "2:2:1:2:1:1000:50000001:4:70000001:4:80000001:7\n2:2:1:2:1:1900:50000001:0\n"
     "2:1:1:1:1:2000:50000001:3\n3:1:1:1:1:2000:2900:2:1:2:1:1900:2900:800:3\n2:2:1:2:1:2000:50000001:5\n"
     "2:1:1:1:1:2900:50000001:0\n2:2:1:2:1:2900:50000001:0\n2:1:1:1:1:3000:50000001:6\n"
     "2:1:1:1:1:3900:50000001:0\n2:2:1:2:1:4000:50000002:7:50100001:8:50100003:1:50100004:1\n"
     "2:1:1:1:1:4000:50000002:7:50100002:8:50100004:1\n2:1:1:1:1:4900:50000002:0\n"
     "2:2:1:2:1:4900:50000002:0\n2:1:1:1:1:5000:50000002:11:50100001:8:50100002:8:50100004:2\n"
     "2:1:1:1:1:5900:50000002:0\n2:2:1:2:1:6000:50000003:124\n3:2:1:2:1:6100:6100:1:1:1:1:6000:6300:8:4\n"
     "2:1:1:1:1:6000:50000001:41\n2:1:1:1:1:6900:50000001:0\n2:2:1:2:1:6900:50000003:0\n"},
    {"run.pcf",
     "LEVEL               THREAD\n\nEVENT_TYPE\n9   50000001    MPI Point-to-point\nVALUES\n3   MPI_Isend\n"
     "4   MPI_Irecv\n5   MPI_Wait\n6   MPI_Waitall\n41   MPI_Sendrecv\n0   Outside MPI\n\nEVENT_TYPE\n"
     "9   50000002    MPI Collective Comm\nVALUES\n7   MPI_Bcast\n11   MPI_Alltoall\n\nEVENT_TYPE\n"
     "9   50000003    MPI Other\nVALUES\n31   MPI_Init\n124   MPI_Startall\n\nEVENT_TYPE\n"
     "0    70000001    Caller at level 1\nVALUES\n4   Dom..n::step [Domain::step]\n\nEVENT_TYPE\n"
     "0    80000001    Caller line at level 1\nVALUES\n7   12 (solver.cc, app)\n"}};

TEST(ParaverMutations, AreReadOrRefused) {
  const testing::Mutator mutator({"-1", std::string(30, '9'), "\n", ":0:", "3:", "50000001", "50100004",
                                  "_us", "MPI_", "[", "281474976710656"});
  expect_read_or_refused(paraver, mutator, [](const auto& from, const auto& made) {
    (void)convert_paraver(from / "run.prv", from / "run.prv", made);
  });
}

std::string actions_of(int rank) {
  std::string text;
  for (const char* const one :
       {"init", "compute 1e6", "isend O 3 100 0", "irecv O 3 100 0", "wait O R 3", "waitall 2", "test 0 1 3",
        "alltoallv 9 4 5 7 3 4 1 0", "gatherv 4 1 3 1 1 0", "reduce 10 7 1 1", "bcast 10 0 60", "ibarrier",
        "sleep 0.5", "ssend -333 3 0 1", "finalize"}) {
    std::string line = one;
    for (char& letter : line) {
      if (letter == 'O') letter = rank == 0 ? '1' : '0';
      if (letter == 'R') letter = rank == 0 ? '0' : '1';
    }
    text += std::to_string(rank) + " " + line + "\n";
  }
  return text;
}

TEST(TimeIndependentMutations, AreReadOrRefused) {
  const testing::Mutator mutator({"-1", std::string(30, '9'), "nan", "0x1", "1e308", "\n", " 0", "wait", "# ",
                                  std::string(400, '9'), ".txt", "281474976710656"});
  for (const std::string source : {"index.txt", "all.txt"}) {
    Files whole{{"all.txt", actions_of(0) + actions_of(1)}};
    if (source == "index.txt")
      whole = {{"index.txt", "run/0.txt\nrun/1.txt\n"},
               {"run/0.txt", actions_of(0)},
               {"run/1.txt", actions_of(1)}};
    expect_read_or_refused(whole, mutator, [&](const auto& from, const auto& made) {
      (void)convert_time_independent(from / source, made, 1e9);
    });
  }
}

}  // namespace
}  // namespace stretto::foreign::test
