// What pawl last wrote to files: to the byte, however long, whatever the bytes.
#include <rapidcheck.h>

#include "base/fingerprint.h"
#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

MirrorRow row_at(std::string path, std::optional<std::string> bytes, std::optional<std::string> before) {
  MirrorRow row;
  row.path = std::move(path);
  row.format = "prd";
  row.bytes = std::move(bytes);
  row.before = std::move(before);
  return row;
}

Batch batch_of(std::vector<MirrorRow> rows) {
  Batch batch;
  batch.mirrors = std::move(rows);
  return batch;
}

TEST_P(StoreConformance, MirrorThatWasNeverSeenIsNone) {
  EXPECT_FALSE(must(reading()->mirror("prd.json")));
  EXPECT_TRUE(must(reading()->mirrors("prd")).empty());
}

TEST_P(StoreConformance, MirrorGivesBackEverything) {
  MirrorRow row = row_at("prd.json", "after", "before");
  row.scope = "x";
  row.state = "git";
  row.head = "0123abc";
  row.staged = "S1";
  commit(batch_of({row}));
  const auto found = must(reading()->mirror("prd.json"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, "prd.json");
  EXPECT_EQ(found->format, "prd");
  EXPECT_EQ(found->scope, "x");
  EXPECT_EQ(found->bytes, "after");
  EXPECT_EQ(found->before, "before");
  EXPECT_EQ(found->state, "git");
  EXPECT_EQ(found->head, "0123abc");
  EXPECT_EQ(found->staged, "S1");

  row = row_at("prd.json", "later", "after");
  row.format = "prd2";
  commit(batch_of({row}));
  const auto replaced = must(reading()->mirror("prd.json"));
  EXPECT_EQ(replaced->format, "prd2");
  EXPECT_EQ(replaced->state, "");
  EXPECT_EQ(replaced->staged, "");
  EXPECT_EQ(replaced->bytes, "later");
}

TEST_P(StoreConformance, MirrorGivesBackWhatTheMergeKnows) {
  for (const std::size_t keys : {2U, 2'000U, 3U, 5'000U, 5'001U}) {
    MirrorRow row = row_at("prd.json", std::string(keys * 3, 'x'), std::nullopt);
    row.merge = {"s 1", true, 7, 8, {{"D 1", 9, 10}}, R"({"project": "x"})", {}};
    for (std::size_t i = 0; i < keys; ++i) row.merge.order.push_back("US-" + std::to_string(i));
    commit(batch_of({row}));
    const auto tx = reading();
    EXPECT_EQ(must(tx->mirror("prd.json"))->merge, row.merge);
    EXPECT_EQ(must(tx->mirror("prd.json", MirrorPart::without_before))->merge, row.merge);
    MergeFacts without_shape = row.merge;
    without_shape.file.clear();
    without_shape.order.clear();
    EXPECT_EQ(must(tx->mirror("prd.json", MirrorPart::to_compare))->merge, without_shape);
    must(tx->mirrors("prd", MirrorPart::without_bytes));
    EXPECT_EQ(must(tx->mirror("prd.json", MirrorPart::to_compare))->merge, without_shape);
  }
  commit(batch_of({row_at("prd.json", "x", std::nullopt)}));
  EXPECT_EQ(must(reading()->mirror("prd.json"))->merge, MergeFacts{});
}

TEST_P(StoreConformance, MirrorTellsNoFileFromAnEmptyOne) {
  const std::vector<std::optional<std::string>> contents = {std::nullopt, "", "x"};
  for (const auto& bytes : contents) {
    for (const auto& before : contents) {
      commit(batch_of({row_at("f", bytes, before)}));
      const auto found = must(reading()->mirror("f"));
      EXPECT_EQ(found->bytes, bytes);
      EXPECT_EQ(found->before, before);
    }
  }
}

TEST_P(StoreConformance, MirrorsOfAFormatAreByPath) {
  MirrorRow other = row_at("aa", "x", std::nullopt);
  other.format = "issue";
  commit(batch_of({row_at("b", "2", "1"), row_at("a", std::string(50'000, 'l'), std::nullopt), other}));
  const auto whole = must(reading()->mirrors("prd"));
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_EQ(whole[0].path, "a");
  EXPECT_EQ(whole[0].bytes->size(), 50'000u);
  EXPECT_EQ(whole[1].path, "b");
  EXPECT_EQ(whole[1].before, "1");
  const auto places = must(reading()->mirrors("prd", MirrorPart::without_bytes));
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].path, "b");
  EXPECT_EQ(places[1].format, "prd");
  EXPECT_FALSE(places[1].bytes);
  EXPECT_FALSE(must(reading()->mirror("b", MirrorPart::without_bytes))->bytes);
}

// The bytes, or where they are long what tells whether a file has them.
TEST_P(StoreConformance, MirrorToCompareFitsTheBytesAndNoOthers) {
  const auto fits = [&](const std::string& bytes) {
    const auto row = must(reading()->mirror("f", MirrorPart::to_compare));
    EXPECT_NE(row->bytes.has_value(), !row->fingerprint.empty()) << "one of the two";
    return row->bytes ? *row->bytes == bytes : has_fingerprint(bytes, row->fingerprint);
  };
  std::string before;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{50'000}, std::size_t{60'000}, std::size_t{5}}) {
    std::string bytes(size, 'a');
    commit(batch_of({row_at("f", bytes, before)}));
    EXPECT_TRUE(fits(bytes)) << size;
    EXPECT_FALSE(fits(bytes + "a")) << size;
    if (size > 0) {
      std::string other = bytes;
      other[size / 2] = 'b';
      EXPECT_FALSE(fits(other)) << size;
      commit(batch_of({row_at("f", other, bytes)}));  // an edit in the midst of it
      EXPECT_TRUE(fits(other)) << size;
      bytes = other;
    }
    before = bytes;
  }
  commit(batch_of({row_at("f", std::nullopt, before)}));
  const auto gone = must(reading()->mirror("f", MirrorPart::to_compare));
  EXPECT_FALSE(gone->bytes);
  EXPECT_EQ(gone->fingerprint, "");
}

TEST_P(StoreConformance, MirrorTwiceInOneBatchIsTheLast) {
  commit(batch_of({row_at("f", "1", std::nullopt), row_at("f", std::string(9000, 'x'), "1"), row_at("f", "3", "2")}));
  EXPECT_EQ(must(reading()->mirror("f"))->bytes, "3");
  EXPECT_EQ(must(reading()->mirror("f"))->before, "2");
  EXPECT_EQ(must(reading()->mirrors("prd")).size(), 1u);
}

TEST_P(StoreConformance, MirrorsOfLongFilesDoNotMix) {
  const std::string a(40'000, 'a'), b(40'000, 'b');
  commit(batch_of({row_at("a", a, b), row_at("b", b, a)}));
  std::string longer = a;
  longer.insert(20'000, std::string(30'000, 'n'));
  commit(batch_of({row_at("a", longer, a)}));
  EXPECT_EQ(must(reading()->mirror("a"))->bytes, longer);
  EXPECT_EQ(must(reading()->mirror("a"))->before, a);
  EXPECT_EQ(must(reading()->mirror("b"))->bytes, b);
  commit(batch_of({row_at("a", std::nullopt, longer)}));
  EXPECT_EQ(must(reading()->mirror("a"))->bytes, std::nullopt);
  EXPECT_EQ(must(reading()->mirror("a"))->before, longer);
  EXPECT_EQ(must(reading()->mirror("b"))->bytes, b);
}

TEST_P(StoreConformance, MirrorGrowingAtOnePlaceForLong) {
  std::string bytes(20'000, '.'), before;
  commit(batch_of({row_at("f", bytes, std::nullopt)}));
  for (int i = 0; i < 200; ++i) {
    before = bytes;
    bytes.insert(7000, std::string(700, static_cast<char>('a' + i % 26)));
    commit(batch_of({row_at("f", bytes, before)}));
  }
  EXPECT_EQ(must(reading()->mirror("f"))->bytes, bytes);
  EXPECT_EQ(must(reading()->mirror("f"))->before, before);
  EXPECT_TRUE(must(store_->check()).problems.empty());
}

// A file edited again and again, anywhere, by any bytes, short and long and gone in between.
TEST_P(StoreConformance, MirrorOfAnyEditsRoundTrips) {
  const bool passed = rc::check([&] {
    const auto home = GetParam().make();
    const auto store = must(home->open(kPatient));
    std::optional<std::string> bytes, before;
    const auto any_bytes = [](int most) {
      const auto size = static_cast<std::size_t>(*rc::gen::inRange(0, most));
      const auto seed = *rc::gen::container<std::string>(8, rc::gen::arbitrary<char>());
      std::string text;
      while (text.size() < size) text += seed;
      text.resize(size);
      return text;
    };
    for (int i = 0, edits = *rc::gen::inRange(1, 12); i < edits; ++i) {
      before = bytes;
      switch (*rc::gen::inRange(0, 6)) {
        case 0:
          bytes = std::nullopt;
          break;
        case 1:
          bytes = any_bytes(20'000);
          break;
        case 2:
          before = any_bytes(5000);  // not what stood there: the caller may say anything
          break;
        default: {
          std::string text = bytes.value_or(any_bytes(20'000));
          const auto at = static_cast<std::size_t>(*rc::gen::inRange<std::size_t>(0, text.size() + 1));
          const auto cut = static_cast<std::size_t>(*rc::gen::inRange(0, 300));
          text.replace(at, cut, any_bytes(*rc::gen::elementOf(std::vector{3, 300, 9000})));
          bytes = text;
        }
      }
      commit(batch_of({row_at("f", bytes, before)}), store.get());
      const auto found = must(must(store->begin(Access::read))->mirror("f"));
      RC_ASSERT(found.has_value());
      RC_ASSERT(found->bytes == bytes);
      RC_ASSERT(found->before == before);
    }
  });
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace pawl::test
