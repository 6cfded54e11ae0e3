/** Takes a layer out of a stored tile without decoding its features. */

import type { SourceTile } from '../port/port.ts';
import { MessageReader } from './message-reader.ts';
import type { TileArchive } from './model/tile-archive.ts';
import { unpackTile } from './model/unpack-tile.ts';
import { findExactTile } from './tile-pixels.ts';
import type { ArchiveType } from './tile-types.ts';

const WEB_MERCATOR_NUMBER = 3857;

/** The number of the layers of a tile, with the wire type of bytes. */
const LAYER_TAG = 3 * 8 + 2;

/** The number of the name of a layer, with the wire type of bytes. */
const NAME_TAG = 1 * 8 + 2;

/** Returns undefined if the request is for other features, other attributes or another tile than the stored ones. */
export function readStoredLayer(archive: TileArchive, type: ArchiveType, wanted: SourceTile): Uint8Array | undefined {
  const { frame, geometry, filter, attributes, limit } = wanted;
  if (filter !== undefined || frame.epsg !== WEB_MERCATOR_NUMBER || geometry.epsg !== WEB_MERCATOR_NUMBER)
    return undefined;
  if (attributes.length !== type.fields.length || attributes.some(({ name, as }) => name !== as)) return undefined;
  const position = findExactTile(frame.bounds);
  const { minZoom, maxZoom } = archive.info;
  if (position === undefined || position.zoom < minZoom || position.zoom > maxZoom) return undefined;
  const stored = archive.readTile(position);
  if (stored === undefined || stored.bytes.length === 0) return new Uint8Array();
  const tile = unpackTile(stored);
  const reader = new MessageReader(tile);
  while (reader.next()) {
    if (reader.field !== 3) {
      reader.skip();
      continue;
    }
    const layer = reader.readBytes();
    const { name, nameStart, nameEnd, featureCount } = inspectLayer(layer);
    if (name !== type.name) continue;
    return featureCount > limit ? undefined : writeLayer(layer, { nameStart, nameEnd }, wanted.layer);
  }
  return new Uint8Array();
}

function inspectLayer(layer: Uint8Array) {
  let [name, nameStart, nameEnd, featureCount] = ['', 0, 0, 0];
  const reader = new MessageReader(layer);
  for (let start = 0; reader.next(); start = reader.position) {
    if (reader.field === 1) {
      name = Buffer.from(reader.readBytes()).toString('utf8');
      [nameStart, nameEnd] = [start, reader.position];
    } else {
      if (reader.field === 2) featureCount += 1;
      reader.skip();
    }
  }
  return { name, nameStart, nameEnd, featureCount };
}

function writeLayer(
  layer: Uint8Array,
  { nameStart, nameEnd }: { readonly nameStart: number; readonly nameEnd: number },
  name: string,
): Uint8Array {
  const text = Buffer.from(name);
  const content = [
    layer.subarray(0, nameStart),
    Buffer.from([NAME_TAG, ...encodeVarint(text.length)]),
    text,
    layer.subarray(nameEnd),
  ];
  const length = content.reduce((sum, part) => sum + part.length, 0);
  // A buffer of its own can be transferred between threads.
  return new Uint8Array(Buffer.concat([Buffer.from([LAYER_TAG, ...encodeVarint(length)]), ...content]));
}

function encodeVarint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeVarint(Math.floor(value / 128))];
}
