// State files of reviews as they are met.
#pragma once

#include <string_view>

namespace pawl::test {

// The seed's example.
inline constexpr std::string_view kSeed = R"seed(---
pr_owner: "owner"
pr_repo: "repo"
pr_number: 123
head_sha: "abc123def456"
started: "2024-01-15T10:30:00Z"
updated: "2024-01-15T10:45:00Z"
mode: "full"
focus: ""
self_review: false
---

## Chunk Plan

| Chunk | Files | LOC | Status |
|-------|-------|-----|--------|
| 1 | types.ts, interfaces.ts | 120 | reviewed |
| 2 | utils/helper.ts, utils/format.ts | 280 | reviewed |
| 3 | core/engine.ts | 450 | in-progress |
| 4 | components/Form.tsx, components/List.tsx | 310 | pending |
| 5 | __tests__/engine.test.ts | 200 | pending |

## Findings

### ðŸ”´ Action Required Unchecked null dereference in user lookup

**File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** 95/100
**Marked for GitHub:** true

The `getUser()` call can return null when the user ID is not found, but the result is used without a null check on line 45.

```suggestion
const user = getUser(id);
if (!user) {
  throw new UserNotFoundError(id);
}
```

---

(additional findings separated by `---`)

## Comments by File

```json
{
  "core/engine.ts": [
    {
      "author": "reviewer1",
      "line": 42,
      "body": "This looks like it could NPE",
      "created_at": "2024-01-15T09:00:00Z"
    }
  ],
  "utils/helper.ts": []
}
```
)seed";

// Every other form at once.
inline constexpr std::string_view kForms = R"form(---
# written by another tool
pr_owner: octo
pr_repo: 'cat.x'
pr_number: 7   # the pull request
head_sha: "0123abcd"
started: 2024-01-15T10:30:00+00:00
reviewer: {name: ann, team: [a, b]}
mode: quick
---

Some words of the reviewer's own.

## Chunk Plan

| Chunk | Semantic Group | Files | LOC | Est. Time | Existing Comments |
|:-----:|----------------|-------|----:|-----------|-------------------|
| 1 | Types | `types.ts`, `a, b.ts` | 120 | 5 min | 0 |
| 2 | Core \| more | `core/engine.ts`, `we\|rd.ts` | ~1,450 | 20 min | 2 |
| **Total** | | **4 files** | **1,570** | **25 min** | **2** |

## Notes

```
## Findings
### 🔴 Action Required not one: it stands in a fence
```

## Findings

### 🔴 Action RequiredH1 No space before the id

**File:** `core/engine.ts:42-45` | **Category:** bug | **Confidence:** 95/100
**Marked for GitHub:** true

Text with a table:

| a | b |
|---|---|
| 1 | 2 |

````suggestion
```
---
```
````

### 💡 Mentor's Note

Part of the same finding.

<!-- reviewer-internal:
---
### 🔴 Action Required not one either
-->

---

### 🟡 M2 Recommended: With id in front

**File:** `types.ts` | **Category:** a-new-one | **Confidence:** 70

---

### ðŸŸ¢ Minor Damaged on its way

**File:** `we|rd.ts:3` | **Category:** style | **Confidence:** 88/100
**Marked for GitHub:** false

### 🖼 Visual Evidence

~~~
---
~~~

---

Free words at the end of the section.

## Something Else

---

### 🔴 Action Required this is another section

## Comments by File

````json
{"core/engine.ts": [ {"author":"r","line":42,"body":"x","date":"2024-01-15","thread_id":9007199254740993,"trust_level":"member"} ]}
````

The end, without a newline)form";

}  // namespace pawl::test
