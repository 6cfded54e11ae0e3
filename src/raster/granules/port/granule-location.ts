/** The location of a granule, which is unique in an index. */
import type { GranuleDraft, GranuleSchema } from './port.ts';

export function hasImageIndex({ attributes }: GranuleSchema): boolean {
  return attributes.some(({ role }) => role === 'imageindex');
}

/** Keeps the last draft of each location: a duplicate means that the file changed during the harvest. */
export function selectLastPerLocation(schema: GranuleSchema, drafts: readonly GranuleDraft[]): readonly GranuleDraft[] {
  const isIndexed = hasImageIndex(schema);
  const byPlace = new Map<string, GranuleDraft>();
  for (const draft of drafts) {
    const kept = { ...draft, location: draft.location.toWellFormed(), imageindex: isIndexed ? draft.imageindex : 0 };
    byPlace.set(JSON.stringify([kept.location, kept.imageindex]), kept);
  }
  return [...byPlace.values()];
}
