/** Paths of OGC API Styles below the landing page, with their summaries and response functions. */
export const stylesPaths = [
  ['', 'Returns the landing page', 'landing'],
  ['/conformance', 'Lists the conformance classes', 'conformance'],
  ['/api', 'Returns the API definition', 'api'],
  ['/styles', 'Lists the styles of layers and groups', 'styles'],
  ['/styles/:collection', 'Returns the style of a layer or group', 'style'],
  ['/styles/:collection/metadata', 'Describes the style of a layer or group', 'metadata'],
] as const satisfies readonly (readonly [path: string, summary: string, name: string])[];
