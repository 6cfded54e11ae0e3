/** The source of a cascaded layer, for WMS and WMTS servers alike. */

import type { RemoteLayer } from '../../cascade/capabilities.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import type { UnpackedColors } from '../../raster/support/picture-library.ts';
import type { DrawnCoverage } from '../../rendering/request/map-request.ts';

/** A pixel of a map or of a tile. */
export interface PixelArea {
  readonly bounds: Bounds;
  readonly crs: CrsReference;
}

export interface OpenedCascade extends DrawnCoverage {
  readonly remote: RemoteLayer;
  readonly find: NonNullable<DrawnCoverage['find']>;
  /** Returns the pixel that `find` requests for a pixel of the map, if that is another one; undefined for none. */
  readonly locate?: (pixel: PixelArea) => Promise<PixelArea | undefined>;
  /** The legend of the style, as drawn by the remote server. */
  legend(size: RasterSize, signal: AbortSignal): Promise<UnpackedColors>;
}

/** The parameters of a request that are passed on to the remote server. */
export interface CascadeOptions {
  /** A style of the remote server; undefined for its default style. */
  readonly style?: string | undefined;
  /** Dimension values by parameter name. */
  readonly dimensions?: Readonly<Record<string, string>> | undefined;
}
