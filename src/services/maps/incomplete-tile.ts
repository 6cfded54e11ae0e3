/** The response parts of a vector tile whose features could not all be read within the time limit. */

export const INCOMPLETE_TILE_WARNING =
  'The tile is incomplete, because reading its features exceeded the time limit. Request a higher zoom level, or filter the features.';

/** The next request may return more features. */
export const incompleteTileHeaders = { 'cache-control': 'no-store' } as const;
