/** What makes a raster source out of a file. */
import type { RasterSource } from './port.ts';

export interface RasterDriver {
  /** What the store's `type` says, such as `GeoTIFF`. */
  readonly type: string;
  /** What the addresses of its uploads end with: `geotiff`. */
  readonly format: string;
  /** What the names of its files end with, in small letters and without the dot. */
  readonly extensions: readonly string[];
  /**
   * Opens a file that has passed the path gate; small files beside it that belong to it are found by their names.
   * Nothing is read before it is asked for, and then the source waits for the disk: it is meant to run in a thread.
   */
  open(path: string): Promise<RasterSource>;
}
