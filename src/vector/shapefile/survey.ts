/**
 * Determines what the header of a shapefile lacks: the number of records, their bounds, and whether they have
 * measures.
 */

import type { Bounds } from '../../crs/bounds.ts';
import type { Dimension } from '../../geometry/geometry.ts';
import { mergeBounds } from '../../geometry/geometry-bounds.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { createWindow, type FileWindow } from './shapes/file-window.ts';
import { getRecordEnd, NO_RECORD, RECORD_HEADER_BYTES, readRecordPositions } from './shapes/record-positions.ts';
import { NO_MEASURE, NULL_SHAPE, type ShapeType } from './shapes/shape-types.ts';

/** Larger shapes are rejected to protect memory. */
const MAX_RECORD_BYTES = 268_435_456;

const CHUNK_BYTES = 262_144;

export interface Survey {
  /** Includes deleted records, which only the table marks. */
  readonly count: number;
  readonly bounds: Bounds | undefined;
}

/** Validates the whole index; reads the shapes only if the header has no valid bounds. */
export async function surveyRecords(opened: OpenedShapefile, signal: AbortSignal): Promise<Survey> {
  const { shp, header, shx } = opened;
  const window = createWindow(shp, CHUNK_BYTES);
  let count = 0;
  let found: Bounds | undefined;
  for await (const positions of readRecordPositions(shp, header, shx)) {
    signal.throwIfAborted();
    count += positions.length;
    if (header.bounds !== undefined || header.type === undefined) continue;
    for (const position of positions) {
      if (position === NO_RECORD) continue;
      const box = await readBox(window, position, header.type);
      if (box !== undefined) found = mergeBounds(found, box);
    }
  }
  return { count, bounds: count === 0 ? undefined : (header.bounds ?? found) };
}

/** Measures are optional in Z types; the first shape decides, as in GDAL. */
export async function readDimension(opened: OpenedShapefile, signal: AbortSignal): Promise<Dimension> {
  const { shp, header, shx } = opened;
  const { type } = header;
  if (type === undefined || !(type.hasZ || type.hasM)) return 'XY';
  if (!type.hasZ) return 'XYM';
  const window = createWindow(shp, CHUNK_BYTES);
  for await (const positions of readRecordPositions(shp, header, shx)) {
    signal.throwIfAborted();
    for (const position of positions) {
      if (position === NO_RECORD) continue;
      const end = await loadRecord(window, position);
      const content = position - window.start + RECORD_HEADER_BYTES;
      if (end - position < RECORD_HEADER_BYTES + 4 || window.view.getInt32(content, true) === NULL_SHAPE) continue;
      return hasMeasures(window, content, end - window.start, type) ? 'XYZM' : 'XYZ';
    }
  }
  return 'XYZ';
}

/** Loads a whole record and returns its end. */
export async function loadRecord(window: FileWindow, position: number): Promise<number> {
  if (!window.isLoaded(position, RECORD_HEADER_BYTES)) await window.load(position, RECORD_HEADER_BYTES);
  const end = getRecordEnd(window, position);
  if (end - position > MAX_RECORD_BYTES) {
    throw problem('vector-file-unsupported', {
      file: window.file.name,
      reason: `the shape at byte ${position} has ${end - position} bytes, which exceeds the limit of ${MAX_RECORD_BYTES} bytes`,
    });
  }
  if (!window.isLoaded(position, end - position)) await window.load(position, end - position);
  return end;
}

/** Measures are last and can be missing. */
function hasMeasures(window: FileWindow, content: number, end: number, type: ShapeType): boolean {
  const { view } = window;
  const countAt = content + (type.form === 'multipoint' ? 36 : 40);
  const isPoint = type.form === 'point';
  if (!isPoint && countAt + 4 > end) return false;
  const count = isPoint ? 1 : view.getUint32(countAt, true);
  const partBytes = isPoint || type.form === 'multipoint' ? 0 : view.getUint32(countAt - 4, true) * 4;
  const measuresAt = isPoint ? content + 28 : countAt + 4 + partBytes + count * 24 + 32;
  if (measuresAt + count * 8 > end) return false;
  for (let index = 0; index < count; index += 1) {
    if (view.getFloat64(measuresAt + index * 8, true) > NO_MEASURE) return true;
  }
  return false;
}

/** Returns the box at the start of a record, or its point; undefined without a shape. */
export async function readBox(window: FileWindow, position: number, type: ShapeType): Promise<Bounds | undefined> {
  if (!isBoxLoaded(window, position, type)) await loadBox(window, position, type);
  return readLoadedBox(window, position, type);
}

/** Nearly always true: a synchronous path halves the time to build an index. */
export function isBoxLoaded(window: FileWindow, position: number, type: ShapeType): boolean {
  return window.isLoaded(position, getBoxEndBytes(type));
}

/** Returns the box of a record that is loaded as far as it exists. */
export function readLoadedBox(window: FileWindow, position: number, type: ShapeType): Bounds | undefined {
  if (getRecordEnd(window, position) - position < getBoxEndBytes(type)) return undefined;
  const { view } = window;
  const content = position - window.start + RECORD_HEADER_BYTES;
  if (view.getInt32(content, true) === NULL_SHAPE) return undefined;
  const [minX, minY] = [view.getFloat64(content + 4, true), view.getFloat64(content + 12, true)];
  const isPoint = type.form === 'point';
  const maxX = isPoint ? minX : view.getFloat64(content + 20, true);
  const maxY = isPoint ? minY : view.getFloat64(content + 28, true);
  const isPlaced = Number.isFinite(minX) && Number.isFinite(minY) && Number.isFinite(maxX) && Number.isFinite(maxY);
  return isPlaced ? { minX, minY, maxX, maxY } : undefined;
}

export async function loadBox(window: FileWindow, position: number, type: ShapeType): Promise<void> {
  if (!window.isLoaded(position, RECORD_HEADER_BYTES)) await window.load(position, RECORD_HEADER_BYTES);
  const needed = getBoxEndBytes(type);
  if (getRecordEnd(window, position) - position >= needed && !isBoxLoaded(window, position, type))
    await window.load(position, needed);
}

/** The number of bytes from the start of a record to the end of its box. */
function getBoxEndBytes({ form }: ShapeType): number {
  return RECORD_HEADER_BYTES + 4 + (form === 'point' ? 16 : 32);
}
