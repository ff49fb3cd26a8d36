// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNING_HPP
#define KONTRACT_TUNING_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Kontract_Options.hpp"

namespace Kontract {

/// Measured choices: for each kind of problem the algorithm, with its settings, that was the
/// fastest, and how long it took.
///
/// What Options with "Tuning": "Mode" Read or Measure look into. A program needs this class only to
/// look at tables or to put several together. Keys are texts that name processor, execution space,
/// scalar types, operation, shape and layout (doc/tuning.md). A table is not safe to change from
/// several threads at once; each may have one of its own, and they may share files.
class TuningTable {
 public:
  /// The fastest way that was found for one key.
  struct Entry {
    double seconds = 0;  ///< that one call took
    /// "Algorithm" and its settings, in the form that Options takes.
    std::shared_ptr<const Teuchos::ParameterList> options;
    /// The same, parsed; null if this build does not know the algorithm or refuses its settings.
    std::shared_ptr<const Impl::Request> request;
    std::string why_not;  ///< why request is null
  };

  TuningTable();

  /// \param list     a list as parameters() makes it
  /// \param ignored  if given, a line is added for each part of the list that makes no sense and is
  ///   left out, and for each entry that this build cannot use
  /// \throws std::invalid_argument if the list is no tuning table, or one of another format
  explicit TuningTable(const Teuchos::ParameterList& list,
                       std::vector<std::string>* ignored = nullptr);

  /// Reads a table from an XML file.
  /// \param file     its path; a file that is not there, or is empty, is an empty table
  /// \param ignored  as for the constructor
  /// \throws std::invalid_argument if there is a file that cannot be read or is no tuning table
  static TuningTable fromFile(const std::string& file, std::vector<std::string>* ignored = nullptr);

  /// The file that options without a name of one mean: what the environment variable
  /// KONTRACT_TUNING names, or else kontract_tuning.xml in the working directory.
  static std::string defaultFile();

  /// The table as a list, for files.
  void parameters(Teuchos::ParameterList& list) const;

  /// Merges this table into the one that is in a file at that moment, or makes the file. Several
  /// processes may do so at once: they wait for each other by a lock on "<file>.lock", and readers
  /// see the old file or the new one.
  /// \throws std::invalid_argument if the file is there but is no tuning table; it is left as it is
  /// \throws std::runtime_error if the file cannot be written or stays locked for 30 seconds
  void mergeIntoFile(const std::string& file) const;

  /// Takes over the entries of another table; of two for one key the faster one stays. One that
  /// this build can use is better than one that it cannot.
  void merge(const TuningTable& other);

  /// Adds an entry, by the rule of merge().
  /// \param key      as calls ask for it
  /// \param request     an algorithm and its settings
  /// \param seconds  that one call took; positive
  void add(const std::string& key, const Impl::Request& request, double seconds);

  /// The entry for a key; null if there is none. Valid until the table changes.
  const Entry* find(const std::string& key) const;

  /// All entries by their keys.
  const std::map<std::string, Entry>& entries() const { return _entries; }
  /// How many entries there are.
  std::size_t size() const { return _entries.size(); }

 private:
  void add(const std::string& key, const Entry& entry);

  std::map<std::string, Entry> _entries;
};

}  // namespace Kontract

#endif
