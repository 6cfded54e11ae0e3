/** FlatGeobuf: sorted and with an index where all features can be held, else one after the other as they come. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { problem } from '../../../lib/problem.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Dimension, Geometry } from '../../vector/geometry.ts';
import { geometryBounds } from '../../vector/geometry-bounds.ts';
import type { Feature } from '../../vector/port.ts';
import type { FeatureCollection, FeatureEncoder, FeatureSet } from '../port.ts';
import { isEmptyGeometry, writtenGeometry } from '../written-geometry.ts';
import { type FileHead, featureMessages, headMessage } from './feature-message.ts';
import { around, curveOrder, NODE_SIZE, packedIndex } from './packed-index.ts';

export const flatGeobuf: FeatureEncoder = { encode };

/** Version 3 of the format. */
const MAGIC = Buffer.from([0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62, 0x00]);

/** Beyond one of these features go out as they come: an index is worth less than memory. */
const MOST_HELD_BYTES = 33_554_432;
const MOST_HELD_FEATURES = 250_000;

const PIECE_BYTES = 65_536;

/** Features are some hundreds of bytes, or some thousands of positions. */
const WRITTEN_AT_ONCE = 500;

interface HeldFeature {
  readonly message: Buffer;
  /** What the head tells of all of them; undefined for one without a geometry. */
  readonly shape: Pick<Geometry, 'type' | 'dimension'> | undefined;
  readonly bounds: Bounds | undefined;
}

async function* encode({ sets }: FeatureCollection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const [set, other] = sets;
  if (set === undefined || other !== undefined) throw problem('format-of-one-type', { format: 'FlatGeobuf' });
  const { attributes, defaultGeometry } = set.description;
  const place = attributes.findIndex(({ name, kind }) => kind === 'geometry' && name === defaultGeometry);
  const messageOf = featureMessages(attributes);
  const written = (feature: Feature): HeldFeature => {
    const found = writtenGeometry(place < 0 ? null : feature.values[place]);
    const geometry = found === null || isEmptyGeometry(found) ? null : found;
    return {
      message: messageOf(feature, geometry),
      shape: geometry === null ? undefined : { type: geometry.type, dimension: geometry.dimension },
      bounds: geometry === null ? undefined : geometryBounds(geometry),
    };
  };
  const head = { name: set.typeName.local, attributes, crs: await resolveCrs(set.crs.reference) };

  const held: HeldFeature[] = [];
  const pieces = new Pieces();
  let heldBytes = 0;
  let isStreaming = false;
  for await (const batch of set.batches) {
    signal.throwIfAborted();
    for (const [index, feature] of batch.entries()) {
      // Nothing is sent yet, which would let others have their turn.
      if (index % WRITTEN_AT_ONCE === 0) await othersFirst();
      const each = written(feature);
      if (isStreaming) {
        pieces.add(each.message);
        if (pieces.isFull) yield pieces.take();
        continue;
      }
      held.push(each);
      heldBytes += each.message.length;
      if (heldBytes <= MOST_HELD_BYTES && held.length < MOST_HELD_FEATURES) continue;
      isStreaming = true;
      yield Buffer.concat([MAGIC, headMessage({ ...head, ...declaredShape(set), count: 0, indexNodeSize: 0 })]);
      for (const { message } of held.splice(0)) {
        pieces.add(message);
        if (pieces.isFull) yield pieces.take();
      }
    }
  }
  if (isStreaming) yield pieces.take();
  else yield* whole(held, head);
}

/** As the column says it. */
function declaredShape({
  description: { attributes, defaultGeometry },
}: FeatureSet): Pick<FileHead, 'geometryType' | 'hasHeights' | 'hasMeasures'> {
  const column = attributes.find(({ name }) => name === defaultGeometry);
  const dimension = column?.kind === 'geometry' ? column.dimension : 'XY';
  // Not every source keeps to the type of its column, and a reader believes the head.
  return { geometryType: undefined, hasHeights: dimension.includes('Z'), hasMeasures: dimension.includes('M') };
}

async function* whole(
  held: readonly HeldFeature[],
  head: Pick<FileHead, 'name' | 'attributes' | 'crs'>,
): AsyncGenerator<Uint8Array> {
  const shapes = held.flatMap(({ shape }) => shape ?? []);
  const types = new Set(shapes.map(({ type }) => type));
  const [type] = types;
  const boxes = held.flatMap(({ bounds }) => bounds ?? []);
  const bounds = boxes.length === 0 ? undefined : around(boxes);
  // Features of no place have none in the index.
  const isIndexed = bounds !== undefined && boxes.length === held.length;
  const order = isIndexed ? [...(await curveOrder(boxes, bounds))] : held.map((_, index) => index);
  const sorted = order.flatMap((index) => held[index] ?? []);
  const message = headMessage({
    ...head,
    geometryType: types.size === 1 ? type : undefined,
    ...axesOfAll(shapes.map(({ dimension }) => dimension)),
    ...(bounds === undefined ? {} : { bounds }),
    count: held.length,
    indexNodeSize: isIndexed ? NODE_SIZE : 0,
  });
  yield Buffer.concat([MAGIC, message]);
  if (isIndexed) {
    yield await packedIndex(
      order.flatMap((index) => boxes[index] ?? []),
      sorted.map((each) => each.message.length),
    );
  }
  const pieces = new Pieces();
  for (const each of sorted) {
    pieces.add(each.message);
    if (pieces.isFull) yield pieces.take();
  }
  yield pieces.take();
}

/** What the head promises, readers expect of every feature: heights that only some have are left where they are, unread. */
function axesOfAll(dimensions: readonly Dimension[]): Pick<FileHead, 'hasHeights' | 'hasMeasures'> {
  const all = (axis: 'Z' | 'M') => dimensions.length > 0 && dimensions.every((each) => each.includes(axis));
  return { hasHeights: all('Z'), hasMeasures: all('M') };
}

/** Messages, put together so that few pieces are handed on. */
class Pieces {
  #parts: Buffer[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= PIECE_BYTES;
  }

  add(message: Buffer): void {
    this.#parts.push(message);
    this.#bytes += message.length;
  }

  take(): Uint8Array {
    const piece = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return piece;
  }
}
