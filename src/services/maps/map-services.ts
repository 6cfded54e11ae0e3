/** The dependencies for drawing maps. */
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import type { MapRenderer } from '../../rendering/map-renderer.ts';
import type { FeatureServices } from '../access/feature-access.ts';
import type { CascadeServices } from '../access/open-cascade.ts';
import type { CoverageServices } from '../access/open-coverage.ts';

export interface MapServices
  extends FeatureServices,
    Pick<CoverageServices, 'rasterData'>,
    Pick<CascadeServices, 'remoteServers'> {
  readonly styles: StyleServices;
  readonly renderer: MapRenderer;
  /** The time limit for reading the features of a layer of a vector tile. */
  readonly tileReadingMs: number;
}
