/** Reads headers in threads, and ends threads that exceed the timeout. */

import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { findDriverForFile, netcdfDriver } from '../drivers.ts';
import type { MosaicDefinition } from './definition.ts';
import type { HarvestFile } from './harvested-files.ts';
import { type FileHeader, readMosaicHeadersTask } from './header-tasks.ts';
import type { NameMatcher } from './match-names.ts';

export interface HeaderOptions {
  readonly definition: MosaicDefinition;
  readonly defaultName: string;
  readonly pool: WorkerPool;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly maxFileMs?: number;
  readonly matcher: NameMatcher;
}

export interface HeaderResult {
  readonly file: HarvestFile;
  readonly header: FileHeader;
  readonly systems: readonly CrsReference[];
}

/** A hundred times what a large file takes on a slow disk. */
const MAX_FILE_MS = 30_000;

/** Returns whether reading it may have to be ended: such files are read one per task. */
export function shouldReadAlone({ name }: HarvestFile): boolean {
  return findDriverForFile(name)?.type === netcdfDriver.type;
}

/**
 * Returns headers in order. A file that takes too long or too much memory is reported in its place and does not affect
 * the others.
 */
export async function readHeaders(
  options: HeaderOptions,
  known: readonly string[],
  files: readonly HarvestFile[],
): Promise<readonly HeaderResult[]> {
  const { definition, defaultName, pool, signal, maxFileMs = MAX_FILE_MS } = options;
  const request = {
    definition,
    defaultName,
    now: options.now.toISOString(),
    known,
    files: files.map(({ path, name }) => ({ path, name })),
    matched: await options.matcher.match(
      files.map(({ name }) => name),
      signal,
    ),
  };
  const [only, ...others] = files;
  const isAlone = only !== undefined && others.length === 0;
  try {
    const deadlineMs = isAlone && shouldReadAlone(only) ? maxFileMs : null;
    const reply = await pool.run(readMosaicHeadersTask, request, { signal, deadlineMs });
    return files.map((file, index) => ({
      file,
      header: reply.files[index] ?? { reason: 'its header was not read' },
      systems: reply.systems,
    }));
  } catch (error) {
    if (!(error instanceof Problem) || (error.code !== 'work-too-slow' && error.code !== 'work-too-large')) throw error;
    const reason =
      error.code === 'work-too-slow'
        ? `reading its header exceeded the limit of ${maxFileMs} ms`
        : 'reading its header exceeded the memory limit';
    if (isAlone) return [{ file: only, header: { reason }, systems: [] }];
    const alone: HeaderResult[] = [];
    for (const file of files) alone.push(...(await readHeaders(options, known, [file])));
    return alone;
  }
}
