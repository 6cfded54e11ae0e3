/** What the names of files for exchange end with. */
export const interchangeFormats = ['geojson', 'csv', 'fgb', 'kml'] as const;

export type InterchangeFormat = (typeof interchangeFormats)[number];
