/** Builds requests for tiles of a cascaded WMTS layer, and for the features at a pixel of a tile. */

import type { RemoteLayer, RemoteTileMatrix, RemoteTileSet, RemoteTiles } from '../../cascade/capabilities.ts';
import type { SelectedTileInfo } from '../../cascade/select-tile-info.ts';
import { buildRequestUrl, type RemoteQuery } from '../../catalog/cascaded/remote-responses.ts';
import type { CascadedLayer } from '../../catalog/kinds/cascaded-layer.ts';
import type { CascadedStore } from '../../catalog/kinds/cascaded-store.ts';
import type { CascadeOptions } from './cascaded-source.ts';

export interface PublishedRemoteLayer {
  readonly store: CascadedStore;
  readonly layer: CascadedLayer;
  /** As described by the remote server. */
  readonly remote: RemoteLayer;
}

export interface AddressedTile {
  readonly set: RemoteTileSet;
  readonly matrix: RemoteTileMatrix;
  readonly row: number;
  readonly column: number;
}

/** A pixel of a tile, from its upper left corner. */
export interface TilePixel extends AddressedTile {
  readonly i: number;
  readonly j: number;
}

/** Servers that store no empty tiles answer with these statuses; the tile is transparent. */
export const MISSING_TILE_STATUSES: readonly number[] = [204, 404];

const imageFormats = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Uses the address templates of the remote server, or key-value pairs if it publishes none. */
export function createTileRequestBuilder(
  published: PublishedRemoteLayer,
  tiles: RemoteTiles,
  options: CascadeOptions,
): (tile: AddressedTile) => RemoteQuery {
  const { layer, style, format, values } = resolveTileParameters(published, tiles, options);
  const template = tiles.templates[format];
  return (tile) => {
    const place = formatTileAddress(tile);
    if (template === undefined) {
      const question = { Service: 'WMTS', Version: '1.0.0', Request: 'GetTile', Layer: layer.nativeName };
      return { ...values, ...question, Style: style, Format: format, ...place };
    }
    return fillTemplate(template, { ...values, style, ...place });
  };
}

export function createInfoRequestBuilder(
  published: PublishedRemoteLayer,
  tiles: RemoteTiles,
  options: CascadeOptions,
  { format: infoFormat, template }: SelectedTileInfo,
): (pixel: TilePixel, count: number) => RemoteQuery {
  const { layer, style, format, values } = resolveTileParameters(published, tiles, options);
  const { capabilitiesURL = '' } = published.store.parameters;
  return (pixel, count) => {
    const place = { ...formatTileAddress(pixel), J: `${pixel.j}`, I: `${pixel.i}` };
    if (template !== undefined) return fillTemplate(template, { ...values, style, InfoFormat: infoFormat, ...place });
    const question = { Service: 'WMTS', Version: '1.0.0', Request: 'GetFeatureInfo', Layer: layer.nativeName };
    // Not in the standard, but without it some servers return only one feature. Others ignore it.
    const limit = count > 1 ? { FEATURE_COUNT: `${count}` } : {};
    const pairs = { ...values, ...question, Style: style, Format: format, ...place, InfoFormat: infoFormat, ...limit };
    // A stored document does not accept parameters.
    const isDocument = /\.xml(\?|$)/i.test(capabilitiesURL);
    return isDocument && tiles.info.address !== null ? buildRequestUrl(tiles.info.address, pairs) : pairs;
  };
}

interface TileParameters {
  readonly layer: CascadedLayer;
  readonly style: string;
  readonly format: string;
  /** The values of dimensions and vendor parameters. */
  readonly values: Readonly<Record<string, string>>;
}

function resolveTileParameters(
  { layer, remote: { styles, formats } }: PublishedRemoteLayer,
  { templates, dimensions: usual }: RemoteTiles,
  { style, dimensions = {} }: CascadeOptions,
): TileParameters {
  const { forcedRemoteStyle, preferredFormat, vendorParameters } = layer;
  const wanted = [preferredFormat ?? '', ...imageFormats].filter((format) => imageFormats.includes(format));
  const known = [...formats, ...Object.keys(templates)];
  const requested = Object.entries(dimensions).map(([name, value]) => [name.toLowerCase(), value] as const);
  const values = Object.entries({ ...usual, ...vendorParameters }).map(([name, value]) => {
    const [, given] = requested.find(([each]) => each === name.toLowerCase()) ?? [];
    return [name, given ?? value] as const;
  });
  return {
    layer,
    style: forcedRemoteStyle || style || (styles[0] ?? ''),
    format: wanted.find((each) => known.includes(each)) ?? 'image/png',
    values: Object.fromEntries(values),
  };
}

function formatTileAddress({ set, matrix, row, column }: AddressedTile): Readonly<Record<string, string>> {
  return { TileMatrixSet: set.name, TileMatrix: matrix.name, TileRow: `${row}`, TileCol: `${column}` };
}

function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const encoded = new Map(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), encodeURIComponent(value)]),
  );
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => encoded.get(name.toLowerCase()) ?? '');
}
