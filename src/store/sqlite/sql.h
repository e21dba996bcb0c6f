// Every statement of the store that is kept prepared, by name.
#pragma once

#include <cstddef>

namespace pawl::sqlite {

enum class Sql : std::size_t {
  begin_read,
  begin_write,
  commit,
  version,
  record,
  next_scope,
  next_status,
  scan_group,
  scan_kind,
  find_key,
  find_keys,
  event,
  events_from,
  newest_event,
  happened_before,
  records_of_kind,
  operation,
  operations_before,
  operations_after,
  mirror,
  mirrors,
  all_mirrors,
  mirror_bytes,
  mirror_path,
  parts,
  images,
  image_heads,
  conflict,
  conflicts,
  open_conflicts,
  effects_between,
  effects_in,
  effects_under_way,
  kept,
  kept_between,
  put_operation,
  put_event,
  put_record,
  put_effect,
  end_effect,
  put_mirror,
  new_mirror,
  put_image,
  new_image_bytes,
  drop_image,
  put_conflict,
  put_part,
  drop_parts,
  keep,
  keep_new,
  forget,
  count,
};

inline constexpr std::size_t kSqlCount = static_cast<std::size_t>(Sql::count);

[[nodiscard]] const char* text_of(Sql which);

}  // namespace pawl::sqlite
