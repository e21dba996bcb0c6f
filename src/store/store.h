// Where records live: the one interface, behind which SQLite stands, and PostgreSQL later.
// Every engine passes tests/conformance/ unchanged; what is promised here is tested there.
//
// The way of a write:
//   gate()  ──>  begin(write)  ──>  read …  ──>  commit(batch)      one transaction, synced when it returns
//                      └── destroyed without commit: nothing happened
// The gate is fair and is taken before the transaction: engines whose own locking starves a writer are
// made fair by it, and what must follow a commit without another writer in between (files being rewritten)
// happens before it is let go. A read needs no gate.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/process.h"
#include "base/result.h"
#include "core/event.h"
#include "core/record.h"

namespace pawl {

// MirrorRow::state, as it is stored.
inline constexpr std::string_view kInStep;
// Left to git, until somebody accepts or restores it: `bytes` is what pawl would have there, `before` as git took it.
inline constexpr std::string_view kLeftToGit = "git";
// Waits until git, or a program that has the file open for writing, is done: `bytes` is what pawl will write then,
// `before` is what the file showed when pawl last looked at it. (0.1.0 knew only git, hence the word.)
inline constexpr std::string_view kWaits = "git at work";
// Shows a value that was refused and left standing (outside = "flag").
inline constexpr std::string_view kFlagged = "flagged";

// A file that an exchange moved aside and that somebody still had open.
struct DisplacedFile {
  std::string name;        // under tmp/
  std::int64_t inode = 0;  // its number
  std::int64_t image = 0;  // what it showed at the exchange; that image is kept as long as this row names it

  bool operator==(const DisplacedFile&) const = default;
};

// What the merge needs to know of a path. Empty for formats that do not go through it.
struct MergeFacts {
  std::string owner;              // the active one
  bool by_command = false;        // of the newest baseline
  std::int64_t operation = 0;     // of the newest baseline; in_batch() when written
  std::int64_t staged_inode = 0;  // of the file MirrorRow::staged; 0: none
  std::vector<DisplacedFile> displaced;
  std::string file;                // the file's own members: a JSON object, or ""
  std::vector<std::string> order;  // keys in the order of the file

  bool operator==(const MergeFacts&) const = default;
};

// What pawl last left at a path, and what stood there before: enough to tell, after any crash, whether a
// file is as pawl wrote it, as it was before, or was changed by somebody else.
struct MirrorRow {
  std::string path;                   // relative to the workspace, "~/…", or absolute
  std::string format;                 // MirrorFormat::name
  std::string scope;                  //
  std::optional<std::string> bytes;   // nullopt: no file
  std::optional<std::string> before;  // nullopt: no file
  std::string state;                  // one of those below
  std::string head;                   // the commit that HEAD named when this was written
  std::string staged;       // name under tmp/ from which `bytes` were moved into place: still there after a crash
  std::string fingerprint;  // base/fingerprint.h; of bytes that were left in the store, for whoever only compares
  MergeFacts merge = {};
};

// Whoever asks only where a record stands, or gives it another document, need not wait for the one it has. (Without it
// the rank is not told either.) A change that would write back what was not loaded is refused.
enum class RecordPart { whole, without_doc };

// Whoever asks only which files there are need not wait for their bytes; nor, as long as a file is as it was left, for
// what stood there before. To compare, a fingerprint is enough: it comes in place of bytes that are long.
// MirrorRow::merge comes without `file` and `order` in to_compare, and not at all in without_bytes.
enum class MirrorPart { whole, without_before, to_compare, without_bytes };

// In a batch, names what the same batch makes: its operation or image at this place.
[[nodiscard]] constexpr std::int64_t in_batch(std::size_t place) { return -1 - static_cast<std::int64_t>(place); }

// baseline: pawl wrote it, or found it and did not change it. edit: somebody else's version of the file, which was
// merged. kept: everything else that must not be lost.
enum class ImageKind { baseline, kept, edit };

// The bytes of a file at one moment. No two neighbours of a path have the same bytes: a new baseline with the bytes of
// the newest image takes its place and its id; a new kept image with those bytes is that image. Commit forgets the old
// images of the paths that it touches (kImageLimits).
struct Image {
  std::int64_t id = 0;  // grows with every image of a path
  std::string path;     // which has a mirror row, or gets one in the same batch
  std::string owner;
  std::int64_t operation = 0;  // 0: none
  ImageKind kind = ImageKind::baseline;
  bool by_command = false;
  std::optional<std::string> bytes;  // nullopt: no file
  std::string keys;                  // JSON: a codec's names for its records; or ""
};

// How many images of a path stay.
struct ImageLimits {
  std::size_t baselines = 8;     // of one owner: as many as choose_base looks at
  std::size_t owners = 3;        // that keep so many, by their newest baseline; all others keep that one
  std::size_t kept = 32;         // and those that an open conflict or a displaced file names
  std::size_t bytes = 16 << 20;  // that all of them take in the store; then the oldest go first
};
inline constexpr ImageLimits kImageLimits;

// Leave the bytes in the store when only the list is needed: a long file has one copy and differences to it.
enum class ImagePart { whole, without_bytes };

struct ImageQuery {
  std::string path = {};
  ImagePart part = ImagePart::whole;
  std::optional<ImageKind> kind = {};
  std::optional<std::string> owner = {};
  std::int64_t newest = -1;  // only so many of those
};

// Which value of a file a conflict is about.
struct ConflictCell {
  std::string path;
  RecordId record;     // key "/": the file itself. The scope has the owner in it, as with records
  std::string member;  // "": whether the record is there

  bool operator==(const ConflictCell&) const = default;
};

// An outside change that was not taken.
struct StoredConflict {
  std::int64_t id = 0;
  ConflictCell cell;
  std::string code;                         // merge::Code by its name
  std::optional<std::string> ours, theirs;  // JSON; nullopt: not there
  std::string group;                        // JSON: members that wait with a refused status; or ""
  std::int64_t image = 0;                   // an open conflict keeps this image; 0: none
  bool in_file = false;                     // the file goes on showing theirs
  std::string actor;
  std::int64_t opened = 0;  // the operation that opened it, or the newest one then
  std::int64_t closed = 0;  // the operation that closed it, or the newest one then; 0: open
  std::string why_closed;
};

struct ConflictQuery {
  bool open_only = true;
  std::optional<std::string> path = {};
  std::optional<RecordId> record = {};
  std::optional<std::int64_t> operation = {};  // that opened or closed it
};

// One worker's hold on a record.
struct Claim {
  RecordId record;
  std::string worker;
  std::int64_t token = 0;   // grows with every grant in this store, so a late writer can be told from the holder
  ProcessIdentity process;  // pid 0: held by lease alone
  std::int64_t lease_until_ms = 0;  // boot clock; 0: none
  std::int64_t granted_ms = 0;      // wall clock, to show
  std::int64_t lock = 0;            // Lock::place of the lock lock_of(claim), which its process holds; 0: none
  Held held = Held::unknown;        // whether it still does; told when the claim is read
};
// Does it hold? unknown: its process cannot be seen, and it has no lease.
[[nodiscard]] Life life_of(const Claim& claim, const Now& now);
[[nodiscard]] inline std::string lock_of(const Claim& claim) { return "claim " + std::to_string(claim.token); }

struct Query {
  std::string kind;
  std::optional<std::string> scope;   // nullopt: every scope
  std::optional<std::string> status;  // "" is not a status: absent records are never listed
  bool held_only = false;
  bool include_aside = false;
  // Half-open range of ranks, for those who encode tier and due time in it.
  std::string rank_from;
  std::string rank_below;         // empty: no bound
  std::optional<RecordId> after;  // continue behind this record (whose rank is looked up)
  // Its rank for whoever knows of one that the store does not have yet, or has elsewhere.
  std::optional<std::string> after_rank = {};
  bool unclaimed_only = false;  // leaves out records with any claim row; the caller judges liveness
  // Only what the index knows: name, status, aside and rank. Neither document nor revision is told; one that is held
  // comes whole.
  bool by_rank_only = false;
  std::int64_t limit = -1;
};

struct OperationDraft {
  Operation operation;
  std::vector<Change> changes;  // `before.revision` is what is expected to stand there
  std::vector<Effect> effects;  // intents
};

// What one commit does. Everything, or nothing.
struct Batch {
  std::vector<OperationDraft> operations;
  std::vector<MirrorRow> mirrors;         // upserted by path
  std::vector<Effect> effects;            // by id: state and result are updated
  std::vector<Image> images;              // new ones, oldest first
  std::vector<StoredConflict> conflicts;  // id 0: a new one; else it replaces the one with this id
};

struct Committed {
  std::vector<std::int64_t> operations;  // ids, in the order of the batch
  std::vector<std::int64_t> effects;     // ids of the intents, in the order of the batch
  std::vector<std::int64_t> images;      // ids, in the order of the batch
  std::vector<std::int64_t> conflicts;   // ids, in the order of the batch
};

struct OperationQuery {
  std::optional<RecordId> record;
  std::int64_t limit = 50;
  std::optional<std::int64_t> before;  // older than this one
  std::optional<std::int64_t> after;   // newer than this one, the oldest first; of all records alone
};

// A consistent view, and, when begun for writing, the way to change it.
inline constexpr std::string_view kCacheNames = "cache.";

// All that are listed with this one are to be counted, and not visited. Not asked of one that is held.
using Alike = std::function<bool(const Record& first)>;
[[nodiscard]] inline bool none_alike(const Record& /*first*/) { return false; }
// A record, and how many it stands for.
using Visitor = std::function<Done(const Record& record, std::size_t count)>;

class Transaction {
 public:
  virtual ~Transaction() = default;

  // A record that was never seen is returned absent, with revision 0.
  virtual Result<Record> load(const RecordId& id, RecordPart part = RecordPart::whole) = 0;
  virtual Result<std::vector<Record>> list(const Query& query) = 0;  // by rank, then key, then scope
  // Every record of a kind that is there, aside or not, one by one: by scope, aside and status, then by rank and key.
  // Only what the index knows (by_rank_only), but for one that is held. Nothing else is listed until it has returned.
  // Of those with one scope, aside and status only the first is visited where `alike` says so of it, and how many there
  // are; else each by itself.
  virtual Done each(std::string_view kind, const Alike& alike, const Visitor& visit) = 0;
  virtual Result<std::vector<RecordId>> find_key(std::string_view key) = 0;  // of any kind, also those that are gone
  // The same of all whose key is `from` or comes behind it, and before `below`; by key.
  virtual Result<std::vector<RecordId>> find_keys(std::string_view from, std::string_view below) = 0;

  virtual Result<std::optional<MirrorRow>> mirror(std::string_view path, MirrorPart part = MirrorPart::whole) = 0;
  // By path.
  virtual Result<std::vector<MirrorRow>> mirrors(std::string_view format, MirrorPart part = MirrorPart::whole) = 0;

  virtual Result<std::vector<Image>> images(const ImageQuery& query) = 0;  // oldest first
  virtual Result<std::optional<Image>> image(std::int64_t id) = 0;

  virtual Result<std::vector<StoredConflict>> conflicts(const ConflictQuery& query) = 0;  // by id
  virtual Result<std::optional<StoredConflict>> conflict(std::int64_t id) = 0;

  virtual Result<std::vector<Operation>> operations(const OperationQuery& query) = 0;  // newest first, unless asked
  virtual Result<std::optional<Operation>> operation(std::int64_t id) = 0;
  virtual Result<std::optional<Operation>> operation_by_key(std::string_view idempotency_key) = 0;
  virtual Result<std::vector<Event>> events_of(std::int64_t operation) = 0;
  virtual Result<std::vector<Event>> events_since(std::int64_t event_id, std::int64_t limit) = 0;
  // Has anything happened to one of this kind before this event? Looks through the past from its beginning.
  virtual Result<bool> happened_before(std::string_view kind, std::int64_t event) = 0;
  virtual Result<std::int64_t> newest_event() = 0;
  // The newest event of a record at or before an operation; nothing when it did not exist yet or history was compacted.
  virtual Result<std::optional<Event>> event_at(const RecordId& id, std::int64_t operation) = 0;
  virtual Result<std::optional<Event>> event_before(const RecordId& id, std::int64_t event_id) = 0;
  // Every record of the kind as it stood after an operation, absent ones left out; by scope and key.
  virtual Result<std::vector<Record>> list_at(std::string_view kind, std::int64_t operation) = 0;
  // Operations before this one may have been compacted away, and what the world was before it cannot be told; 0 when
  // nothing was.
  virtual Result<std::int64_t> compacted_until() = 0;

  virtual Result<std::vector<Effect>> effects_of(std::int64_t operation) = 0;
  virtual Result<std::vector<Effect>> effects_in(EffectState state) = 0;

  virtual Result<std::optional<Claim>> claim(const RecordId& id) = 0;
  virtual Result<std::vector<Claim>> claims() = 0;

  // Whether any process, this one included, holds the lock of that name and place.
  virtual Held held(std::string_view name, std::int64_t place) = 0;

  // A small value kept under a name (an ETag, a cursor); not history, not undone. What can be had again elsewhere has a
  // name that begins with kCacheNames.
  virtual Result<std::optional<std::string>> kept(std::string_view name) = 0;

  // --- writing; each needs begin(write) ---

  // Writes the claim; the token is assigned when it is 0. Whether it may be taken is decided by the engine.
  virtual Result<Claim> put_claim(const Claim& claim) = 0;
  virtual Done drop_claim(const RecordId& id) = 0;
  virtual Done keep(std::string_view name, std::string_view value) = 0;  // an empty value forgets it

  // Deletes events and operations older than `before_ms`, up to the first operation that is not. Of each record the
  // newest event from before stays, so that the past can be told without gaps from there on; so does an operation that
  // still has events or an effect without a result. Caches go too. Returns how many events went.
  virtual Result<std::int64_t> compact(std::int64_t before_ms) = 0;

  // Ends the transaction. conflict: a record's revision is not the expected one; nothing was written.
  virtual Result<Committed> commit(const Batch& batch) = 0;
};

// Held while it lives.
class Gate {
 public:
  virtual ~Gate() = default;
};

// What a process works on, as long as it lives and keeps this: the kernel lets go of it with the process, however that
// ends. So another process can tell, also from another container, whether somebody is at it.
struct Lock {
  std::unique_ptr<Gate> kept;  // null: another process has it
  std::int64_t place = 0;      // where it was taken: it says nothing of a copy of the store elsewhere
};

enum class Access { read, write };

struct StoreHealth {
  std::vector<std::string> problems;            // sentences; empty when all is well
  std::vector<std::string> notes;               // worth knowing, not wrong
  std::vector<std::string> false_fingerprints;  // paths whose bytes are whole, and are not those of their fingerprint
  std::int64_t records = 0;
  std::int64_t events = 0;
  std::int64_t operations = 0;
  std::string mode;  // the journal mode, for an engine that has one
};

// Used by one thread at a time, with one transaction at a time; whoever wants more opens the store again.
class Store {
 public:
  virtual ~Store() = default;

  // busy when it cannot be had in time; the message names who holds it where that can be known.
  virtual Result<std::unique_ptr<Gate>> gate() = 0;
  // Takes the lock of that name, or tells at once that another process has it. An error: there are no such locks here.
  virtual Result<Lock> hold(std::string_view name) = 0;
  virtual Result<std::unique_ptr<Transaction>> begin(Access access) = 0;
  // Another store stands where this one was opened, or none.
  [[nodiscard]] virtual bool replaced() const = 0;

  // Checks the database and the log: every record is its newest event, revisions have no gaps.
  virtual Result<StoreHealth> check() = 0;
  // A copy of a moment, while others write. The file must not exist.
  virtual Done backup(const std::string& file) = 0;
  // Gives back to the disk what compact() has freed. Outside of any transaction; takes the gate unless it is held.
  virtual Done shrink() = 0;

  // A process that lives on may ask for what is fast for many commits and slow for one; best effort.
  virtual Done enter_long_lived() = 0;
  virtual Done leave_long_lived() = 0;
};

}  // namespace pawl
