// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STREAMINGARRAYTOOLS_HPP
#define KONTRACT_STREAMINGARRAYTOOLS_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include "Kontract_Options.hpp"
#include "detail/stream/Kontract_StreamAction.hpp"

namespace Kontract {

/// The functions of ArrayTools for arrays of the host that are larger than a device's memory, or
/// than a limit: chunks of cells are copied in, computed and copied out on several instances of the
/// execution space that take turns, so that transfers both ways hide behind each other and behind
/// compute.
///
///     Kontract::StreamSettings settings;
///     settings.memory_limit = std::int64_t(1) << 30;  // bytes
///     Kontract::StreamingArrayTools<Device> tools(settings);
///     const auto report = tools.contractFieldFieldScalar(out, left, right);
///
/// **Arguments** are those of ArrayTools, shapes, flags and options too. Arrays may be in any
/// memory of the host, in `Kokkos::SharedHostPinnedSpace` (page-locked) best: copies from and to
/// ordinary memory work, but are slower, and the host waits for them. Arrays that the execution
/// space can use where they are, in its own memory or because it runs on the host, are not copied;
/// chunks of cells then are the only difference. Inputs that have no cells are copied once. Value
/// types are plain scalars, and Fads of float or double, whose derivatives and values are copied as
/// they are; mixtures of precisions with Fads are refused when compiling.
///
/// **Meaning.** Results are those of ArrayTools with the same options, bit for bit: what to run is
/// chosen, and sums are ordered, for all cells together (the tuning table is read, but never
/// measured for). Exceptions are what differs from run to run anyway (Split K with atomics), and
/// copied arrays with gaps between their elements: copies have none, so what is chosen and the last
/// bits may be others than for the arrays as they are. They do not depend on the chunks there
/// either.
/// Every function waits: for work on the `space` that it is given before it starts, and until its
/// results are there before it returns.
///
/// **Memory.** Buffers are allocated by the first call and kept for the next ones, up to
/// release() or the end of the object, at the latest before Kokkos::finalize. If the memory for
/// them is refused, the chunk is halved until it fits; the report and StreamSettings::warnings say
/// so.
///
/// **Errors** are those of ArrayTools; besides,
/// \throws std::invalid_argument  if StreamSettings::memory_limit does not hold the least
///   chunk: one cell, or on hosts up to 16 where cells are neighbours in memory
/// \throws std::runtime_error  if memory for the least chunk is refused, or a copy fails
///
/// An object serves one host thread at a time; several objects do not disturb each other.
///
/// Page-locked memory and several queues that take turns are what streaming engines on GPUs have.
/// \tparam DeviceType  a Kokkos::Device or an execution space
template <class DeviceType>
class StreamingArrayTools {
 public:
  /// \param settings  limits of chunks and buffers
  explicit StreamingArrayTools(const StreamSettings& settings = StreamSettings())
      : _streamer(settings) {}

  /// Gives the buffers back; the next call allocates new ones.
  void release() { _streamer.release(); }

  /// \name Contractions
  /// Each as in ArrayTools; they return what they did.
  /// @{

  /// output(c,l,r) = sum over p of left(c,l,p) right(c,r,p).
  template <class... Arguments>
  StreamReport contractFieldFieldScalar(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldScalar, into(report),
                               arguments...);
    return report;
  }

  /// output(c,l,r) = sum over p, d of left(c,l,p,d) right(c,r,p,d).
  template <class... Arguments>
  StreamReport contractFieldFieldVector(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldVector, into(report),
                               arguments...);
    return report;
  }

  /// output(c,l,r) = sum over p, d, e of left(c,l,p,d,e) right(c,r,p,d,e).
  template <class... Arguments>
  StreamReport contractFieldFieldTensor(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractFieldFieldTensor, into(report),
                               arguments...);
    return report;
  }

  /// output(c,f) = sum over p of data(c,p) field(c,f,p).
  template <class... Arguments>
  StreamReport contractDataFieldScalar(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldScalar, into(report),
                               arguments...);
    return report;
  }

  /// output(c,f) = sum over p, d of data(c,p,d) field(c,f,p,d).
  template <class... Arguments>
  StreamReport contractDataFieldVector(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldVector, into(report),
                               arguments...);
    return report;
  }

  /// output(c,f) = sum over p, d, e of data(c,p,d,e) field(c,f,p,d,e).
  template <class... Arguments>
  StreamReport contractDataFieldTensor(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataFieldTensor, into(report),
                               arguments...);
    return report;
  }

  /// output(c) = sum over p of left(c,p) right(c,p).
  template <class... Arguments>
  StreamReport contractDataDataScalar(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataScalar, into(report), arguments...);
    return report;
  }

  /// output(c) = sum over p, d of left(c,p,d) right(c,p,d).
  template <class... Arguments>
  StreamReport contractDataDataVector(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataVector, into(report), arguments...);
    return report;
  }

  /// output(c) = sum over p, d, e of left(c,p,d,e) right(c,p,d,e).
  template <class... Arguments>
  StreamReport contractDataDataTensor(const Arguments&... arguments) {
    StreamReport report;
    Impl::contract<DeviceType>(Impl::Operation::contractDataDataTensor, into(report), arguments...);
    return report;
  }

  /// @}

  /// \name Products with scalars
  /// Each as in ArrayTools; they return what they did.
  /// @{

  /// output(c,f,p,...) = data(c,p) field(c,f,p,...), or field / data.
  template <class... Arguments>
  StreamReport scalarMultiplyDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::scale<DeviceType>(Impl::Operation::scalarMultiplyDataField, into(report), arguments...);
    return report;
  }

  /// output(c,p,...) = left(c,p) right(c,p,...), or right / left.
  template <class... Arguments>
  StreamReport scalarMultiplyDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::scale<DeviceType>(Impl::Operation::scalarMultiplyDataData, into(report), arguments...);
    return report;
  }

  /// @}

  /// \name Dot, cross and outer products
  /// Each as in ArrayTools; they return what they did.
  /// @{

  /// output(c,f,p) = sum over d, e of data(c,p,d,e) field(c,f,p,d,e).
  template <class... Arguments>
  StreamReport dotMultiplyDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::dotMultiplyDataField, into(report), arguments...);
    return report;
  }

  /// output(c,p) = sum over d, e of left(c,p,d,e) right(c,p,d,e).
  template <class... Arguments>
  StreamReport dotMultiplyDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::dotMultiplyDataData, into(report), arguments...);
    return report;
  }

  /// output(c,f,p) = data(c,p) x field(c,f,p), the cross product.
  template <class... Arguments>
  StreamReport crossProductDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::crossProductDataField, into(report), arguments...);
    return report;
  }

  /// output(c,p) = left(c,p) x right(c,p), the cross product.
  template <class... Arguments>
  StreamReport crossProductDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::crossProductDataData, into(report), arguments...);
    return report;
  }

  /// output(c,f,p,i,j) = data(c,p,i) field(c,f,p,j).
  template <class... Arguments>
  StreamReport outerProductDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::outerProductDataField, into(report), arguments...);
    return report;
  }

  /// output(c,p,i,j) = left(c,p,i) right(c,p,j).
  template <class... Arguments>
  StreamReport outerProductDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiply<DeviceType>(Impl::Operation::outerProductDataData, into(report), arguments...);
    return report;
  }

  /// @}

  /// \name Matrix products
  /// Each as in ArrayTools; they return what they did.
  /// @{

  /// output(c,f,p,:) = A(c,p) field(c,f,p,:).
  template <class... Arguments>
  StreamReport matvecProductDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matvecProductDataField, into(report),
                                     arguments...);
    return report;
  }

  /// output(c,p,:) = A(c,p) right(c,p,:).
  template <class... Arguments>
  StreamReport matvecProductDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matvecProductDataData, into(report),
                                     arguments...);
    return report;
  }

  /// output(c,f,p,:,:) = A(c,p) field(c,f,p,:,:).
  template <class... Arguments>
  StreamReport matmatProductDataField(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matmatProductDataField, into(report),
                                     arguments...);
    return report;
  }

  /// output(c,p,:,:) = A(c,p) right(c,p,:,:).
  template <class... Arguments>
  StreamReport matmatProductDataData(const Arguments&... arguments) {
    StreamReport report;
    Impl::multiplyMatrix<DeviceType>(Impl::Operation::matmatProductDataData, into(report),
                                     arguments...);
    return report;
  }

  /// @}

  /// \name Copies
  /// Each as in ArrayTools; they return what they did.
  /// @{

  /// output(c,f,p,...) = field(f,p,...), the same in every cell.
  template <class... Arguments>
  StreamReport cloneFields(const Arguments&... arguments) {
    StreamReport report;
    Impl::clone<DeviceType>(Impl::Operation::cloneFields, into(report), arguments...);
    return report;
  }

  /// output(c,p,...) = data(p,...), the same in every cell.
  template <class... Arguments>
  StreamReport cloneData(const Arguments&... arguments) {
    StreamReport report;
    Impl::clone<DeviceType>(Impl::Operation::cloneData, into(report), arguments...);
    return report;
  }

  /// @}

 private:
  using Space = typename DeviceType::execution_space;

  Impl::Stream<Space> into(StreamReport& report) { return {_streamer, report}; }

  Impl::Streamer<Space> _streamer;
};

}  // namespace Kontract

#endif
