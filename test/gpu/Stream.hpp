// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_STREAM_HPP
#define KONTRACT_TEST_STREAM_HPP

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>

namespace KontractTest {

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Waits until the host opens the gate, or for about ten seconds: a test that would wait for ever
/// fails.
static __global__ void waitForGate(const volatile int* is_open) {
  const long long most_clocks = 20'000'000'000;
  const long long begin = clock64();
  while (*is_open == 0 && clock64() - begin < most_clocks) {
  }
}

/// A stream with an instance of the execution space, which the host can hold up.
class Stream {
 public:
  Stream() : _stream(made()), _space(_stream) {
    require(cudaMallocHost(&_is_open, sizeof(int)), "cudaMallocHost");
    *_is_open = 1;
  }
  ~Stream() {
    open();
    _space.fence();
    _space = Kokkos::Cuda();
    cudaFreeHost(const_cast<int*>(_is_open));
    cudaStreamDestroy(_stream);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const Kokkos::Cuda& space() const { return _space; }
  cudaStream_t stream() const { return _stream; }

  /// What comes after waits until open() is called.
  void close() {
    *_is_open = 0;
    waitForGate<<<1, 1, 0, _stream>>>(_is_open);
    require(cudaGetLastError(), "waitForGate");
  }
  void open() { *_is_open = 1; }

  /// Whether something on the stream has not ended.
  bool isBusy() const {
    const cudaError_t state = cudaStreamQuery(_stream);
    if (state != cudaErrorNotReady) require(state, "cudaStreamQuery");
    return state == cudaErrorNotReady;
  }

 private:
  static cudaStream_t made() {
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    return stream;
  }

  cudaStream_t _stream;
  Kokkos::Cuda _space;
  volatile int* _is_open = nullptr;
};

/// What is launched on a stream while f runs, to be run again and again.
class Graph {
 public:
  template <class F>
  Graph(const Stream& stream, const F& f) : _stream(stream.stream()) {
    require(cudaStreamBeginCapture(_stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    std::string failure;
    try {
      f();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const cudaError_t state = cudaStreamEndCapture(_stream, &_graph);
    if (!failure.empty()) throw std::runtime_error(failure);
    require(state, "cudaStreamEndCapture");
    require(cudaGraphInstantiate(&_runnable, _graph, 0), "cudaGraphInstantiate");
  }
  ~Graph() {
    if (_runnable != nullptr) cudaGraphExecDestroy(_runnable);
    if (_graph != nullptr) cudaGraphDestroy(_graph);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() const { require(cudaGraphLaunch(_runnable, _stream), "cudaGraphLaunch"); }

  /// Kernels, copies and whatever else was recorded.
  std::size_t nodes() const {
    std::size_t count = 0;
    require(cudaGraphGetNodes(_graph, nullptr, &count), "cudaGraphGetNodes");
    return count;
  }

 private:
  cudaStream_t _stream;
  cudaGraph_t _graph = nullptr;
  cudaGraphExec_t _runnable = nullptr;
};

}  // namespace KontractTest

#endif
