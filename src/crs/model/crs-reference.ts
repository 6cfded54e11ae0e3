/** A reference to a coordinate reference system: a known code, the WKT of the data, or neither. */
export interface CrsReference {
  /** For example `EPSG:4326`. */
  readonly code?: string;
  /** The WKT of the data. */
  readonly wkt?: string;
}
