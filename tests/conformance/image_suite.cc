// The bytes of files at earlier moments: to the byte, and as many as stay.
#include <rapidcheck.h>

#include "conformance/store_suite.h"

namespace pawl::test {
namespace {

Image image_of(std::optional<std::string> bytes, ImageKind kind = ImageKind::baseline, std::string owner = "") {
  Image image;
  image.path = "prd.json";
  image.owner = std::move(owner);
  image.kind = kind;
  image.bytes = std::move(bytes);
  return image;
}

MirrorRow file_row(std::optional<std::string> bytes) {
  MirrorRow row;
  row.path = "prd.json";
  row.format = "prd";
  row.bytes = std::move(bytes);
  return row;
}

Batch mirror(const std::optional<std::string>& bytes) {
  Batch batch;
  batch.mirrors.push_back(file_row(bytes));
  return batch;
}

// As a write of pawl's: the file and its image.
Batch left(const std::string& bytes, std::string owner = "") {
  Batch batch = mirror(bytes);
  batch.images = {image_of(bytes, ImageKind::baseline, std::move(owner))};
  return batch;
}

Batch kept(std::optional<std::string> bytes) {
  Batch batch;
  batch.images = {image_of(std::move(bytes), ImageKind::kept)};
  return batch;
}

std::vector<std::string> stored(const std::unique_ptr<Transaction>& tx, ImageQuery query = {}) {
  query.path = "prd.json";
  std::vector<std::string> all;
  for (const Image& image : must(tx->images(query))) all.push_back(image.bytes.value_or("none"));
  return all;
}

// Long enough not to be stored whole each time.
std::string long_file(int number) {
  std::string text;
  for (int line = 0; line < 500; ++line) text += "line " + std::to_string(line) + "\n";
  return text.replace(4000, 4, std::to_string(1000 + number));
}

TEST_P(StoreConformance, ImageGivesBackEverything) {
  commit(mirror("x"));
  Batch batch;
  batch.operations.push_back(operation({}));
  Image image = image_of("left", ImageKind::baseline, "s 1");
  image.operation = in_batch(0);
  image.by_command = true;
  image.keys = R"(["a"])";
  batch.images = {image, image_of(std::nullopt, ImageKind::kept), image_of("")};
  const Committed made = commit(batch);
  ASSERT_EQ(made.images.size(), 3u);
  const std::vector<Image> all = must(reading()->images({.path = "prd.json"}));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].id, made.images[0]);
  EXPECT_EQ(all[0].path, "prd.json");
  EXPECT_EQ(all[0].owner, "s 1");
  EXPECT_EQ(all[0].operation, made.operations[0]);
  EXPECT_EQ(all[0].kind, ImageKind::baseline);
  EXPECT_TRUE(all[0].by_command);
  EXPECT_EQ(all[0].bytes, "left");
  EXPECT_EQ(all[0].keys, R"(["a"])");
  EXPECT_EQ(all[1].bytes, std::nullopt);
  EXPECT_EQ(all[1].kind, ImageKind::kept);
  EXPECT_EQ(all[2].bytes, "");
  EXPECT_EQ(must(reading()->image(made.images[1]))->kind, ImageKind::kept);
  EXPECT_FALSE(must(reading()->image(made.images[2] + 1)));
  EXPECT_TRUE(must(reading()->images({.path = "other"})).empty());
}

TEST_P(StoreConformance, ImageNeedsAMirrorRow) {
  Batch batch;
  batch.images = {image_of("x")};
  const auto gate = must(store_->gate());
  EXPECT_FALSE(must(store_->begin(Access::write))->commit(batch));
}

TEST_P(StoreConformance, ImagesThatAreNeighboursDiffer) {
  commit(mirror("x"));
  const std::int64_t first = commit(kept("a")).images.at(0);
  EXPECT_EQ(commit(left("a")).images.at(0), first) << "the kept image becomes the baseline";
  EXPECT_EQ(must(reading()->image(first))->kind, ImageKind::baseline);
  EXPECT_EQ(commit(kept("a")).images.at(0), first);
  EXPECT_EQ(must(reading()->image(first))->kind, ImageKind::baseline);
  EXPECT_NE(commit(left("b")).images.at(0), first);
  EXPECT_EQ(stored(reading()), (std::vector<std::string>{"a", "b"}));
}

TEST_P(StoreConformance, ImageQueryChooses) {
  commit(mirror("x"));
  commit(left("1", "a"));
  commit(kept("2"));
  commit(left("3", "b"));
  commit(left("4", "a"));
  EXPECT_EQ(stored(reading(), {.kind = ImageKind::kept}), (std::vector<std::string>{"2"}));
  EXPECT_EQ(stored(reading(), {.owner = "a"}), (std::vector<std::string>{"1", "4"}));
  EXPECT_EQ(stored(reading(), {.kind = ImageKind::baseline, .newest = 2}), (std::vector<std::string>{"3", "4"}));
  const auto heads = must(reading()->images({.path = "prd.json", .part = ImagePart::without_bytes, .newest = 1}));
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_EQ(heads[0].owner, "a");
  EXPECT_FALSE(heads[0].bytes);
}

TEST_P(StoreConformance, LastBaselinesOfEachOwnerStay) {
  commit(mirror("x"));
  std::vector<std::string> expected;
  for (int i = 0; i < 50; ++i) {
    const int owner = i / 10, of_owner = i % 10;
    commit(left(long_file(i), std::to_string(owner)));
    if (of_owner >= (owner < 2 ? 9 : 2)) expected.push_back(long_file(i));
  }
  EXPECT_TRUE(stored(reading()) == expected);
  commit(left("again", "0"));
  expected.erase(expected.begin() + 2, expected.begin() + 9);  // the third owner is the fourth now
  expected.push_back("again");
  EXPECT_TRUE(stored(reading()) == expected);
}

TEST_P(StoreConformance, KeptImagesStayWhileSomethingNamesThem) {
  commit(mirror("x"));
  const std::int64_t first = commit(kept("first")).images.at(0), second = commit(kept("second")).images.at(0),
                     third = commit(kept("third")).images.at(0);
  Batch batch;
  StoredConflict conflict;
  conflict.image = first;
  batch.conflicts = {conflict};
  MirrorRow row = file_row("x");
  row.merge.displaced = {{"d1", 77, second}};
  batch.mirrors = {row};
  conflict.id = commit(batch).conflicts.at(0);
  const auto more = [&](int from) {
    for (int i = from; i < from + 40; ++i) commit(kept(std::to_string(i)));
  };
  more(0);
  EXPECT_TRUE(must(reading()->image(first)));
  EXPECT_TRUE(must(reading()->image(second)));
  EXPECT_FALSE(must(reading()->image(third)));
  EXPECT_EQ(stored(reading()).size(), kImageLimits.kept + 2);
  batch = {};
  conflict.closed = 1;
  batch.conflicts = {conflict};
  batch.mirrors = {file_row("x")};
  commit(batch);
  more(100);
  EXPECT_EQ(stored(reading()).size(), kImageLimits.kept);
}

TEST_P(StoreConformance, ImagesTogetherAreBounded) {
  commit(mirror("x"));
  std::uint64_t chance = 1;
  const auto noise = [&] {
    std::string bytes(3 << 20, ' ');
    for (char& byte : bytes)
      byte = static_cast<char>((chance = chance * 6364136223846793005ULL + 1442695040888963407ULL) >> 56U);
    return bytes;
  };
  std::string last;
  for (int i = 0; i < 8; ++i) commit(left(last = noise()));
  const auto all = stored(reading());
  EXPECT_EQ(all.size(), kImageLimits.bytes / last.size() + 1) << "and one that is what the mirror has";
  EXPECT_TRUE(all.back() == last);
}

// Whatever comes in whatever order, each image gives back its bytes.
TEST_P(StoreConformance, EveryImageIsWhatItWas) {
  int count = 0;
  const bool held = rc::check("images", [&] {
    const std::string path = "f" + std::to_string(++count);
    std::vector<std::pair<std::int64_t, std::optional<std::string>>> known;
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100'000));
    const auto bytes_for = [](int step) -> std::optional<std::string> {
      if (step % 17 == 0) return std::nullopt;
      if (step % 5 == 0) return "short " + std::to_string(step);
      return long_file(step % 7) + std::string(static_cast<std::size_t>(step % 3), '!');
    };
    bool first = true;
    for (const int step : steps) {
      Batch batch;
      MirrorRow row = file_row(bytes_for(step));
      row.path = path;
      if (first || step % 2 == 0) batch.mirrors = {row};
      first = false;
      for (int i = 0; i < step % 3; ++i) {
        batch.images.push_back(image_of(bytes_for(step / 3 + i), step % 4 < 2 ? ImageKind::baseline : ImageKind::kept,
                                        step % 8 < 4 ? "a" : "b"));
        batch.images.back().path = path;
      }
      const Committed made = commit(batch);
      for (std::size_t i = 0; i < made.images.size(); ++i) known.emplace_back(made.images[i], batch.images[i].bytes);
    }
    const auto tx = reading();
    for (const Image& image : must(tx->images({.path = path}))) {
      const auto there =
          std::find_if(known.rbegin(), known.rend(), [&](const auto& one) { return one.first == image.id; });
      RC_ASSERT(there != known.rend());
      RC_ASSERT(image.bytes == there->second);
      RC_ASSERT(must(tx->image(image.id))->bytes == image.bytes);
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace pawl::test
