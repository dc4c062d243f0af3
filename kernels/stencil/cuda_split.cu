// An array operation a kernel, as frameworks without fusion do on a GPU: every sum and every product of a
// formula goes over whole arrays and leaves a temporary one.
#include "kernels/stencil/timed/device_stepping.cuh"

namespace uotbench::stencil {
namespace {

enum class Act { copy, add, subtract, multiply, scale };

/// What an operation reads: a stage's input at an offset, or what an earlier operation left.
struct Operand {
  int input = -1, di = 0, dj = 0;
  int operation = -1;
};

template <class Real>
struct Operation {
  Act act = Act::copy;
  Operand a = {}, b = {};
  Real factor = 0;
  int output = -1;     ///< of the stage; -1: a temporary array
  int last_use = -1;   ///< the operation that is the last to read the temporary array
  int temporary = -1;  ///< which one, once it is made
};

/// The operations of a formula, in their order. Plain memory, because formulas are the device's code as well.
template <class Real>
struct Tape {
  Operation<Real>* operations;
  int count = 0;

  UOTBENCH_CELLWISE int add(const Operation<Real>& operation) {
    if (operation.a.operation >= 0) operations[operation.a.operation].last_use = count;
    if (operation.b.operation >= 0) operations[operation.b.operation].last_use = count;
    operations[count] = operation;
    return count++;
  }
};

template <class Real>
struct Recorded {
  Tape<Real>* tape;
  Operand from;

  UOTBENCH_CELLWISE Recorded then(Act act, const Operand& b, Real factor = 0) const {
    return {tape, {.operation = tape->add({.act = act, .a = from, .b = b, .factor = factor})}};
  }
  UOTBENCH_CELLWISE friend Recorded operator+(const Recorded& a, const Recorded& b) {
    return a.then(Act::add, b.from);
  }
  UOTBENCH_CELLWISE friend Recorded operator-(const Recorded& a, const Recorded& b) {
    return a.then(Act::subtract, b.from);
  }
  UOTBENCH_CELLWISE friend Recorded operator*(const Recorded& a, const Recorded& b) {
    return a.then(Act::multiply, b.from);
  }
  UOTBENCH_CELLWISE friend Recorded operator*(Real a, const Recorded& b) { return b.then(Act::scale, {}, a); }
};

template <class Real>
struct RecordingCell {
  Tape<Real>* tape;

  UOTBENCH_CELLWISE Recorded<Real> operator()(int f, int di = 0, int dj = 0) const {
    return {tape, {.input = f, .di = di, .dj = dj}};
  }
  UOTBENCH_CELLWISE void put(int f, const Recorded<Real>& value) const {
    tape->add({.a = value.from, .output = f});
  }
};

/// An operation with its arrays, each beginning at the element that cell 0 reads.
template <class Real>
struct Pass {
  Act act;
  const Real *a, *b;
  Real factor;
  Real* to;

  UOTBENCH_CELLWISE Real value(std::size_t k) const {
    switch (act) {
      case Act::add:
        return a[k] + b[k];
      case Act::subtract:
        return a[k] - b[k];
      case Act::multiply:
        return a[k] * b[k];
      case Act::scale:
        return factor * a[k];
      default:
        return a[k];
    }
  }
};

template <class Real>
__global__ void one_operation(Pass<Real> pass, Lines lines) {
  const std::size_t place = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::size_t line = std::size_t(blockIdx.y) * blockDim.y + threadIdx.y; line < lines.count;
       line += std::size_t(gridDim.y) * blockDim.y) {
    const std::size_t k = lines.begin(line) + place;
    if (place < lines.length && k < lines.end(line)) pass.to[k] = pass.value(k);
  }
}

template <class Real>
class OperationByOperation {
 public:
  explicit OperationByOperation(const Point& at)
      : shape_(at), cells_(at.size("nx") * at.size("ny")), operations_(operations_of(at)) {}

  template <class Formula>
  void operator()(const Stage<Real, Formula>& stage) {
    Tape<Real> tape{operations_.data()};
    stage.formula(RecordingCell<Real>{&tape});
    free_.clear();
    for (std::size_t t = 0; t < temporaries_.size(); ++t) free_.push_back(int(t));
    for (int i = 0; i < tape.count; ++i) {
      Operation<Real>& it = operations_[std::size_t(i)];
      if (it.output < 0) it.temporary = take();
      Real* const to = it.output < 0 ? array_of(it) : stage.view.out[it.output];
      const Pass<Real> pass{it.act, source(stage.view, it.a), source(stage.view, it.b), it.factor, to};
      launch(one_operation<Real>, shape_.grid(stage.lines), shape_.block(), 0, nullptr, pass, stage.lines);
      give_back(it.a, i);
      if (it.b.operation != it.a.operation) give_back(it.b, i);
    }
  }

 private:
  /// That a stage has at most.
  static std::size_t operations_of(const Point& at) {
    const Counts counts = counts_of(at);
    return static_cast<std::size_t>(counts.flops + counts.outputs);
  }
  int take() {
    if (free_.empty()) {
      temporaries_.emplace_back(cells_);
      return int(temporaries_.size()) - 1;
    }
    const int last = free_.back();
    free_.pop_back();
    return last;
  }
  void give_back(const Operand& operand, int now) {
    if (operand.operation < 0) return;
    const Operation<Real>& made = operations_[std::size_t(operand.operation)];
    if (made.last_use == now) free_.push_back(made.temporary);
  }
  Real* array_of(const Operation<Real>& made) { return temporaries_[std::size_t(made.temporary)].data(); }
  const Real* source(const View<Real>& view, const Operand& from) {
    if (from.operation >= 0) return array_of(operations_[std::size_t(from.operation)]);
    return from.input < 0 ? nullptr : view.in[from.input] + (from.di * view.row + from.dj);
  }

  BlockShape shape_;
  std::size_t cells_;
  std::vector<Operation<Real>> operations_;
  std::vector<DeviceArray<Real>> temporaries_;
  std::vector<int> free_;
};

Work cuda_split_work(const Point& at) { return split_work(at, Stores::whole_lines); }

const Variant<DeviceStepping<float, OperationByOperation<float>>,
              DeviceStepping<double, OperationByOperation<double>>>
    cuda_split{{
                   .name = "stencil/cuda_split",
                   .summary = "an array operation a kernel, with a temporary array each: what fusion saves",
                   .axes = block_axes(),
                   .work = cuda_split_work,
                   .refuse = block_refusal,
                   .device = true,
               },
               {},
               most_temporaries};

}  // namespace
}  // namespace uotbench::stencil
