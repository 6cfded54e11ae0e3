/** The indexes of shapefiles, built once per file version and cached in memory and in a folder. */
import type { Bounds } from '../../crs/bounds.ts';
import type { IndexFolder } from '../port/index-folder.ts';
import type { OpenedShapefile } from './opened-shapefile.ts';
import { packRecords, type RecordBoxes } from './pack-records.ts';
import { type RecordIndex, unpackIndex, WORD_BYTES } from './record-index.ts';
import { createWindow } from './shapes/file-window.ts';
import { NO_RECORD, readRecordPositions } from './shapes/record-positions.ts';
import { isBoxLoaded, loadBox, readLoadedBox } from './survey.ts';

export interface RecordIndexes {
  /** Returns the current index of a shapefile; concurrent callers share the work. */
  getIndex(opened: OpenedShapefile, signal: AbortSignal): Promise<RecordIndex>;
  /** Waits for pending writes to the cache. */
  waitForWrites(): Promise<void>;
}

/** For all indexes of a source in memory, about 24 bytes per record; the least recently used is evicted first. */
const MAX_KEPT_RECORDS = 2_000_000;

/** Without a folder every source builds its own. */
export function createIndexes(folder: IndexFolder | undefined): RecordIndexes {
  const kept = new Map<string, Promise<RecordIndex>>();
  const counts = new Map<string, number>();
  let keeping: Promise<void> | undefined;

  function evictOldest(newest: string): void {
    const sumCounts = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const oldest of kept.keys()) {
      if (oldest === newest || sumCounts() <= MAX_KEPT_RECORDS) return;
      kept.delete(oldest);
      counts.delete(oldest);
    }
  }

  async function find(opened: OpenedShapefile, version: string, signal: AbortSignal): Promise<RecordIndex> {
    const file = { path: opened.path, version };
    const read = await folder?.read(file);
    const known = read && unpackIndex(read);
    if (known !== undefined) return known;
    const bytes = await packRecords(await readRecords(opened, signal));
    const index = unpackIndex(bytes);
    if (index === undefined) throw new Error('The packed index is invalid.');
    // Callers do not wait for the write.
    keeping = folder?.write(file, bytes);
    return index;
  }

  return {
    async getIndex(opened, signal) {
      const version = [opened.name, opened.shp.version, opened.shx?.file.version].join();
      const known = kept.get(version);
      kept.delete(version);
      const making = known ?? find(opened, version, signal);
      kept.set(version, making);
      try {
        const index = await making;
        counts.set(version, index.count);
        evictOldest(version);
        return index;
      } catch (error) {
        if (kept.get(version) === making) kept.delete(version);
        // Another caller was building it and was aborted.
        if (known !== undefined && !signal.aborted) return find(opened, version, signal);
        throw error;
      }
    },
    waitForWrites: async () => keeping,
  };
}

const CHUNK_BYTES = 1_048_576;

async function readRecords({ shp, header, shx }: OpenedShapefile, signal: AbortSignal): Promise<RecordBoxes> {
  const window = createWindow(shp, CHUNK_BYTES);
  const words: Uint32Array[] = [];
  const boxes: Float32Array[] = [];
  let count = 0;
  for await (const positions of readRecordPositions(shp, header, shx)) {
    signal.throwIfAborted();
    const some = new Float32Array(positions.length * 4).fill(Number.NaN);
    for (const [index, position] of positions.entries()) {
      if (position === NO_RECORD || header.type === undefined) continue;
      if (!isBoxLoaded(window, position, header.type)) await loadBox(window, position, header.type);
      const box = readLoadedBox(window, position, header.type);
      if (box !== undefined) some.set(roundOutwards(box), index * 4);
    }
    words.push(Uint32Array.from(positions, (position) => position / WORD_BYTES));
    boxes.push(some);
    count += positions.length;
  }
  return {
    positions: joinArrays(words, new Uint32Array(count)),
    boxes: joinArrays(boxes, new Float32Array(count * 4)),
  };
}

function joinArrays<A extends Uint32Array | Float32Array>(parts: readonly A[], whole: A): A {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Half of the distance to the next float is less than this fraction. */
const ROUNDING = 2 ** -23;

/** Rounding to floats must not shrink the box. */
function roundOutwards({ minX, minY, maxX, maxY }: Bounds): readonly number[] {
  const roundDown = (value: number): number => value - Math.abs(value) * ROUNDING - 1e-38;
  const roundUp = (value: number): number => value + Math.abs(value) * ROUNDING + 1e-38;
  return [roundDown(minX), roundDown(minY), roundUp(maxX), roundUp(maxY)];
}
