/** The interface of a raster driver, which opens files as raster sources. */

import type { RangeChannel } from '../../remote/channel.ts';
import type { RasterSource } from './port.ts';

export interface RasterDriver {
  /** The `type` of the store, such as `GeoTIFF`. */
  readonly type: string;
  /** The suffix of upload URLs: `geotiff`. */
  readonly format: string;
  /** File extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
  /**
   * Opens a file that has passed the path gate; companion files are found by name. Nothing is read before it is
   * requested, and reads are synchronous: sources are meant to run in a thread.
   */
  open(path: string): Promise<RasterSource>;
  /** Opens a file of another server; absent if the driver reads local files only. */
  openRemote?(url: string, channel: RangeChannel): Promise<RasterSource>;
}
