/** What a thread does for a raster source on the main thread: one call, or the headers of many files. */
import type { Transferable } from 'node:worker_threads';
import { Problem } from '../../../lib/problem.ts';
import { type CarriedProblem, packProblem } from '../../../workers/carried-problem.ts';
import { handOver } from '../../../workers/hand-over.ts';
import type { Task } from '../../../workers/task.ts';
import { driverForFile, rasterDrivers } from '../drivers.ts';
import type { CoverageDescription, CoverageSummary, RasterSource, RasterWindow, WindowRequest } from '../port.ts';

/** Which source is meant; the main thread has already asked whether its file may be used. */
export interface SourceAddress {
  /** The type of its driver. */
  readonly type: string;
  readonly path: string;
}

/** What is known of a file from its headers, or why that cannot be known. */
export type FileHeaders =
  | { readonly path: string; readonly type: string; readonly coverages: readonly CoverageDescription[] }
  | { readonly path: string; readonly problem: CarriedProblem };

const module = import.meta.url;

interface NamedCall {
  readonly source: SourceAddress;
  readonly name: string;
}

export const listingCoverages: Task<SourceAddress, readonly CoverageSummary[]> = {
  module,
  name: 'listCoverages',
  work: listCoverages,
};
export const describingCoverage: Task<NamedCall, CoverageDescription | undefined> = {
  module,
  name: 'describeCoverage',
  work: describeCoverage,
};
export const readingWindow: Task<NamedCall & { readonly request: WindowRequest }, RasterWindow> = {
  module,
  name: 'readWindow',
  work: readWindow,
};
export const readingHeaders: Task<readonly string[], readonly FileHeaders[]> = {
  module,
  name: 'readHeaders',
  work: readHeaders,
};

/** Who does not want to wait any more ends the thread. */
const never = new AbortController().signal;

export function listCoverages(source: SourceAddress): Promise<readonly CoverageSummary[]> {
  return withSource(source, (opened) => opened.listCoverages(never));
}

export function describeCoverage({ source, name }: NamedCall): Promise<CoverageDescription | undefined> {
  return withSource(source, (opened) => opened.describe(name, never));
}

/** The samples change hands: they are not copied. */
export function readWindow(input: NamedCall & { readonly request: WindowRequest }): Promise<RasterWindow> {
  return withSource(input.source, async (opened) => {
    const window = await opened.read(input.name, input.request, never);
    return handOver(window, buffersOf(window));
  });
}

export async function readHeaders(paths: readonly string[]): Promise<readonly FileHeaders[]> {
  const headers: FileHeaders[] = [];
  for (const path of paths) headers.push(await headersOf(path));
  return headers;
}

async function headersOf(path: string): Promise<FileHeaders> {
  const driver = driverForFile(path);
  try {
    if (driver === undefined) return { path, type: '', coverages: [] };
    const coverages = await withSource({ type: driver.type, path }, async (opened) => {
      const described: CoverageDescription[] = [];
      for (const { name } of await opened.listCoverages(never)) {
        const description = await opened.describe(name, never);
        if (description !== undefined) described.push(description);
      }
      return described;
    });
    return { path, type: driver.type, coverages };
  } catch (error) {
    if (error instanceof Problem) return { path, problem: packProblem(error) };
    throw error;
  }
}

async function withSource<T>({ type, path }: SourceAddress, work: (source: RasterSource) => Promise<T>): Promise<T> {
  const driver = rasterDrivers.find((each) => each.type === type);
  if (driver === undefined) throw new Error(`There is no raster driver '${type}'.`);
  const source = await driver.open(path);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

function buffersOf(window: RasterWindow): readonly Transferable[] {
  const arrays = window.bands.flatMap(({ samples, mask }) => (mask === undefined ? [samples] : [samples, mask]));
  // One that lies in a pool of Node's cannot be given away; it is small, and copied.
  const whole = arrays.filter((array) => array.byteLength === array.buffer.byteLength);
  return [...new Set(whole.map((array) => array.buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}
