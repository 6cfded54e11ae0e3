/** What another map server says of itself, as far as its layers can be published here. */
import type { Bounds } from '../crs/bounds.ts';

export const cascadedServices = ['WMS', 'WMTS'] as const;
export type CascadedService = (typeof cascadedServices)[number];

/** A layer that can be asked for by name. */
export interface RemoteLayer {
  readonly name: string;
  readonly title: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  /** As the other server writes them, `EPSG:4326` or `urn:ogc:def:crs:EPSG::4326`; the first is its own. */
  readonly systems: readonly string[];
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
  /** By the systems they are in, x before y. */
  readonly bounds: Readonly<Record<string, Bounds>>;
  readonly styles: readonly string[];
  /** The media types it can be had in. */
  readonly formats: readonly string[];
}

export interface Capabilities {
  readonly service: CascadedService;
  readonly version: string;
  readonly title: string | null;
  readonly layers: readonly RemoteLayer[];
}
