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
  /** The tiles that it is had in, of a server that gives no maps. */
  readonly tiles?: RemoteTiles;
}

export interface RemoteTiles {
  readonly sets: readonly RemoteTileSet[];
  /** Addresses of tiles with names in braces, by their media types; where there are none, tiles are asked for by pairs. */
  readonly templates: Readonly<Record<string, string>>;
  /** The values that dimensions have where nobody asks for others, by their names. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface RemoteTileSet {
  readonly name: string;
  /** As the other server writes it. */
  readonly system: string;
  readonly matrices: readonly RemoteTileMatrix[];
}

export interface RemoteTileMatrix {
  readonly name: string;
  readonly scaleDenominator: number;
  /** Of the upper left corner, in the order that its system has by that name. */
  readonly corner: readonly [number, number];
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** All layers by name, and one of them whole: thousands, each in all the systems that it inherits, would fill the memory. */
export interface Capabilities {
  readonly names: readonly string[];
  /** The one that was asked for; null where there is none of that name. */
  readonly layer: RemoteLayer | null;
}
