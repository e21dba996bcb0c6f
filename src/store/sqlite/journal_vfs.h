// SQLite's own file layer, with one difference: what is written to a journal or a WAL is gathered and goes out in one
// call when it is synced. SQLite writes each page there in two or three pieces, and each piece is a system call.
// SQLite relies on neither before it has synced; whatever else touches the file (a read of what was written, its size,
// a truncation) finds it written. A journal of which a write failed late fails everything after it, until it is opened
// anew.
#pragma once

namespace pawl::sqlite {

// The name for sqlite3_open_v2; registered on the first call.
[[nodiscard]] const char* journal_vfs();

}  // namespace pawl::sqlite
