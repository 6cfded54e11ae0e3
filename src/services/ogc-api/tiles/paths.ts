/** Paths of OGC API Tiles below the landing page, with their summaries and response functions. */
const COLLECTION = '/collections/:collection';
const TILESETS = `${COLLECTION}/tiles`;
const MAP_TILESETS = `${COLLECTION}/map/tiles`;
const STYLED_TILESETS = `${COLLECTION}/styles/:style/map/tiles`;

export const tilesPaths = [
  ['', 'Returns the landing page', 'landing'],
  ['/conformance', 'Lists the conformance classes', 'conformance'],
  ['/api', 'Returns the API definition', 'api'],
  ['/tileMatrixSets', 'Lists the tile matrix sets', 'tilingSchemes'],
  ['/tileMatrixSets/:set', 'Returns a tile matrix set', 'tilingScheme'],
  ['/collections', 'Lists the collections', 'collections'],
  ['/collections/:collection', 'Returns a collection', 'collection'],
  [TILESETS, 'Lists the vector tilesets of a collection', 'tilesets'],
  [`${TILESETS}/:set`, 'Returns a vector tileset', 'tileset'],
  [`${TILESETS}/:set/:level/:row/:column`, 'Returns a vector tile', 'tile'],
  [MAP_TILESETS, 'Lists the map tilesets of a collection', 'mapTilesets'],
  [`${MAP_TILESETS}/:set`, 'Returns a map tileset', 'mapTileset'],
  [`${MAP_TILESETS}/:set/:level/:row/:column`, 'Returns a map tile', 'mapTile'],
  [STYLED_TILESETS, 'Lists the map tilesets of a collection in a style', 'styledTilesets'],
  [`${STYLED_TILESETS}/:set`, 'Returns a map tileset in a style', 'styledTileset'],
  [`${STYLED_TILESETS}/:set/:level/:row/:column`, 'Returns a map tile in a style', 'styledTile'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
