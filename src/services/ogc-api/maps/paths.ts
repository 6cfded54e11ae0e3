/** Paths of OGC API Maps below the landing page, with their summaries and response functions. */
export const mapsPaths = [
  ['', 'Returns the landing page', 'landing'],
  ['/conformance', 'Lists the conformance classes', 'conformance'],
  ['/api', 'Returns the API definition', 'api'],
  ['/collections', 'Lists the collections', 'collections'],
  ['/collections/:collection', 'Returns a collection', 'collection'],
  ['/collections/:collection/map', 'Draws a map of a collection', 'map'],
  ['/collections/:collection/styles', 'Lists the styles of a collection', 'styles'],
  ['/collections/:collection/styles/:style', 'Returns a style as a MapLibre style', 'stylesheet'],
  ['/collections/:collection/styles/:style/map', 'Draws a map of a collection in a style', 'styledMap'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
