/** What is asked about a place of a map, and what is answered. */
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import type { MapLayer } from './map-request.ts';

export interface MapPointQuery {
  /** In pixels from the upper left corner; the middle of a pixel is half a pixel further than its number. */
  readonly x: number;
  readonly y: number;
  /** How far from there a feature may be; by default as far as symbols reach, and three pixels at least. */
  readonly radiusPixels?: number | undefined;
  /** So many features of each layer at most. */
  readonly count: number;
}

/** Whole features, with all their attributes and in the system of the map. */
export interface FoundFeatures {
  readonly layer: MapLayer;
  readonly description: FeatureTypeDescription;
  readonly features: readonly Feature[];
}
