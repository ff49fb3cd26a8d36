// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNER_HPP
#define KONTRACT_TUNER_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "Kontract_TuningKey.hpp"
#include "detail/dispatch/Kontract_Decision.hpp"

namespace Kontract {

class TuningTable;

namespace Impl {

/// The measured choices of one file, as calls ask for them: the file is read once, when the first
/// call asks, and what calls ask for again is found without locks and without making texts.
class Tuner {
 public:
  /// What is known of a key.
  struct Entry {
    TuningKey key;
    Request request;     ///< the fastest plan
    double seconds = 0;  ///< that it took; 0 if there is none
    /// Nobody knows one for sure, and nobody failed to measure one.
    bool is_worth_measuring = true;
    const Entry* next = nullptr;
  };

  /// \param file  absolute path
  explicit Tuner(const std::string& file);
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  const std::string& file() const { return _file; }

  /// What is known of a key; stays valid as long as the tuner lives.
  /// \param measures  the file need not be there yet
  const Entry& entry(const TuningKey& key, bool measures);

  /// Measurements wait for each other, because they would disturb each other.
  std::unique_lock<std::mutex> takeTurn() { return std::unique_lock<std::mutex>(_turn); }

  /// Keeps what was measured, in memory and in the file.
  void remember(const TuningKey& key, const Request& request, double seconds);

  /// Keeps that a key cannot be measured, for this process.
  void giveUp(const TuningKey& key, const std::string& why);

 private:
  static constexpr std::size_t bucket_count = 1024;

  const Entry* find(const TuningKey& key) const;
  Entry entryInFile(const TuningKey& key) const;
  const Entry& push(const Entry& entry);
  void readFile(bool measures);
  void report(const std::string& what) const;

  std::string _file;
  /// Newest entries first; they hide older ones of the same key, which calls may still be reading.
  std::array<std::atomic<const Entry*>, bucket_count> _buckets{};
  std::mutex _mutex;                    ///< of what follows, and of additions to the buckets
  std::unique_ptr<TuningTable> _table;  ///< as it was when it was read
  bool _is_writable = true;
  std::mutex _turn;
};

/// The tuner of a file; there is one for each, to the end of the process.
/// \param file  path, or empty for the one that the environment or the working directory has
Tuner& tunerOf(const std::string& file);

/// Gives a plan for cells that share an output the way to add that was asked for, if one was: it is
/// a promise about results and to other threads, and no matter of speed alone.
void keepScatter(const Word& asked, const Work& work, LaunchSettings& of_plan);

/// Makes the measured choice for a key the choice, if there is one that still fits.
void takeFromTable(const TuningKey& key, Decision& decision);

}  // namespace Impl
}  // namespace Kontract

#endif
