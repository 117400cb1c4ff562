// SPDX-License-Identifier: BSD-3-Clause
// Two ranks exchange data of containers. Each line that makes one is marked.
#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <vector>

constexpr int values = 4096;
int rank = 0;

void exchange(const double* sent, double* received) {
  MPI_Sendrecv(sent, values, MPI_DOUBLE, 1 - rank, 0, received, values, MPI_DOUBLE, 1 - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct Field {
  explicit Field(int size) : data(size, 1.0) {}  // makes: a member
  std::vector<double> data;
};

double* own_allocation(std::size_t bytes) {
  return static_cast<double*>(std::malloc(bytes));  // makes: an allocation function of the program
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> received(values);        // makes: a vector
  const std::vector<double> copied(received);  // makes: a copy
  exchange(copied.data(), received.data());

  std::vector<double> resized;
  resized.resize(values);  // makes: a vector that was resized
  exchange(resized.data(), received.data());

  std::vector<double> pushed;
  for (int i = 0; i < values; ++i) pushed.push_back(i);  // makes: a vector that grew
  exchange(pushed.data(), received.data());

  const auto unique = std::make_unique<double[]>(values);  // makes: a unique pointer
  exchange(unique.get(), received.data());

  const std::unique_ptr<double[]> plain(new double[values]());  // makes: an array
  exchange(plain.get(), received.data());

  const Field field(values);
  exchange(field.data.data(), received.data());

  double* const helped = own_allocation(values * sizeof(double));
  for (int i = 0; i < values; ++i) helped[i] = i;
  exchange(helped, received.data());
  std::free(helped);
  MPI_Finalize();
}
