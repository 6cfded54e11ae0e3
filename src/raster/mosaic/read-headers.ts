/** Reads headers in threads, and ends threads that exceed the timeout. */

import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { RemoteBlocks } from '../../remote/remote-blocks.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import { runWithChannel } from '../../remote/run-with-channel.ts';
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
  readonly remoteBlocks: RemoteBlocks;
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
export function shouldReadAlone({ name, path }: HarvestFile): boolean {
  return parseRemoteUrl(path) === undefined && findDriverForFile(name)?.type === netcdfDriver.type;
}

/** Reads the heads of remote files first, several at a time, so that the thread does not wait for each. */
export async function readHeaders(
  options: HeaderOptions,
  known: readonly string[],
  files: readonly HarvestFile[],
): Promise<readonly HeaderResult[]> {
  const failed = await openRemoteFiles(options, files);
  const readable = files.filter((file) => !failed.has(file));
  const read = (readable.length === 0 ? [] : await readReachableHeaders(options, known, readable)).values();
  return files.map((file) => {
    const reason = failed.get(file);
    return reason === undefined ? takeNext(read) : { file, header: { reason }, systems: [] };
  });
}

function takeNext(results: Iterator<HeaderResult>): HeaderResult {
  const { value, done } = results.next();
  if (done === true) throw new Error('A header is missing.');
  return value;
}

const PARALLEL_OPENINGS = 8;

/** Returns the reason for each remote file that cannot be opened. */
async function openRemoteFiles(
  { remoteBlocks, signal }: HeaderOptions,
  files: readonly HarvestFile[],
): Promise<ReadonlyMap<HarvestFile, string>> {
  const failed = new Map<HarvestFile, string>();
  const remote = files.filter(({ path }) => parseRemoteUrl(path) !== undefined).values();
  const openNext = async () => {
    for (const file of remote) {
      try {
        await remoteBlocks.open(file.path, signal);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        failed.set(file, error.message.replace(/\.$/, ''));
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_OPENINGS }, openNext));
  return failed;
}

/**
 * Returns headers in order. A file that takes too long or too much memory is reported in its place and does not affect
 * the others.
 */
async function readReachableHeaders(
  options: HeaderOptions,
  known: readonly string[],
  files: readonly HarvestFile[],
): Promise<readonly HeaderResult[]> {
  const { definition, defaultName, pool, remoteBlocks, signal, maxFileMs = MAX_FILE_MS } = options;
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
    const paths = files.map(({ path }) => path);
    const reply = await runWithChannel(remoteBlocks, paths, signal, (sent) =>
      pool.run(readMosaicHeadersTask, { ...request, ...sent.input }, { signal, deadlineMs, ...sent.options }),
    );
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
    for (const file of files) alone.push(...(await readReachableHeaders(options, known, [file])));
    return alone;
  }
}
