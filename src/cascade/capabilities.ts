/** The capabilities of a remote map server, as far as its layers can be published here. */
import type { Bounds } from '../crs/bounds.ts';

export const cascadedServices = ['WMS', 'WMTS'] as const;
export type CascadedService = (typeof cascadedServices)[number];

/** A layer that can be requested by name. */
export interface RemoteLayer {
  readonly name: string;
  readonly title: string | null;
  readonly abstract: string | null;
  readonly keywords: readonly string[];
  /** As sent by the remote server, `EPSG:4326` or `urn:ogc:def:crs:EPSG::4326`; the first is the native CRS. */
  readonly systems: readonly string[];
  /** In longitude and latitude. */
  readonly latLonBounds: Bounds | null;
  /** By CRS, x before y. */
  readonly bounds: Readonly<Record<string, Bounds>>;
  readonly styles: readonly string[];
  /** The supported media types. */
  readonly formats: readonly string[];
  /** The tiles of a WMTS layer. */
  readonly tiles?: RemoteTiles;
}

export interface RemoteTiles {
  readonly sets: readonly RemoteTileSet[];
  /** Tile address templates by media type; empty if tiles are requested with key-value pairs. */
  readonly templates: Readonly<Record<string, string>>;
  /** The default dimension values by name. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly info: RemoteTileInfo;
}

/** The ways in which a server returns the features at a pixel of a tile. */
export interface RemoteTileInfo {
  /** Address templates by media type. */
  readonly templates: Readonly<Record<string, string>>;
  /** The media types that can be requested with key-value pairs. */
  readonly formats: readonly string[];
  /** The address for key-value pairs. */
  readonly address: string | null;
}

export interface RemoteTileSet {
  readonly name: string;
  /** As sent by the remote server. */
  readonly system: string;
  readonly matrices: readonly RemoteTileMatrix[];
}

export interface RemoteTileMatrix {
  readonly name: string;
  readonly scaleDenominator: number;
  /** The upper left corner, in the axis order of the CRS under that name. */
  readonly corner: readonly [number, number];
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** All layer names, and one complete layer: thousands of layers with their inherited CRSs would fill the memory. */
export interface Capabilities {
  readonly names: readonly string[];
  /** The requested layer; null if it does not exist. */
  readonly layer: RemoteLayer | null;
}
