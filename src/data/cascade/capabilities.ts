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

/** All layers by name, and one of them whole: thousands, each in all the systems that it inherits, would fill the memory. */
export interface Capabilities {
  readonly names: readonly string[];
  /** The one that was asked for; null where there is none of that name. */
  readonly layer: RemoteLayer | null;
}
