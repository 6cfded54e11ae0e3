/** Where a granule is: no two granules of an index are at the same place. */
import type { GranuleDraft, GranuleSchema } from './port.ts';

export function hasImageIndex({ attributes }: GranuleSchema): boolean {
  return attributes.some(({ role }) => role === 'imageindex');
}

/** One of each place: what is there twice was changed while it was looked at, and the later one counts. */
export function selectLastPerLocation(schema: GranuleSchema, drafts: readonly GranuleDraft[]): readonly GranuleDraft[] {
  const isIndexed = hasImageIndex(schema);
  const byPlace = new Map<string, GranuleDraft>();
  for (const draft of drafts) {
    const kept = { ...draft, location: draft.location.toWellFormed(), imageindex: isIndexed ? draft.imageindex : 0 };
    byPlace.set(JSON.stringify([kept.location, kept.imageindex]), kept);
  }
  return [...byPlace.values()];
}
