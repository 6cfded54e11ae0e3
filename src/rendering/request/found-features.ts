/** The query for the features at a point of a map, and its result. */
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import type { MapLayer } from './map-request.ts';

export interface MapPointQuery {
  /** In pixels from the upper left corner; the centre of the first pixel is at 0.5. */
  readonly x: number;
  readonly y: number;
  /** The search radius; by default the reach of each feature's symbols without labels, and at least three pixels. */
  readonly radiusPixels?: number | undefined;
  /** The maximum number of features per layer. */
  readonly count: number;
}

/** Features with all attributes, in the CRS of the map. */
export interface FoundFeatures {
  readonly layer: MapLayer;
  readonly description: FeatureTypeDescription;
  readonly features: readonly Feature[];
}
