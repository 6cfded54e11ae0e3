/** The zooms of the tiles in an archive. */
export interface ZoomRange {
  readonly min: number;
  readonly max: number;
}
