/** Packs shapefile records for rendering: positions are copied from the file directly into long arrays. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { type FeatureBatch, LINES, POINTS, POLYGONS } from '../port/packed-features.ts';
import type { PackedAttributes, SourceQuery } from '../port/port.ts';
import { FeaturePacker, findDates } from '../support/pack-features.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { type BatchCollector, type RecordReaders, readRecords } from './read-features.ts';
import type { SelectedRecords } from './record-index.ts';
import { createFieldAttributes, GEOMETRY_NAME } from './schema.ts';
import { NO_RECORD, RECORD_HEADER_BYTES } from './shapes/record-positions.ts';

/** Whether packing supports the query: only box conditions are allowed. */
export function canPack(
  { filter, sort, start, offset, limit }: SourceQuery,
  { geometries }: PackedAttributes,
): boolean {
  const isWhole = filter === undefined || (isAboutBoxes(filter) && limit === undefined);
  const isPlain = sort === undefined && start === undefined && offset === undefined;
  return isWhole && isPlain && geometries.length === 1 && geometries[0] === GEOMETRY_NAME;
}

function isAboutBoxes(filter: ResolvedFilter): boolean {
  if (filter.kind === 'or' || filter.kind === 'and') return filter.filters.every(isAboutBoxes);
  return filter.kind === 'relation' && filter.byBoxes === true;
}

export function packShapes(
  opened: OpenedShapefile,
  { values, hasIds }: PackedAttributes,
  { records, limit }: { readonly records: SelectedRecords | undefined; readonly limit: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<FeatureBatch> {
  const query = {
    attributes: [GEOMETRY_NAME, ...values],
    ...(records === undefined ? {} : { records }),
    ...(limit === undefined ? {} : { limit }),
  };
  return readRecords(opened, query, (readers) => collectShapes(opened, readers, values, hasIds), signal);
}

function collectShapes(
  opened: OpenedShapefile,
  { shapes, decode, rows }: RecordReaders,
  values: readonly string[],
  hasIds: boolean,
): BatchCollector<FeatureBatch> {
  const { name, header } = opened;
  const packer = new FeaturePacker(values.length, hasIds, findDates(values, createFieldAttributes(opened)));
  const form = header.type?.form;

  /** Packs a single ring or line, as nearly all records have; returns false for others. */
  const packSingle = (position: number, end: number): boolean => {
    const { view, start } = shapes;
    const content = position - start + RECORD_HEADER_BYTES;
    const pointsAt = content + SINGLE_HEAD_BYTES;
    const length = end - start - pointsAt;
    if (length < 0 || view.getInt32(content, true) !== header.typeNumber) return false;
    if (view.getUint32(content + PARTS_AT, true) !== 1 || view.getUint32(content + FIRST_PART_AT, true) !== 0) {
      return false;
    }
    const points = view.getUint32(content + POINTS_AT, true);
    if (points === 0 || points * POINT_BYTES > length) return false;
    const isPolygon = form === 'polygon';
    const to = packer.startShape(isPolygon ? POLYGONS : LINES, 0, points, 1);
    const { ordinates } = packer;
    for (let index = 0, at = pointsAt; index < points * 2; index += 1, at += 8) {
      ordinates[to + index] = view.getFloat64(at, true);
    }
    packer.addRing(points, true);
    return true;
  };

  const packPoint = (position: number, end: number): boolean => {
    const { view, start } = shapes;
    const content = position - start + RECORD_HEADER_BYTES;
    if (end - start - content < POINT_BYTES + 4 || view.getInt32(content, true) !== header.typeNumber) return false;
    const [x, y] = [view.getFloat64(content + 4, true), view.getFloat64(content + 12, true)];
    if (Number.isNaN(x) || Number.isNaN(y)) return false;
    const to = packer.startShape(POINTS, 0, 1, 1);
    packer.ordinates[to] = x;
    packer.ordinates[to + 1] = y;
    packer.addRing(1, true);
    return true;
  };

  const packQuickly = { polygon: packSingle, polyline: packSingle, point: packPoint, multipoint: undefined };
  const quickly = form === undefined ? undefined : packQuickly[form];
  return {
    add(record, position, end) {
      packer.startFeature(hasIds ? `${name}.${record}` : '');
      for (const [column, each] of values.entries()) packer.addValue(column, rows?.readValue(record, each));
      if (end === NO_RECORD || quickly?.(position, end)) return;
      packer.addGeometry(decode(position, end) ?? undefined, 0);
    },
    get isEmpty() {
      return packer.isEmpty;
    },
    get isFull() {
      return packer.isFull;
    },
    flush: () => packer.flush(),
  };
}

/** The offset of the points in a record with one part: type, box, both counts and the first part. */
const PARTS_AT = 36;
const POINTS_AT = 40;
const FIRST_PART_AT = 44;
const SINGLE_HEAD_BYTES = 48;

const POINT_BYTES = 16;
