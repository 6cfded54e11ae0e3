/** Which coordinate reference system something is in: a code where one is known, the definition as it was found, or neither. */
export interface CrsReference {
  /** For example `EPSG:4326`. */
  readonly code?: string;
  /** The WKT that came with the data. */
  readonly wkt?: string;
}
