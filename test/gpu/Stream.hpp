// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_STREAM_HPP
#define KONTRACT_TEST_STREAM_HPP

#include <detail/support/Kontract_DeviceApi.hpp>
#include <stdexcept>
#include <string>

namespace KontractTest {

using Kontract::Impl::DeviceSpace;

inline void require(KONTRACT_DEVICE_API(Error_t) error, const char* what) {
  if (error == KONTRACT_DEVICE_API(Success)) return;
  throw std::runtime_error(std::string(what) + ": " + KONTRACT_DEVICE_API(GetErrorString)(error));
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
#ifdef KOKKOS_ENABLE_HIP
    void* memory = nullptr;
    require(hipHostMalloc(&memory, sizeof(int), hipHostMallocDefault), "hipHostMalloc");
    _is_open = static_cast<volatile int*>(memory);
#else
    require(cudaMallocHost(&_is_open, sizeof(int)), "cudaMallocHost");
#endif
    *_is_open = 1;
  }
  ~Stream() {
    open();
    _space.fence();
    _space = DeviceSpace();
#ifdef KOKKOS_ENABLE_HIP
    static_cast<void>(hipHostFree(const_cast<int*>(_is_open)));
#else
    cudaFreeHost(const_cast<int*>(_is_open));
#endif
    static_cast<void>(KONTRACT_DEVICE_API(StreamDestroy)(_stream));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  const DeviceSpace& space() const { return _space; }
  KONTRACT_DEVICE_API(Stream_t) stream() const { return _stream; }

  /// What comes after waits until open() is called.
  void close() {
    *_is_open = 0;
    waitForGate<<<1, 1, 0, _stream>>>(_is_open);
    require(KONTRACT_DEVICE_API(GetLastError)(), "waitForGate");
  }
  void open() { *_is_open = 1; }

  /// Whether something on the stream has not ended.
  bool isBusy() const {
    const KONTRACT_DEVICE_API(Error_t) state = KONTRACT_DEVICE_API(StreamQuery)(_stream);
    if (state != KONTRACT_DEVICE_API(ErrorNotReady)) require(state, "StreamQuery");
    return state == KONTRACT_DEVICE_API(ErrorNotReady);
  }

 private:
  static KONTRACT_DEVICE_API(Stream_t) made() {
    KONTRACT_DEVICE_API(Stream_t) stream = nullptr;
    require(
        KONTRACT_DEVICE_API(StreamCreateWithFlags)(&stream, KONTRACT_DEVICE_API(StreamNonBlocking)),
        "StreamCreate");
    return stream;
  }

  KONTRACT_DEVICE_API(Stream_t) _stream;
  DeviceSpace _space;
  volatile int* _is_open = nullptr;
};

/// What is launched on a stream while f runs, to be run again and again.
class Graph {
 public:
  template <class F>
  Graph(const Stream& stream, const F& f) : _stream(stream.stream()) {
    require(KONTRACT_DEVICE_API(StreamBeginCapture)(_stream,
                                                    KONTRACT_DEVICE_API(StreamCaptureModeGlobal)),
            "StreamBeginCapture");
    std::string failure;
    try {
      f();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const KONTRACT_DEVICE_API(Error_t) state =
        KONTRACT_DEVICE_API(StreamEndCapture)(_stream, &_graph);
    if (!failure.empty()) throw std::runtime_error(failure);
    require(state, "StreamEndCapture");
    require(KONTRACT_DEVICE_API(GraphInstantiateWithFlags)(&_runnable, _graph, 0),
            "GraphInstantiateWithFlags");
  }
  ~Graph() {
    if (_runnable != nullptr) static_cast<void>(KONTRACT_DEVICE_API(GraphExecDestroy)(_runnable));
    if (_graph != nullptr) static_cast<void>(KONTRACT_DEVICE_API(GraphDestroy)(_graph));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() const { require(KONTRACT_DEVICE_API(GraphLaunch)(_runnable, _stream), "GraphLaunch"); }

  /// Kernels, copies and whatever else was recorded.
  std::size_t nodes() const {
    std::size_t count = 0;
    require(KONTRACT_DEVICE_API(GraphGetNodes)(_graph, nullptr, &count), "GraphGetNodes");
    return count;
  }

 private:
  KONTRACT_DEVICE_API(Stream_t) _stream;
  KONTRACT_DEVICE_API(Graph_t) _graph = nullptr;
  KONTRACT_DEVICE_API(GraphExec_t) _runnable = nullptr;
};

}  // namespace KontractTest

#endif
