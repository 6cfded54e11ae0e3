/** Every address of OGC API Maps below its landing page: the path, what is there, and what tells of it. */
export const mapsPaths = [
  ['', 'The landing page', 'landing'],
  ['/conformance', 'What it conforms to', 'conformance'],
  ['/api', 'The definition of the API', 'api'],
  ['/collections', 'All collections', 'collections'],
  ['/collections/:collection', 'A collection', 'collection'],
  ['/collections/:collection/map', 'A map of a collection', 'map'],
  ['/collections/:collection/styles', 'The styles of a collection', 'styles'],
  ['/collections/:collection/styles/:style/map', 'A map of a collection in a style', 'styledMap'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
