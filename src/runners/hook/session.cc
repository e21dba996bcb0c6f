#include "runners/hook/session.h"

#include <fcntl.h>

#include <cerrno>

#include "base/text.h"
#include "lifecycles/loop/identity.h"

namespace pawl::hook {
namespace {

constexpr std::int64_t kMostOfAKind = 3;
constexpr std::size_t kMaxEnvironment = 1'048'576;

std::string line_of(const Lifecycle& row, const Record& record) {
  return cat("- ", printable(record.id.ref()), " is ", record.held ? "held" : record.status,
             row.headline == nullptr ? std::string() : cat(" (", printable(row.headline(record).substr(0, 120)), ")"),
             "\n");
}

}  // namespace

Done hand_over_session(const std::string& env_file, const std::string& session) {
  const std::string line = cat("export PAWL_SESSION=", session, "\n");
  const auto before = read_file(env_file, kMaxEnvironment);  // an error for what is no file
  if (!before) return tl::unexpected(before.error());
  if (before->bytes.find(line) != std::string::npos) return done();
  const Fd file(::open(env_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0600));
  if (!file.valid()) return tl::unexpected(io_error("write", env_file, errno));
  return write_all(file.get(), line, env_file);
}

Result<std::string> where_work_stands(Engine& engine, const std::string& session) {
  std::string out;
  Look look;
  look.all = true;
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    for (const Lifecycle& row : engine.lifecycles().rows()) {
      Query query;
      query.kind = row.kind;
      PAWL_ASSIGN(const auto records, view.list(query));
      std::int64_t shown = 0, more = 0;
      for (const Record& record : records) {
        if (!record.held && row.machine->terminal(record.status)) continue;
        if (row.of_a_session && !loop::is_owned_by(record.doc, session)) continue;
        if (shown < kMostOfAKind) out += line_of(row, record);
        ++(shown < kMostOfAKind ? shown : more);
      }
      if (more != 0) out += cat("- and ", more, " more of ", row.kind, "\n");
    }
    return done();
  }));
  if (out.empty()) return out;
  return cat("Where the work of this project stands (pawl keeps it):\n", out,
             "pawl show NAME tells more of one, pawl status of all.\n");
}

}  // namespace pawl::hook
