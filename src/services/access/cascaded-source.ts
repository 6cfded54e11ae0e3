/** What layers of other servers are drawn from, whichever way these give them. */

import type { RemoteLayer } from '../../cascade/capabilities.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import type { UnpackedColors } from '../../raster/support/picture-library.ts';
import type { DrawnCoverage } from '../../rendering/request/map-request.ts';

export interface OpenedCascade extends DrawnCoverage {
  readonly remote: RemoteLayer;
  /** What its style looks like, as the other server draws it. */
  legend(size: RasterSize, signal: AbortSignal): Promise<UnpackedColors>;
}

/** What of a request is the other server's to understand. */
export interface CascadeOptions {
  /** One of the styles of the other server; its default one where nothing is said. */
  readonly style?: string | undefined;
  /** Values of dimensions, by the names of parameters. */
  readonly dimensions?: Readonly<Record<string, string>> | undefined;
}
