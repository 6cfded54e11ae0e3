/** Writes and reads small FlatGeobuf files for tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flatGeobuf } from '../../src/formats/flatgeobuf/flatgeobuf.ts';
import { openFlatgeobufFile } from '../../src/vector/flatgeobuf/flatgeobuf-source.ts';
import type { Feature, FeatureTypeDescription } from '../../src/vector/port/port.ts';
import {
  column,
  createCollection,
  encodeBytes,
  geometryColumn,
  type MadeUpSet,
  never,
  wkt,
} from './feature-collections.ts';

export const flatPlaces: MadeUpSet = {
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [
    [wkt('POINT (7 50)'), 'Bonn'],
    [wkt('POINT (10 53.5)'), 'Hamburg'],
  ],
};

export const flatParcels: MadeUpSet = {
  attributes: [geometryColumn('Polygon', 'EPSG:25832'), column('name', 'string')],
  rows: ['Weg', 'Straße', 'Platz'].map((name, index) => {
    const at = index * 10;
    return [wkt(`POLYGON ((${at} ${at}, ${at + 1} ${at}, ${at + 1} ${at + 1}, ${at} ${at}))`), name];
  }),
};

export async function encodeFlatgeobuf(set: MadeUpSet): Promise<Buffer> {
  return Buffer.from(await encodeBytes(flatGeobuf, createCollection([set])));
}

export interface ReadFile {
  readonly description: FeatureTypeDescription;
  readonly features: readonly Feature[];
  /** The values of an attribute, in file order. */
  listValues(attribute: string): readonly unknown[];
}

/** Reads a file as the store does. */
export async function readFlatgeobuf(bytes: Uint8Array): Promise<ReadFile> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-flatgeobuf-'));
  try {
    const path = join(folder, 'file.fgb');
    await writeFile(path, bytes);
    const source = openFlatgeobufFile(path);
    const description = await source.describe('file', never);
    if (description === undefined) throw new Error('The type is missing.');
    const features: Feature[] = [];
    for await (const batch of source.read('file', {}, never)) features.push(...batch);
    await source.close();
    const findPlace = (name: string) => description.attributes.findIndex((each) => each.name === name);
    return {
      description,
      features,
      listValues: (attribute) => features.map(({ values }) => values[findPlace(attribute)]),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Moves the features of an indexed file to one without index; without their number if `isCounted` is false. */
export function removeIndex(bytes: Buffer, isCounted = true): Buffer {
  const headerEnd = 12 + bytes.readUInt32LE(8);
  const head = Buffer.from(bytes.subarray(0, headerEnd));
  const root = 12 + head.readUInt32LE(12);
  const layout = root - head.readInt32LE(root);
  const findField = (id: number) => root + head.readUInt16LE(layout + 4 + id * 2);
  const count = Number(head.readBigUInt64LE(findField(8)));
  const nodeSize = head.readUInt16LE(findField(9));
  // The writer adds no index if a geometry is empty.
  if (nodeSize === 0 && isCounted) return bytes;
  if (nodeSize === 0) throw new Error('The file has no index.');
  head.writeUInt16LE(0, findField(9));
  if (!isCounted) head.writeBigUInt64LE(0n, findField(8));
  let nodes = count;
  for (let level = count; level > 1 || nodes === count; ) {
    level = Math.ceil(level / nodeSize);
    nodes += level;
    if (level === 1) break;
  }
  return Buffer.concat([head, bytes.subarray(headerEnd + nodes * 40)]);
}
