/** Converts between granules and table rows. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Bounds } from '../../../crs/bounds.ts';
import { computeGeometryBounds } from '../../../geometry/geometry-bounds.ts';
import { decodeWkb } from '../../../geometry/wkb-decode.ts';
import { encodeWkb } from '../../../geometry/wkb-encode.ts';
import { createRectangle, isRectangle } from '../port/footprint.ts';
import type { Granule, GranuleDraft, GranuleSchema, GranuleValue, GranuleValueType } from '../port/port.ts';
import { type Axis, listAxisDomains, listValueAttributes } from './index-table.ts';

export function computeDraftBounds({ footprint, location }: GranuleDraft): Bounds {
  const bounds = computeGeometryBounds(footprint);
  if (bounds === undefined) throw new Error(`The footprint of granule '${location}' is empty.`);
  return bounds;
}

/** In the order of `listRowColumns`. */
export function toRow(schema: GranuleSchema, draft: GranuleDraft, { minX, minY, maxX, maxY }: Bounds): SQLInputValue[] {
  const { location, imageindex, footprint, values } = draft;
  const isPlain = isRectangle(footprint, { minX, minY, maxX, maxY });
  return [
    location,
    imageindex,
    minX,
    minY,
    maxX,
    maxY,
    isPlain ? null : encodeWkb(footprint),
    ...listValueAttributes(schema).map(({ name, type }) => toStoredValue(values[name] ?? null, type)),
  ];
}

export function listRowColumns(schema: GranuleSchema): readonly string[] {
  const values = listValueAttributes(schema).map((_, at) => `v${at}`);
  return ['location', 'imageindex', 'minx', 'miny', 'maxx', 'maxy', 'footprint', ...values];
}

/** Selects the columns; a long is read as text because it may exceed the exact range of a number. */
export function writeSelectColumns(schema: GranuleSchema): string {
  const types = new Map(listValueAttributes(schema).map(({ type }, at) => [`v${at}`, type]));
  const columns = listRowColumns(schema).map((name) =>
    types.get(name) === 'long' ? `CAST(g.${name} AS TEXT)` : `g.${name}`,
  );
  return ['g.id', 'g.gid', ...columns].join(', ');
}

export function toStoredValue(value: GranuleValue, type: GranuleValueType): SQLInputValue {
  if (value === null || (typeof value === 'number' && Number.isNaN(value))) return null;
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return value.toWellFormed();
  return type === 'float' ? Math.fround(Number(value)) : value;
}

export function fromStoredValue(value: SQLOutputValue | undefined, type: GranuleValueType): GranuleValue {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'string':
      return String(value);
    case 'long':
      return toInteger(BigInt(String(value)));
    case 'date':
    case 'timestamp':
      return new Date(Number(value));
    default:
      return Number(value);
  }
}

function toInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reads an array row that was selected with `writeSelectColumns`. */
export function createGranuleReader(schema: GranuleSchema): (row: readonly SQLOutputValue[]) => Granule {
  const attributes = listValueAttributes(schema);
  return (row) => {
    const [_row, gid, location, imageindex, minX, minY, maxX, maxY, footprint, ...values] = row;
    const bounds = { minX: Number(minX), minY: Number(minY), maxX: Number(maxX), maxY: Number(maxY) };
    return {
      id: `${schema.name}.${gid}`,
      location: String(location),
      imageindex: Number(imageindex),
      footprint: footprint instanceof Uint8Array ? decodeWkb(footprint).geometry : createRectangle(bounds),
      values: Object.fromEntries(attributes.map(({ name, type }, at) => [name, fromStoredValue(values[at], type)])),
    };
  };
}

/** Returns the range of a draft along each axis. Null matches no condition and may have any position. */
export function computeSpans(domains: readonly (readonly string[])[], draft: GranuleDraft): readonly Span[] {
  return domains.map((attributes) => {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const name of attributes) {
      const value = draft.values[name] ?? null;
      const number = value === null ? Number.NaN : Number(value);
      if (number < least) least = number;
      if (number > greatest) greatest = number;
    }
    return least <= greatest ? { least, greatest } : { least: 0, greatest: 0 };
  });
}

export interface Span {
  readonly least: number;
  readonly greatest: number;
}

/** The default scale: one day equals one unit of x. */
const DEFAULT_FACTOR = 1 / 86_400_000;

/** Computes axes on which the drafts are as long as along x, because an R-tree splits its longest boxes. */
export function computeAxes(schema: GranuleSchema, drafts: readonly GranuleDraft[]): readonly Axis[] {
  const domains = listAxisDomains(schema);
  const spans = drafts.map((draft) => computeSpans(domains, draft));
  const x = mergeSpans(drafts.map(computeDraftBounds).map(({ minX, maxX }) => ({ least: minX, greatest: maxX })));
  return domains.map((_, at) => {
    const { least, greatest } = mergeSpans(spans.flatMap((each) => each[at] ?? []));
    const factor = (x.greatest - x.least) / (greatest - least);
    return {
      origin: Number.isFinite(least) ? least : 0,
      factor: Number.isFinite(factor) && factor > 0 ? factor : DEFAULT_FACTOR,
    };
  });
}

function mergeSpans(spans: readonly Span[]): Span {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    if (span.least < least) least = span.least;
    if (span.greatest > greatest) greatest = span.greatest;
  }
  return { least, greatest };
}

/**
 * Monotonic, so that conditions stay valid. Rounded to the precision of an R-tree: smaller values would be stored as
 * zero and no longer be found.
 */
export function toAxisValue(value: number, { origin, factor }: Axis): number {
  return Math.fround((value - origin) * factor);
}
