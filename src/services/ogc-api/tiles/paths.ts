/** Every address of OGC API Tiles below its landing page: the path, what is there, and what tells of it. */
const COLLECTION = '/collections/:collection';
const TILESETS = `${COLLECTION}/tiles`;
const MAP_TILESETS = `${COLLECTION}/map/tiles`;
const STYLED_TILESETS = `${COLLECTION}/styles/:style/map/tiles`;

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
  [MAP_TILESETS, 'Its sets of tiles that are maps', 'mapTilesets'],
  [`${MAP_TILESETS}/:set`, 'A set of tiles that are maps', 'mapTileset'],
  [`${MAP_TILESETS}/:set/:level/:row/:column`, 'A tile of a map', 'mapTile'],
  [STYLED_TILESETS, 'Its sets of tiles in a style', 'styledTilesets'],
  [`${STYLED_TILESETS}/:set`, 'A set of tiles in a style', 'styledTileset'],
  [`${STYLED_TILESETS}/:set/:level/:row/:column`, 'A tile of a map in a style', 'styledTile'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
