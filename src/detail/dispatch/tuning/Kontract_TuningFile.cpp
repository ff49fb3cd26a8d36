// SPDX-License-Identifier: BSD-3-Clause
//
// Tuning tables in files that several processes read and write at once.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "Kontract_Tuning.hpp"
#include "detail/dispatch/Kontract_ParameterFile.hpp"
#include "detail/dispatch/Kontract_TeuchosLock.hpp"
#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void failToWrite(const std::string& file, const std::string& why) {
  throw std::runtime_error("Kontract::TuningTable: cannot write the file '" + file + "': " + why);
}

/// An exclusive lock on a file beside the table, held until the end of the scope. The file stays:
/// removing it could take it from under another process that waits for it.
class FileLock {
 public:
  explicit FileLock(const std::string& file)
      : _descriptor(open((file + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (_descriptor < 0) failToWrite(file, std::strerror(errno));
    // A process that hangs with the lock in its hands must not stop the others for ever.
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (flock(_descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      const bool is_held = error == EWOULDBLOCK || error == EINTR;
      if (!is_held || std::chrono::steady_clock::now() > give_up) {
        close(_descriptor);
        failToWrite(file, is_held ? "another process keeps '" + file + ".lock' locked"
                                  : std::string("no lock: ") + std::strerror(error));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  ~FileLock() { close(_descriptor); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int _descriptor;
};

std::string xmlOf(const TuningTable& table) {
  const Impl::TeuchosLock lock;
  Teuchos::ParameterList list;
  table.parameters(list);
  std::ostringstream text;
  Teuchos::writeParameterListToXmlOStream(list, text);
  return text.str();
}

}  // namespace

TuningTable TuningTable::fromFile(const std::string& file, std::vector<std::string>* ignored) {
  std::error_code error;
  if (!fs::exists(file, error) && !error) return {};
  if (error || fs::is_directory(file) || !std::ifstream(file)) {
    Impl::refuse("TuningTable", "cannot read the file '" + file + "'");
  }
  if (std::ifstream(file).peek() == std::ifstream::traits_type::eof()) return {};
  const Impl::TeuchosLock lock;
  Teuchos::RCP<Teuchos::ParameterList> list;
  try {
    list = Impl::listFromXmlFile(file);
  } catch (const std::exception&) {
    Impl::refuse("TuningTable", "the file '" + file + "' is not a parameter list in XML");
  }
  try {
    return TuningTable(*list, ignored);
  } catch (const std::invalid_argument& refusal) {
    Impl::refuse("TuningTable", "the file '" + file + "' cannot be used; " + refusal.what());
  }
}

std::string TuningTable::defaultFile() {
  const char* const given = std::getenv("KONTRACT_TUNING");
  return given == nullptr || *given == '\0' ? "kontract_tuning.xml" : given;
}

void TuningTable::mergeIntoFile(const std::string& file) const {
  std::error_code error;
  const std::string target = fs::weakly_canonical(file, error).string();  // not over a link
  if (error) failToWrite(file, error.message());
  // Threads wait for each other here, and only processes for the file. Options may be parsed
  // meanwhile.
  static std::mutex turn;
  const std::lock_guard<std::mutex> lock(turn);
  const FileLock file_lock(target);
  TuningTable table = fromFile(target);
  table.merge(*this);
  const std::string temporary = target + ".new";
  {
    std::ofstream stream(temporary);
    stream << xmlOf(table);
    stream.close();
    if (!stream) {
      const std::string why = std::strerror(errno);
      fs::remove(temporary, error);
      failToWrite(file, why);
    }
  }
  fs::rename(temporary, target, error);
  if (error) failToWrite(file, error.message());
}

}  // namespace Kontract
