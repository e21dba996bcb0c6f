// Every statement of the store that is kept prepared, by name.
#pragma once

#include <cstddef>

namespace pawl::sqlite {

enum class Sql : std::size_t {
  begin_read,
  begin_write,
  commit,
  version,
  load,
  newest_of,
  next_group,
  scan_group,
  next_place,
  history_step,
  event,
  events_from,
  newest_event,
  records_of_kind,
  operation,
  operations_before,
  operation_by_key,
  mirror,
  mirror_place,
  mirrors,
  mirror_places,
  parts,
  effects_of,
  effects_in,
  claim,
  claims,
  kept,
  put_operation,
  put_event,
  new_record,
  move_record,
  touch_record,
  put_effect,
  end_effect,
  put_mirror,
  new_mirror,
  put_part,
  drop_parts,
  put_claim,
  drop_claim,
  keep,
  forget,
  count,
};

inline constexpr std::size_t kSqlCount = static_cast<std::size_t>(Sql::count);

[[nodiscard]] const char* text_of(Sql which);

}  // namespace pawl::sqlite
