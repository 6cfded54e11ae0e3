/** The file extensions of exchange formats. */
export const interchangeFormats = ['geojson', 'csv', 'fgb', 'kml'] as const;

export type InterchangeFormat = (typeof interchangeFormats)[number];
