/** The tasks of a raster source in a thread. */
import type { Transferable } from 'node:worker_threads';
import type { RangeChannel } from '../../remote/channel.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import { openRasterSource } from '../drivers.ts';
import type { CoverageDescription, CoverageSummary, RasterSource, RasterWindow, WindowRequest } from '../port/port.ts';

/** The address of a source; the main thread has already checked access to its file. */
export interface SourceAddress {
  /** The type of its driver. */
  readonly type: string;
  /** Or a URL. */
  readonly path: string;
  /** Reads the URL. */
  readonly channel?: RangeChannel;
}

const module = import.meta.url;

interface CoverageInput {
  readonly source: SourceAddress;
  readonly name: string;
}

export const listCoveragesTask: Task<SourceAddress, readonly CoverageSummary[]> = {
  module,
  name: 'listCoverages',
  work: listCoverages,
};
export const describeCoverageTask: Task<CoverageInput, CoverageDescription | undefined> = {
  module,
  name: 'describeCoverage',
  work: describeCoverage,
};
export const readWindowTask: Task<CoverageInput & { readonly request: WindowRequest }, RasterWindow> = {
  module,
  name: 'readWindow',
  work: readWindow,
};
/** To abort, the pool ends the thread. */
const neverAborted = new AbortController().signal;

export function listCoverages(source: SourceAddress): Promise<readonly CoverageSummary[]> {
  return withSource(source, (opened) => opened.listCoverages(neverAborted));
}

export function describeCoverage({ source, name }: CoverageInput): Promise<CoverageDescription | undefined> {
  return withSource(source, (opened) => opened.describe(name, neverAborted));
}

/** Samples are transferred, not copied. */
export function readWindow(input: CoverageInput & { readonly request: WindowRequest }): Promise<RasterWindow> {
  return withSource(input.source, async (opened) => {
    const window = await opened.read(input.name, input.request, neverAborted);
    return markTransferable(window, collectBuffers(window));
  });
}

async function withSource<T>(address: SourceAddress, work: (source: RasterSource) => Promise<T>): Promise<T> {
  const source = await openRasterSource(address, address.channel);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

function collectBuffers(window: RasterWindow): readonly Transferable[] {
  const arrays = window.bands.flatMap(({ samples, mask }) => (mask === undefined ? [samples] : [samples, mask]));
  // A slice of a Node.js buffer pool cannot be transferred; it is small and copied.
  const whole = arrays.filter((array) => array.byteLength === array.buffer.byteLength);
  return [...new Set(whole.map((array) => array.buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}
