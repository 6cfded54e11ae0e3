/** The file extensions of exchange formats. */
export const interchangeFormats = ['geojson', 'csv', 'kml'] as const;

export type InterchangeFormat = (typeof interchangeFormats)[number];
