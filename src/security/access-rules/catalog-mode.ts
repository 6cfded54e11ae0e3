/** What becomes of what somebody may not read. */

/**
 * HIDE: it vanishes. MIXED: it is in no listing, but whoever asks for it is challenged. CHALLENGE: it is listed, and
 * whoever asks for it is challenged.
 */
export type CatalogMode = 'HIDE' | 'MIXED' | 'CHALLENGE';

export const catalogModes: readonly CatalogMode[] = ['HIDE', 'MIXED', 'CHALLENGE'];

export function parseCatalogMode(text: string): CatalogMode | undefined {
  return catalogModes.find((mode) => mode === text);
}
