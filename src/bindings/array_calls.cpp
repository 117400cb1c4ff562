// SPDX-License-Identifier: BSD-3-Clause
// A module of Python: calls of the C interface with the data of an array. What cffi does for such a call
// takes about a microsecond. The module knows no MPI: functions and regions are addresses.
//
// Each function takes (function, region, array, target, offset, ...), releases the interpreter's lock during
// the call, and returns its code; None where the array is not contiguous, or is read only and would be
// written.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000  // the buffer protocol is in it from Python 3.11 on
#include <Python.h>
#include <stretto/c/runtime.h>
#include <stretto/c/transfers.h>
#include <stretto/c/updates.h>

#include <climits>
#include <cstdint>

namespace {

/// The bytes of a contiguous array, which stay where they are as long as this lives.
class Bytes {
 public:
  Bytes(PyObject* array, int flags) : is_known_(PyObject_GetBuffer(array, &view_, flags) == 0) {}
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() {
    if (is_known_) PyBuffer_Release(&view_);
  }

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] void* begin() const { return view_.buf; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
  bool is_known_;
};

/// The arguments that all functions have, without the array.
struct Arguments {
  void* function;
  const stretto_region* region;
  int target;
  std::size_t offset;
};

constexpr Py_ssize_t common = 5;

int number(PyObject* value) {
  const long result = PyLong_AsLong(value);
  if (result < INT_MIN || result > INT_MAX) PyErr_SetString(PyExc_OverflowError, "target: not an int of C");
  return static_cast<int>(result);
}

Arguments arguments(PyObject* const* values) {
  return {.function = PyLong_AsVoidPtr(values[0]),
          .region = static_cast<const stretto_region*>(PyLong_AsVoidPtr(values[1])),
          .target = number(values[3]),
          .offset = PyLong_AsSize_t(values[4])};
}

/// None, or nullptr with the exception that is not about the array's form.
PyObject* not_contiguous() {
  if (PyErr_ExceptionMatches(PyExc_BufferError) == 0 && PyErr_ExceptionMatches(PyExc_ValueError) == 0) {
    return nullptr;
  }
  PyErr_Clear();
  Py_RETURN_NONE;
}

/// Calls `call(arguments, bytes)` where the arguments are numbers and the array is contiguous.
template <typename Call>
PyObject* call_with(PyObject* const* values, Py_ssize_t count, Py_ssize_t wanted, int flags, Call call) {
  if (count != wanted) {
    return PyErr_Format(PyExc_TypeError, "%zd arguments are wanted, and %zd given", wanted, count);
  }
  const Arguments known = arguments(values);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const Bytes bytes(values[2], flags);
  if (!bytes.is_known()) return not_contiguous();
  PyThreadState* const thread = PyEval_SaveThread();
  const int code = call(known, bytes);
  PyEval_RestoreThread(thread);
  return PyLong_FromLong(code);
}

PyObject* put(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
  return call_with(values, count, common, PyBUF_SIMPLE, [](const Arguments& to, const Bytes& bytes) {
    return reinterpret_cast<decltype(&stretto_put)>(to.function)(to.region, to.target, to.offset,
                                                                 bytes.begin(), bytes.size());
  });
}

PyObject* get(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
  return call_with(values, count, common, PyBUF_WRITABLE, [](const Arguments& from, const Bytes& bytes) {
    return reinterpret_cast<decltype(&stretto_get)>(from.function)(from.region, from.target, from.offset,
                                                                   bytes.begin(), bytes.size());
  });
}

/// (..., element type): adds the array as it is.
PyObject* accumulate(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
  const int type = count == common + 1 ? number(values[common]) : 0;
  return call_with(values, count, common + 1, PyBUF_SIMPLE, [type](const Arguments& to, const Bytes& bytes) {
    return reinterpret_cast<decltype(&stretto_accumulate)>(to.function)(
        to.region, to.target, to.offset, bytes.begin(), bytes.size(), type, nullptr);
  });
}

/// (..., the flag's offset, its value, whether the value is added)
PyObject* put_signal(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
  std::size_t place = 0;
  std::uint64_t value = 0;
  int adds = 0;
  if (count == common + 3) {
    place = PyLong_AsSize_t(values[common]);
    value = PyLong_AsUnsignedLongLong(values[common + 1]);
    adds = PyObject_IsTrue(values[common + 2]);
  }
  return call_with(values, count, common + 3, PyBUF_SIMPLE, [=](const Arguments& to, const Bytes& bytes) {
    return reinterpret_cast<decltype(&stretto_put_signal)>(to.function)(
        to.region, to.target, to.offset, bytes.begin(), bytes.size(), place, value, adds);
  });
}

template <typename Function>
PyMethodDef method(const char* name, Function function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function)), METH_FASTCALL, nullptr};
}

PyMethodDef methods[] = {method("put", put),
                         method("get", get),
                         method("accumulate", accumulate),
                         method("put_signal", put_signal),
                         {nullptr, nullptr, 0, nullptr}};

PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "stretto_array_calls", nullptr, 0, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_stretto_array_calls() { return PyModuleDef_Init(&module_definition); }
