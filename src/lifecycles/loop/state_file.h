// The files in which loops show: one small JSON object each, as JSON.stringify(state, null, 2) writes it. The three
// kinds differ in their names, in the member that says whether they go on, and in how a status is read from the rest.
// docs/formats/loop.md has the tables.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "core/lifecycle.h"
#include "core/machine.h"
#include "core/mirror_format.h"
#include "core/runner_stopped.h"
#include "lifecycles/loop/advice.h"

namespace pawl::loop {

struct Shape {
  std::string_view format;  // MirrorFormat::name
  std::string_view kind;
  const Machine* machine = nullptr;
  std::span<const std::string_view> files;  // names that are read; the first is the one that is made
  std::string_view flag;                    // "active" or "pending": its value is the status's, not the document's
  std::string_view stopped;                 // what one under way is when its file was removed by hand
  std::string_view counter;                 // the member that only grows
  std::string_view most;                    // and the one that says how far it may; "": none does
  bool users = false;                       // the user's own copy, in the home folder

  // The status that the whole object says; a word that is none where it says nothing sensible.
  std::string (*status_in)(const Json& object) = nullptr;
  // What stands under `flag` for a status.
  bool (*flag_for)(std::string_view status) = nullptr;
  // What makes one loop another than the next of the same session; "" where the object does not say.
  std::string (*start_in)(const Json& object) = nullptr;
  // One that ended and is written again, without a start to know it by: is it a new one?
  bool (*begins)(const Json& doc) = nullptr;
  // What it may need beyond its table (core/mirror_format.h); null: nothing.
  std::optional<GateBeside> (*gate_beside)(const RecordId& id) = nullptr;
  Result<bool> (*shows_gate)(const RecordId& id, const KnownRecords& known) = nullptr;
  bool believes_newcomers = true;  // whatever status they bring (core/mirror_format.h)
  // Texts that an edit (from `base` to `now`) may change, and not leave without any; null: it has none.
  std::vector<std::string> (*needed_texts)(const Json& base, const Json& now) = nullptr;
};

class StateFile final : public MirrorFormat {
 public:
  explicit StateFile(const Shape& shape) : shape_(shape) {}

  [[nodiscard]] std::string_view name() const override { return shape_.format; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override;
  [[nodiscard]] bool accepts(std::string_view file_name) const override;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override;
  [[nodiscard]] std::size_t max_bytes() const override { return std::size_t{4} << 20U; }
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] Gone gone(const Record& record) const override;
  [[nodiscard]] bool admits(const Record& before, const Shown& now) const override;
  [[nodiscard]] bool believes_newcomers() const override { return shape_.believes_newcomers; }
  [[nodiscard]] bool keys_are_identities() const override { return true; }
  [[nodiscard]] bool admits_beside(const Record& elsewhere, const Shown& now) const override;
  void keep_counting(const Record& before, Json& doc) const override;
  [[nodiscard]] bool goes_back_by_git() const override { return true; }
  [[nodiscard]] std::vector<RefusedMember> refused_members(const Record& before, const Json& base,
                                                           const Json& now) const override;
  [[nodiscard]] std::optional<GateBeside> gate_beside(const RecordId& id) const override {
    return shape_.gate_beside == nullptr ? std::nullopt : shape_.gate_beside(id);
  }
  [[nodiscard]] Result<bool> shows_gate(const RecordId& id, const KnownRecords& known) const override {
    return shape_.shows_gate == nullptr ? Result<bool>(false) : shape_.shows_gate(id, known);
  }

 private:
  [[nodiscard]] bool shows_another(std::optional<std::string_view> base, std::span<const Record> records) const;
  [[nodiscard]] Json object_of(const Record& record, const Json& in_file) const;

  Shape shape_;
};

// A kind of loop as the engine knows it: its machine, and the one format that it shows in.
class KindOfLoop {
 public:
  KindOfLoop(const Shape& shape, std::string (*headline)(const Record&), Stand (*stand)(const Record&),
             std::span<const SettingSpec> settings = {})
      : file_(shape),
        lifecycle_{.kind = shape.kind,
                   .machine = shape.machine,
                   .settings = settings,
                   .formats = formats_,
                   .headline = headline,
                   .of_a_session = true,
                   .stand = stand,
                   .fix = shape.users ? to_mend_shared : to_mend,
                   .bookkeeping = kBookkeeping,
                   .left_after_ms = kDayMs} {}
  KindOfLoop(const KindOfLoop&) = delete;  // its row points into it
  KindOfLoop& operator=(const KindOfLoop&) = delete;

  [[nodiscard]] const Lifecycle& lifecycle() const { return lifecycle_; }

 private:
  static constexpr std::array<std::string_view, 1> kBookkeeping = {kLetGo};

  StateFile file_;
  std::array<const MirrorFormat*, 1> formats_ = {&file_};
  Lifecycle lifecycle_;
};

inline constexpr std::string_view kStateFolder = ".omc/state";
inline constexpr std::string_view kSessionsFolder = ".omc/state/sessions";

// A record's scope is the path of its file, and empty for the one in which a new record is put: `.omc/` and the first
// of the names. Where that is taken by somebody's loop, a session's new one has a folder of its own.
[[nodiscard]] std::string session_scope(const Shape& shape, std::string_view session);

// What a file of this shape would be taken for: for a document that comes by another door.
[[nodiscard]] Shown shown_by(const Shape& shape, std::string_view scope, Json object);

}  // namespace pawl::loop
