/* Open addressing; a key's place is where its product with the golden ratio has its upper bits. */
#include "grammar/map.h"

static struct map_item *place_of(const struct map *map, uint64_t key) {
  uint32_t mask = map->capacity - 1;
  for (uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & mask;; at = (at + 1) & mask)
    if (!map->items[at].held || map->items[at].key == key) return &map->items[at];
}

static void grow(struct arena *arena, struct map *map) {
  struct map wider = {.count = map->count, .capacity = map->capacity ? 2 * map->capacity : 4};
  wider.items = ARENA_ARRAY(arena, struct map_item, wider.capacity);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->items[i].held) *place_of(&wider, map->items[i].key) = map->items[i];
  *map = wider;
}

uint32_t map_add(struct arena *arena, struct map *map, uint64_t key, uint32_t value, bool *known) {
  if (map->count * 2 >= map->capacity) grow(arena, map);
  struct map_item *item = place_of(map, key);
  *known = item->held;
  if (!*known) *item = (struct map_item){key, value, true};
  map->count += !*known;
  return item->value;
}

uint32_t map_get(const struct map *map, uint64_t key, uint32_t otherwise) {
  if (!map->count) return otherwise;
  const struct map_item *item = place_of(map, key);
  return item->held ? item->value : otherwise;
}
