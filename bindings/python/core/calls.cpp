// SPDX-License-Identifier: Apache-2.0
// Callables of Python as callbacks of the library, with the interpreter held while they run.
#include "calls.hpp"

#include <vector>

#include <tilewright/tw_cuda.h>
#include <tilewright/tw_mpi.h>

#include "errors.hpp"
#include "handle.hpp"
#include "memory.hpp"
#include "structs.hpp"
#include "tiles.hpp"

namespace tw::python {
namespace {

// The callables of one target. NULL: none.
struct Host {
  PyObject *rule = nullptr, *check = nullptr, *kernel = nullptr;
};

void drop_host(void *user) {
  auto *host = static_cast<Host *>(user);
  if (Py_IsInitialized()) {
    const Interpreter held;
    Py_XDECREF(host->rule);
    Py_XDECREF(host->check);
    Py_XDECREF(host->kernel);
  }
  delete host;
}

// Puts "memory" into the dictionaries of tiles that have elements: memoryviews, whose owners `owners` gets.
bool add_memory(PyObject *call, const char *key, const tw_tile_t *const *tiles, bool is_operand,
                PyObject *owners) {
  PyObject *list = PyDict_GetItemString(call, key);
  for (Py_ssize_t i = 0; list && i < PyList_Size(list); ++i) {
    if (!has_elements(*tiles[i]))
      continue;
    PyObject *owner = new_tile_memory(*tiles[i], is_operand);
    PyObject *view = owner && PyList_Append(owners, owner) == 0 ? PyMemoryView_FromObject(owner) : nullptr;
    const bool good = view && PyDict_SetItemString(PyList_GetItem(list, i), "memory", view) == 0;
    Py_XDECREF(view);
    Py_XDECREF(owner);
    if (!good)
      return false;
  }
  return list != nullptr;
}

void copy_results_back(const tw_call_t *call, PyObject *owners) {
  Py_ssize_t owner = 0;
  for (size_t i = 0; i < call->num_results; ++i)
    if (has_elements(*call->results[i]))
      copy_tile_back(PyList_GetItem(owners, owner++), *call->results[i]);
}

// Calls one of the host's callables; `answer` gets what it returns.
tw_status_t call_host(PyObject *callable, const tw_call_t *call, PyObject **answer) {
  *answer = nullptr;
  PyObject *operands = PyList_New(0), *results = PyList_New(0), *dictionary = read(struct_tw_call_t, call);
  if (operands && results && dictionary &&
      add_memory(dictionary, "operands", call->operands, true, operands) &&
      add_memory(dictionary, "results", call->results, false, results))
    *answer = PyObject_CallFunctionObjArgs(callable, dictionary, nullptr);
  if (*answer)
    copy_results_back(call, results);
  Py_XDECREF(dictionary);
  Py_XDECREF(results);
  Py_XDECREF(operands);
  return *answer ? TW_OK : fail_with_exception();
}

tw_status_t check_call(const tw_call_t *call, void *user) {
  const Interpreter held;
  PyObject *answer;
  const tw_status_t status = call_host(static_cast<Host *>(user)->check, call, &answer);
  Py_XDECREF(answer);
  return status;
}

tw_status_t run_kernel(const tw_call_t *call, void *user) {
  const Interpreter held;
  PyObject *answer;
  const tw_status_t status = call_host(static_cast<Host *>(user)->kernel, call, &answer);
  Py_XDECREF(answer);
  return status;
}

tw_status_t ask_rule(const tw_call_t *call, void *user, tw_blob_t **out_rule) {
  const Interpreter held;
  PyObject *answer;
  tw_status_t status = call_host(static_cast<Host *>(user)->rule, call, &answer);
  if (status != TW_OK)
    return status;
  const char *text = nullptr;
  if (answer == Py_None)
    PyErr_SetString(PyExc_TypeError, "a rule is a str");
  if (answer == Py_None || !text_of(answer, &text))
    status = fail_with_exception();
  else
    status = tw_blob_create(text, std::char_traits<char>::length(text), out_rule);
  Py_DECREF(answer);
  return status;
}

PyObject *owned(PyObject *callable) { return callable == Py_None ? nullptr : new_ref(callable); }

void tell_action(const tw_plan_t *, const char *action, const char *file, uint32_t line, void *user) {
  const Interpreter held;
  PyObject *answer = PyObject_CallFunction(static_cast<PyObject *>(user), "szI", action, file, line);
  if (!answer)
    keep_exception();
  Py_XDECREF(answer);
}

// The memory of a list of buffers.
class Buffers {
public:
  Buffers() = default;
  Buffers(const Buffers &) = delete;
  Buffers &operator=(const Buffers &) = delete;
  ~Buffers() {
    for (Py_buffer &view : views_)
      PyBuffer_Release(&view);
  }
  bool take(PyObject *sequence, int flags) {
    PyObject *fast = PySequence_Fast(sequence, "expected a list of buffers, one a plan and device");
    if (!fast)
      return false;
    const Py_ssize_t count = PySequence_Size(fast);
    views_.reserve(static_cast<size_t>(count));
    bool good = true;
    for (Py_ssize_t i = 0; good && i < count; ++i) {
      PyObject *item = borrow_item(fast, i);
      Py_buffer view = {};
      good = item == Py_None || PyObject_GetBuffer(item, &view, flags) == 0;
      if (good && item != Py_None)
        views_.push_back(view);
      pointers.push_back(view.buf);
    }
    Py_DECREF(fast);
    return good;
  }
  std::vector<void *> pointers;

private:
  std::vector<Py_buffer> views_;
};

} // namespace

int call_progress(void *user, double seconds) {
  const Interpreter held;
  PyObject *answer = PyObject_CallFunction(static_cast<PyObject *>(user), "d", seconds);
  const int stop = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  if (stop < 0)
    keep_exception();
  return stop != 0;
}

PyObject *custom_calls_add(PyObject *, PyObject *arguments) {
  PyObject *calls, *rule_text, *rule, *check, *kernel;
  const char *target = nullptr;
  if (!PyArg_ParseTuple(arguments, "OsOOOO", &calls, &target, &rule_text, &rule, &check, &kernel))
    return nullptr;
  HandleUse use;
  void *pointer = nullptr;
  tw_custom_call_t call = {};
  call.struct_size = sizeof call;
  call.target = target;
  if (!use.take(calls, kind_tw_custom_calls_t, true, &pointer) || !text_of(rule_text, &call.rule))
    return nullptr;
  auto *host = new Host{owned(rule), owned(check), owned(kernel)};
  call.rule_fn = host->rule ? ask_rule : nullptr;
  call.check = host->check ? check_call : nullptr;
  call.kernel = host->kernel ? run_kernel : nullptr;
  call.user = host;
  call.destroy = drop_host;
  const tw_status_t status = tw_custom_calls_add(static_cast<tw_custom_calls_t *>(pointer), &call);
  if (status != TW_OK) {
    drop_host(host);
    return raise_failure(status);
  }
  Py_RETURN_NONE;
}

PyObject *plan_on_action(PyObject *, PyObject *arguments) {
  PyObject *plan, *callable;
  if (!PyArg_ParseTuple(arguments, "OO", &plan, &callable))
    return nullptr;
  HandleUse use;
  void *pointer = nullptr;
  if (!use.take(plan, kind_tw_plan_t, true, &pointer))
    return nullptr;
  const bool nobody = callable == Py_None; // the plan's Python object keeps the callable alive
  const tw_status_t status = tw_plan_on_action(static_cast<tw_plan_t *>(pointer),
                                               nobody ? nullptr : tell_action, nobody ? nullptr : callable);
  if (status != TW_OK)
    return raise_failure(status);
  Py_RETURN_NONE;
}

PyObject *program_compare(PyObject *, PyObject *arguments) {
  PyObject *program, *inputs, *outputs, *expected, *options;
  if (!PyArg_ParseTuple(arguments, "OOOOO", &program, &inputs, &outputs, &expected, &options))
    return nullptr;
  HandleUse use;
  HandleList input_list, output_list, expected_list;
  Keep keep;
  void *pointer = nullptr;
  tw_compare_options_t compare;
  if (!use.take(program, kind_tw_program_t, false, &pointer) || !input_list.take(inputs, kind_tw_tensor_t) ||
      !output_list.take(outputs, kind_tw_tensor_t) || !expected_list.take(expected, kind_tw_tensor_t) ||
      !fill(options, struct_tw_compare_options_t, &compare, keep))
    return nullptr;
  if (output_list.pointers.size() != expected_list.pointers.size())
    return raise(TW_INVALID_ARGUMENT, "%zu results and %zu expected ones", output_list.pointers.size(),
                 expected_list.pointers.size());
  const auto tensors = [](const HandleList &list) {
    return reinterpret_cast<const tw_tensor_t *const *>(list.pointers.data());
  };
  std::vector<tw_comparison_t> comparisons(output_list.pointers.size() + 1);
  prepare(struct_tw_comparison_t, comparisons.data());
  tw_blob_t *note = nullptr;
  tw_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = tw_program_compare(static_cast<tw_program_t *>(pointer), tensors(input_list),
                              input_list.pointers.size(), tensors(output_list), tensors(expected_list),
                              output_list.pointers.size(), &compare, comparisons.data(), &note);
  Py_END_ALLOW_THREADS;
  if (status != TW_OK || callback_raised()) {
    tw_blob_release(note);
    return PyErr_Occurred() ? nullptr : raise_failure(status);
  }
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < output_list.pointers.size(); ++i) {
    PyObject *item = read(struct_tw_comparison_t, &comparisons[i]);
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return Py_BuildValue("NN", list, note ? take_text(note) : PyUnicode_FromString(""));
}

PyObject *graph_constant(PyObject *, PyObject *arguments) {
  PyObject *graph;
  unsigned op = 0;
  if (!PyArg_ParseTuple(arguments, "OI", &graph, &op))
    return nullptr;
  HandleUse use;
  void *pointer = nullptr;
  if (!use.take(graph, kind_tw_graph_t, false, &pointer))
    return nullptr;
  const void *data = nullptr;
  size_t bytes = 0;
  int is_splat = 0;
  const tw_status_t status =
      tw_graph_constant(static_cast<tw_graph_t *>(pointer), op, &data, &bytes, &is_splat);
  if (status != TW_OK)
    return raise_failure(status);
  return Py_BuildValue(
      "NN", PyBytes_FromStringAndSize(static_cast<const char *>(data), static_cast<Py_ssize_t>(bytes)),
      PyBool_FromLong(is_splat));
}

PyObject *graph_retain(PyObject *, PyObject *arguments) {
  PyObject *graph;
  if (!PyArg_ParseTuple(arguments, "O", &graph))
    return nullptr;
  HandleUse use;
  void *pointer = nullptr;
  if (!use.take(graph, kind_tw_graph_t, false, &pointer))
    return nullptr;
  return new_handle(kind_tw_graph_t, tw_graph_retain(static_cast<tw_graph_t *>(pointer)));
}

PyObject *redistributor_run(PyObject *, PyObject *arguments) {
  PyObject *redistributor, *sources, *targets;
  if (!PyArg_ParseTuple(arguments, "OOO", &redistributor, &sources, &targets))
    return nullptr;
  HandleUse use;
  Buffers from, to;
  void *pointer = nullptr;
  if (!use.take(redistributor, kind_tw_redistributor_t, false, &pointer) ||
      !from.take(sources, PyBUF_C_CONTIGUOUS) || !to.take(targets, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE))
    return nullptr;
  tw_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = tw_redistributor_run(static_cast<tw_redistributor_t *>(pointer), from.pointers.data(),
                                to.pointers.data());
  Py_END_ALLOW_THREADS;
  if (status != TW_OK)
    return raise_failure(status);
  Py_RETURN_NONE;
}

PyObject *comm_create_mpi(PyObject *, PyObject *arguments) {
  PyObject *address, *options;
  if (!PyArg_ParseTuple(arguments, "OO", &address, &options))
    return nullptr;
  void *mpi_comm = address == Py_None ? nullptr : PyLong_AsVoidPtr(address);
  Keep keep;
  tw_mpi_options_t mpi;
  if (PyErr_Occurred() || !fill(options, struct_tw_mpi_options_t, &mpi, keep))
    return nullptr;
  tw_comm_t *comm = nullptr;
  tw_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = tw_comm_create_mpi(mpi_comm, &mpi, &comm);
  Py_END_ALLOW_THREADS;
  return status != TW_OK ? raise_failure(status) : new_handle(kind_tw_comm_t, comm);
}

} // namespace tw::python
