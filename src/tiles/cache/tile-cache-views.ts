/** Tile caches with other effects. Members of class instances cannot be copied with a spread. */
import type { TileCache } from './tile-cache.ts';

/** Returns the same cache with another way to invalidate tiles. */
export function replaceInvalidation(cache: TileCache, invalidate: TileCache['invalidate']): TileCache {
  return {
    find: (place, recipe, maxAgeMs) => cache.find(place, recipe, maxAgeMs),
    findInMemory: (place, recipe, maxAgeMs) => cache.findInMemory(place, recipe, maxAgeMs),
    getGeneration: () => cache.getGeneration(),
    readGenerations: (level) => cache.readGenerations(level),
    write: (place, recipe, bytes) => cache.write(place, recipe, bytes),
    invalidate,
    waitForWrites: (most) => cache.waitForWrites(most),
    getUsage: () => cache.getUsage(),
    getLimits: () => cache.getLimits(),
    count: () => cache.count(),
    close: () => cache.close(),
  };
}
