/** Every address of OGC API Tiles below its landing page: the path, what is there, and what tells of it. */
const TILESETS = '/collections/:collection/tiles';

export const tilesPaths = [
  ['', 'The landing page', 'landing'],
  ['/conformance', 'What it conforms to', 'conformance'],
  ['/api', 'The definition of the API', 'api'],
  ['/tileMatrixSets', 'The grids of tiles', 'tilingSchemes'],
  ['/tileMatrixSets/:set', 'A grid of tiles', 'tilingScheme'],
  ['/collections', 'All collections', 'collections'],
  ['/collections/:collection', 'A collection', 'collection'],
  [TILESETS, 'Its sets of tiles', 'tilesets'],
  [`${TILESETS}/:set`, 'A set of tiles', 'tileset'],
  [`${TILESETS}/:set/:level/:row/:column`, 'A tile', 'tile'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
