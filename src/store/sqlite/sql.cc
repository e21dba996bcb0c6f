#include "store/sqlite/sql.h"

#include <array>

// The columns of an event and of an operation, in the order in which history.cc reads them.
#define PAWL_EVENT_COLUMNS \
  "id,operation,kind,scope,key,revision,what,from_status,status,held,aside,unverified,evidence,doc"
#define PAWL_OPERATION_COLUMNS "id,at_ms,verb,actor,reason,outside,undoes,first_event,idem_key,request_digest,answer"
#define PAWL_EFFECT_COLUMNS "id,operation,kind,scope,key,act,marker,state,request,result"
#define PAWL_CLAIM_COLUMNS "kind,scope,key,worker,token,boot_id,pid,pid_started,lease_until_ms,granted_ms"
#define PAWL_PLACE_COLUMNS "id,path,format,scope,state,head,staged"
#define PAWL_MIRROR_COLUMNS PAWL_PLACE_COLUMNS ",parts,same_head,same_tail,before_middle,bytes"

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

    Text{Sql::load,
         "SELECT status,held,aside,revision,rank,event,(SELECT doc FROM event WHERE id=record.event)FROM record "
         "WHERE kind=?1 AND scope=?2 AND key=?3"},
    Text{Sql::newest_of, "SELECT event FROM record WHERE kind=?1 AND scope=?2 AND key=?3"},
    Text{Sql::next_group,
         "SELECT scope,aside,status FROM record INDEXED BY record_rank WHERE kind=?1 AND status IS NOT NULL "
         "AND(scope,aside,status)>(?2,?3,?4)ORDER BY scope,aside,status LIMIT 1"},
    Text{Sql::scan_group,
         "SELECT rank,key FROM record INDEXED BY record_rank WHERE kind=?1 AND scope=?2 AND aside=?3 AND status=?4 "
         "AND(rank,key)>=(?5,?6)AND rank<?7 ORDER BY rank,key"},
    Text{Sql::next_place, "SELECT kind,scope FROM record WHERE(kind,scope)>(?1,?2)ORDER BY kind,scope LIMIT 1"},

    Text{Sql::history_step, "SELECT operation,previous,kind,scope,key FROM event WHERE id=?1"},
    Text{Sql::event, "SELECT " PAWL_EVENT_COLUMNS " FROM event WHERE id=?1"},
    Text{Sql::events_from, "SELECT " PAWL_EVENT_COLUMNS " FROM event WHERE id>=?1 ORDER BY id"},
    Text{Sql::newest_event, "SELECT max(id)FROM event"},
    Text{Sql::records_of_kind, "SELECT event FROM record WHERE kind=?1 ORDER BY scope,key"},
    Text{Sql::operation, "SELECT " PAWL_OPERATION_COLUMNS " FROM operation WHERE id=?1"},
    Text{Sql::operations_before,
         "SELECT " PAWL_OPERATION_COLUMNS " FROM operation WHERE id<?1 ORDER BY id DESC LIMIT ?2"},
    Text{Sql::operation_by_key, "SELECT " PAWL_OPERATION_COLUMNS " FROM operation WHERE idem_key=?1"},

    Text{Sql::mirror, "SELECT " PAWL_MIRROR_COLUMNS " FROM mirror WHERE path=?1"},
    Text{Sql::mirror_place, "SELECT " PAWL_PLACE_COLUMNS " FROM mirror WHERE path=?1"},
    Text{Sql::mirrors, "SELECT " PAWL_MIRROR_COLUMNS " FROM mirror WHERE format=?1 ORDER BY path"},
    Text{Sql::mirror_places, "SELECT " PAWL_PLACE_COLUMNS " FROM mirror WHERE format=?1 ORDER BY path"},
    Text{Sql::parts, "SELECT id,bytes FROM part WHERE id>=?1 AND id<?2 ORDER BY id"},

    Text{Sql::effects_of, "SELECT " PAWL_EFFECT_COLUMNS " FROM effect WHERE operation=?1 ORDER BY id"},
    Text{Sql::effects_in, "SELECT " PAWL_EFFECT_COLUMNS " FROM effect WHERE state=?1 ORDER BY id"},
    Text{Sql::claim, "SELECT " PAWL_CLAIM_COLUMNS " FROM claim WHERE kind=?1 AND scope=?2 AND key=?3"},
    Text{Sql::claims, "SELECT " PAWL_CLAIM_COLUMNS " FROM claim ORDER BY kind,scope,key"},
    Text{Sql::kept, "SELECT value FROM kept WHERE name=?1"},

    Text{Sql::put_operation,
         "INSERT INTO operation(at_ms,verb,actor,reason,outside,undoes,idem_key,request_digest,answer,first_event)"
         "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,(SELECT ifnull(max(id),0)+1 FROM event))"},
    Text{Sql::put_event,
         "INSERT INTO "
         "event(operation,kind,scope,key,revision,what,from_status,status,held,aside,unverified,evidence,doc,"
         "previous)VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,"
         "?14)"},
    Text{Sql::new_record,
         "INSERT INTO record(kind,scope,key,status,held,aside,revision,rank,event)VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)"},
    Text{Sql::move_record,
         "UPDATE record SET status=?4,held=?5,aside=?6,revision=?7,rank=?8,event=?9 "
         "WHERE kind=?1 AND scope=?2 AND key=?3 AND revision=?10"},
    // The same when nothing changes that is in the index, which then is not written.
    Text{Sql::touch_record,
         "UPDATE record SET held=?5,revision=?7,event=?9 "
         "WHERE kind=?1 AND scope=?2 AND key=?3 AND revision=?10 AND status IS ?4 AND aside=?6 AND rank=?8"},
    Text{Sql::put_effect,
         "INSERT INTO effect(operation,kind,scope,key,act,marker,state,request,result)"
         "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)"},
    Text{Sql::end_effect, "UPDATE effect SET state=?2,result=?3 WHERE id=?1"},

    Text{Sql::put_mirror,
         "UPDATE mirror SET format=?2,scope=?3,state=?4,head=?5,staged=?6,parts=?7,same_head=?8,same_tail=?9,"
         "before_middle=?10,bytes=?11 WHERE path=?1 AND(parts=0 OR ?12)"},
    Text{Sql::new_mirror,
         "INSERT INTO mirror(path,format,scope,state,head,staged,parts,same_head,same_tail,before_middle,bytes)"
         "VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)"},
    Text{Sql::put_part, "INSERT OR REPLACE INTO part(id,bytes)VALUES(?1,?2)"},
    Text{Sql::drop_parts, "DELETE FROM part WHERE id>=?1 AND id<?2"},

    Text{Sql::put_claim, "INSERT OR REPLACE INTO claim(" PAWL_CLAIM_COLUMNS ")VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"},
    Text{Sql::drop_claim, "DELETE FROM claim WHERE kind=?1 AND scope=?2 AND key=?3"},
    Text{Sql::keep, "INSERT OR REPLACE INTO kept(name,value)VALUES(?1,?2)"},
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
