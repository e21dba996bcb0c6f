#include "store/sqlite/sql.h"

#include <array>

namespace pawl::sqlite {
namespace {

struct Text {
  Sql which;
  const char* sql;
};

constexpr std::array kTexts = {
    Text{Sql::begin_read, "BEGIN"},
    Text{Sql::begin_write, "BEGIN IMMEDIATE"},
    Text{Sql::commit, "COMMIT"},
    Text{Sql::version, "PRAGMA user_version"},

    Text{Sql::record, "SELECT*FROM record WHERE kind=?1 AND scope=?2 AND key=?3"},
    // Not one comparison of rows, (scope,status)>(?,?): SQLite steps through all that is equal to find what is greater.
    Text{Sql::next_scope,
         "SELECT scope FROM record INDEXED BY record_rank WHERE kind=?1 AND scope>?2 ORDER BY scope LIMIT 1"},
    Text{Sql::next_status,
         "SELECT status FROM record INDEXED BY record_rank WHERE kind=?1 AND scope=?2 AND aside=?3 AND status>?4 "
         "ORDER BY status LIMIT 1"},
    Text{Sql::scan_group,
         "SELECT rank,key FROM record INDEXED BY record_rank WHERE kind=?1 AND scope=?2 AND aside=?3 AND status=?4 "
         "AND(rank,key)>=(?5,?6)AND rank<?7 ORDER BY rank,key"},
    Text{Sql::scan_kind,
         "SELECT scope,aside,status,rank,key FROM record INDEXED BY record_rank WHERE kind=?1 AND status IS NOT NULL "
         "ORDER BY scope,aside,status,rank,key"},
    Text{Sql::find_key, "SELECT kind,scope FROM record WHERE key=?1 ORDER BY kind,scope"},
    Text{Sql::find_keys, "SELECT kind,scope,key FROM record WHERE key>=?1 AND key<?2 ORDER BY key,kind,scope"},

    Text{Sql::event, "SELECT*FROM event WHERE id=?1"},
    Text{Sql::events_from, "SELECT*FROM event WHERE id>=?1 ORDER BY id"},
    Text{Sql::newest_event, "SELECT max(id)FROM event"},
    Text{Sql::happened_before, "SELECT 1 FROM event WHERE id<?2 AND kind=?1 LIMIT 1"},
    Text{Sql::records_of_kind, "SELECT*FROM record INDEXED BY record_rank WHERE kind=?1"},
    Text{Sql::operation, "SELECT*FROM operation WHERE id=?1"},
    Text{Sql::operations_before, "SELECT*FROM operation WHERE id<?1 ORDER BY id DESC LIMIT ?2"},
    Text{Sql::operations_after, "SELECT*FROM operation WHERE id>?1 ORDER BY id LIMIT ?2"},

    Text{Sql::mirror,
         "SELECT id,format,scope,state,head,staged,size,before,bytes,path,merge,shape FROM mirror WHERE path=?1"},
    Text{Sql::mirrors,
         "SELECT id,format,scope,state,head,staged,size,before,bytes,path,merge,shape FROM mirror WHERE format=?1 "
         "ORDER BY path"},
    // Files of a status or a loop have some hundred bytes; longer ones are asked for one by one (mirrors.cc).
    Text{Sql::all_mirrors,
         "SELECT id,format,scope,state,head,staged,size,NULL,CASE WHEN length(bytes)<=500 THEN bytes END,path,"
         "merge FROM mirror"},
    Text{Sql::mirror_bytes, "SELECT size,bytes FROM mirror WHERE id=?1"},
    Text{Sql::mirror_path, "SELECT path,merge FROM mirror WHERE id=?1"},
    Text{Sql::parts, "SELECT id,bytes FROM part WHERE id>=?1 AND id<?2 ORDER BY id"},

    Text{Sql::images, "SELECT*FROM image WHERE id>=?1 AND id<?2 ORDER BY id DESC"},
    Text{Sql::image_heads,
         "SELECT id,owner,operation,kind,by_command,base,keys,length(bytes)FROM image WHERE id>=?1 AND id<?2 ORDER BY "
         "id DESC"},
    Text{Sql::conflict, "SELECT*FROM conflict WHERE id=?1"},
    Text{Sql::conflicts, "SELECT*FROM conflict ORDER BY id"},
    Text{Sql::open_conflicts,
         "SELECT conflict.*FROM kept JOIN conflict ON id=value WHERE name>=?1 AND name<?2 ORDER BY id"},

    Text{Sql::effects_between, "SELECT*FROM effect WHERE id>=?1 AND id<?2 ORDER BY id"},
    Text{Sql::effects_in, "SELECT*FROM effect WHERE state=?1 ORDER BY id"},
    Text{Sql::effects_under_way,
         "SELECT effect.*FROM kept JOIN effect ON id=value WHERE name>=?1 AND name<?2 ORDER BY id"},
    Text{Sql::kept, "SELECT value FROM kept WHERE name=?1"},
    Text{Sql::kept_between, "SELECT name,value FROM kept WHERE name>=?1 AND name<?2 ORDER BY name"},

    // Without the names of columns, which cost more to look up than all the rest.
    Text{Sql::put_operation, "INSERT INTO operation VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9)"},
    Text{Sql::put_event, "INSERT INTO event VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)"},
    Text{Sql::put_record, "REPLACE INTO record VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"},
    Text{Sql::put_effect, "INSERT INTO effect VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)"},
    Text{Sql::end_effect, "UPDATE effect SET state=?2,result=?3 WHERE id=?1"},

    Text{Sql::put_mirror,
         "UPDATE mirror SET "
         "format=?2,scope=?3,state=?4,head=?5,staged=?6,size=?7,before=?8,bytes=?9,merge=?10,shape=?11 "
         "WHERE id=?1"},
    Text{Sql::new_mirror, "INSERT INTO mirror VALUES(NULL,?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)"},
    Text{Sql::put_image, "REPLACE INTO image VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)"},
    Text{Sql::new_image_bytes, "UPDATE image SET base=?2,bytes=?3 WHERE id=?1"},
    Text{Sql::drop_image, "DELETE FROM image WHERE id=?1"},
    Text{Sql::put_conflict, "REPLACE INTO conflict VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)"},
    Text{Sql::put_part, "REPLACE INTO part VALUES(?1,?2)"},
    Text{Sql::drop_parts, "DELETE FROM part WHERE id>=?1 AND id<?2"},

    Text{Sql::keep, "REPLACE INTO kept VALUES(?1,?2)"},
    Text{Sql::keep_new, "INSERT INTO kept VALUES(?1,?2)"},
    Text{Sql::forget, "DELETE FROM kept WHERE name=?1"},
};

constexpr bool in_order_of_the_enum() {
  if (kTexts.size() != kSqlCount) return false;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (static_cast<std::size_t>(kTexts[i].which) != i) return false;
  }
  return true;
}
static_assert(in_order_of_the_enum());

}  // namespace

const char* text_of(Sql which) { return kTexts[static_cast<std::size_t>(which)].sql; }

}  // namespace pawl::sqlite
