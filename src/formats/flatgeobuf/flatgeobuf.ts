/** FlatGeobuf encoder: sorted with an index if all features fit into memory, otherwise streamed. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Bounds } from '../../crs/bounds.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Dimension, Geometry } from '../../geometry/geometry.ts';
import { computeGeometryBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../../vector/port/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port/port.ts';
import { isEmptyGeometry, toWritableGeometry } from '../writing/writable-geometry.ts';
import { createFeatureEncoder, encodeHead, type FileHead } from './feature-message.ts';
import { buildPackedIndex, computeCurveOrder, mergeBoxes, NODE_SIZE } from './packed-index.ts';

export const flatGeobuf: FeatureEncoder = { encode };

/** Version 3 of the format. */
const MAGIC = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62, 0x00]);

/** Beyond one of these limits features are streamed without an index. */
const MAX_BUFFERED_BYTES = 33_554_432;
const MAX_BUFFERED_FEATURES = 250_000;

const PIECE_BYTES = 65_536;

/** Features have hundreds of bytes, or thousands of positions. */
const WRITTEN_AT_ONCE = 500;

interface BufferedFeature {
  readonly message: Buffer;
  /** The header describes the type of all features; undefined for a feature without a geometry. */
  readonly shape: Pick<Geometry, 'type' | 'dimension'> | undefined;
  readonly bounds: Bounds | undefined;
}

async function* encode({ sets }: FeatureCollection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [set, other] = sets;
  if (set === undefined || other !== undefined) throw problem('format-of-one-type', { format: 'FlatGeobuf' });
  const { attributes, defaultGeometry } = set.description;
  const place = attributes.findIndex(({ name, kind }) => kind === 'geometry' && name === defaultGeometry);
  const encodeFeature = createFeatureEncoder(attributes);
  const toBufferedFeature = (feature: Feature): BufferedFeature => {
    const found = toWritableGeometry(place < 0 ? null : feature.values[place]);
    const geometry = found === null || isEmptyGeometry(found) ? null : found;
    return {
      message: encodeFeature(feature, geometry),
      shape: geometry === null ? undefined : { type: geometry.type, dimension: geometry.dimension },
      bounds: geometry === null ? undefined : computeGeometryBounds(geometry),
    };
  };
  const head = { name: set.typeName.local, attributes, crs: await resolveCrs(set.crs.reference) };

  const held: BufferedFeature[] = [];
  const pieces = new ChunkBuffer();
  let heldBytes = 0;
  let isStreaming = false;
  for await (const batch of set.batches) {
    signal.throwIfAborted();
    for (const [index, feature] of batch.entries()) {
      // Yields to other requests, because nothing is sent yet.
      if (index % WRITTEN_AT_ONCE === 0) await othersFirst();
      const each = toBufferedFeature(feature);
      if (isStreaming) {
        pieces.add(each.message);
        if (pieces.isFull) yield pieces.flush();
        continue;
      }
      held.push(each);
      heldBytes += each.message.length;
      if (heldBytes <= MAX_BUFFERED_BYTES && held.length < MAX_BUFFERED_FEATURES) continue;
      isStreaming = true;
      yield Buffer.concat([MAGIC, encodeHead({ ...head, ...readDeclaredShape(set), count: 0, indexNodeSize: 0 })]);
      for (const { message } of held.splice(0)) {
        pieces.add(message);
        if (pieces.isFull) yield pieces.flush();
      }
    }
  }
  if (isStreaming) yield pieces.flush();
  else yield* encodeIndexed(held, head);
}

/** Returns the type that the column declares. */
function readDeclaredShape({
  description: { attributes, defaultGeometry },
}: FeatureSet): Pick<FileHead, 'geometryType' | 'hasHeights' | 'hasMeasures'> {
  const column = attributes.find(({ name }) => name === defaultGeometry);
  const dimension = column?.kind === 'geometry' ? column.dimension : 'XY';
  // Not every source adheres to its column type, and readers trust the header.
  return { geometryType: undefined, hasHeights: dimension.includes('Z'), hasMeasures: dimension.includes('M') };
}

async function* encodeIndexed(
  held: readonly BufferedFeature[],
  head: Pick<FileHead, 'name' | 'attributes' | 'crs'>,
): AsyncGenerator<Uint8Array> {
  const shapes = held.flatMap(({ shape }) => shape ?? []);
  const types = new Set(shapes.map(({ type }) => type));
  const [type] = types;
  const boxes = held.flatMap(({ bounds }) => bounds ?? []);
  const bounds = boxes.length === 0 ? undefined : mergeBoxes(boxes);
  // Features without a geometry have no entry in the index.
  const isIndexed = bounds !== undefined && boxes.length === held.length;
  const order = isIndexed ? [...(await computeCurveOrder(boxes, bounds))] : held.map((_, index) => index);
  const sorted = order.flatMap((index) => held[index] ?? []);
  const message = encodeHead({
    ...head,
    geometryType: types.size === 1 ? type : undefined,
    ...findCommonAxes(shapes.map(({ dimension }) => dimension)),
    ...(bounds === undefined ? {} : { bounds }),
    count: held.length,
    indexNodeSize: isIndexed ? NODE_SIZE : 0,
  });
  yield Buffer.concat([MAGIC, message]);
  if (isIndexed) {
    yield await buildPackedIndex(
      order.flatMap((index) => boxes[index] ?? []),
      sorted.map((each) => each.message.length),
    );
  }
  const pieces = new ChunkBuffer();
  for (const each of sorted) {
    pieces.add(each.message);
    if (pieces.isFull) yield pieces.flush();
  }
  yield pieces.flush();
}

/** Readers expect the declared axes in every feature, so heights that only some features have are not declared. */
function findCommonAxes(dimensions: readonly Dimension[]): Pick<FileHead, 'hasHeights' | 'hasMeasures'> {
  const isInAll = (axis: 'Z' | 'M') => dimensions.length > 0 && dimensions.every((each) => each.includes(axis));
  return { hasHeights: isInAll('Z'), hasMeasures: isInAll('M') };
}

/** Collects messages into larger chunks. */
class ChunkBuffer {
  #parts: Buffer[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= PIECE_BYTES;
  }

  add(message: Buffer): void {
    this.#parts.push(message);
    this.#bytes += message.length;
  }

  flush(): Uint8Array {
    const piece = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return piece;
  }
}
