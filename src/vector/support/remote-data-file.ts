/** A file on another server as a data file: reads through the main thread, in as few requests as possible. */
import { problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { requestRanges } from '../../remote/range-channel.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import { checkWithin, type DataFile } from './data-file.ts';

/** The limit of one read, which is in memory several times. */
const MAX_READ_BYTES = 67_108_864;

/** Announced ranges are loaded together up to this size; the others are loaded when they are read. */
const MAX_ANNOUNCED_BYTES = 16_777_216;

/** Every request reads at least this much, and more while reads follow each other. */
const FIRST_WINDOW_BYTES = 32_768;
const LAST_WINDOW_BYTES = 2_097_152;

/** The distance up to which a read follows the one before. */
const MAX_SKIPPED_BYTES = 65_536;

/** The windows in memory besides announced ranges: the header, the index and the place that is being read. */
const MAX_WINDOWS = 8;

interface Part {
  readonly position: number;
  readonly bytes: Uint8Array;
}

export function openRemoteDataFile(url: string, channel: RangeChannel): DataFile {
  const { sizeBytes, version } = requestRanges(channel, { url, ranges: [] });
  return new RemoteDataFile(url, channel, { sizeBytes, version });
}

class RemoteDataFile implements DataFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly version: string;
  readonly isRemote = true;
  readonly #url: string;
  readonly #channel: RangeChannel;
  #announced: readonly Part[] = [];
  #windows: readonly Part[] = [];
  #lastEnd = -1;
  #windowBytes = FIRST_WINDOW_BYTES;

  constructor(url: string, channel: RangeChannel, file: Pick<DataFile, 'sizeBytes' | 'version'>) {
    this.name = getRemoteFileName(url);
    this.sizeBytes = file.sizeBytes;
    this.version = file.version;
    this.#url = url;
    this.#channel = channel;
  }

  async readInto(target: Uint8Array, position: number): Promise<void> {
    checkWithin(this, position, target.length);
    if (target.length === 0) return;
    const part = this.#find(position, target.length) ?? this.#load(position, target.length);
    target.set(part.bytes.subarray(position - part.position, position - part.position + target.length));
    this.#lastEnd = position + target.length;
  }

  announce(ranges: readonly { readonly position: number; readonly length: number }[]): void {
    const missing = joinRanges(ranges.filter(({ position, length }) => this.#find(position, length) === undefined));
    const total = missing.reduce((sum, { length }) => sum + length, 0);
    if (missing.length === 0 || total > MAX_ANNOUNCED_BYTES) return;
    const kept = this.#announced.filter(({ position, bytes }) =>
      ranges.some((range) => range.position >= position && range.position < position + bytes.length),
    );
    const parts = this.#request(missing);
    this.#announced = [...kept, ...parts];
  }

  async close(): Promise<void> {
    this.#announced = [];
    this.#windows = [];
  }

  #find(position: number, length: number): Part | undefined {
    const contains = (part: Part) =>
      position >= part.position && position + length <= part.position + part.bytes.length;
    return this.#announced.find(contains) ?? this.#windows.find(contains);
  }

  #load(position: number, length: number): Part {
    if (length > MAX_READ_BYTES) {
      const reason = `a part of it has ${length} bytes, and the limit for remote files is ${MAX_READ_BYTES}`;
      throw problem('vector-file-unsupported', { file: this.name, reason });
    }
    const isNext = position >= this.#lastEnd && position - this.#lastEnd <= MAX_SKIPPED_BYTES;
    this.#windowBytes = isNext ? Math.min(this.#windowBytes * 2, LAST_WINDOW_BYTES) : FIRST_WINDOW_BYTES;
    const wanted = Math.min(Math.max(length, this.#windowBytes), this.sizeBytes - position);
    const [part] = this.#request([{ position, length: wanted }]);
    if (part === undefined) throw new Error('A remote file returned no bytes.');
    this.#windows = [part, ...this.#windows].slice(0, MAX_WINDOWS);
    return part;
  }

  #request(ranges: readonly { readonly position: number; readonly length: number }[]): readonly Part[] {
    const { parts } = requestRanges(this.#channel, { url: this.#url, ranges });
    return ranges.flatMap(({ position }, index) => {
      const bytes = parts[index];
      return bytes === undefined ? [] : [{ position, bytes }];
    });
  }
}

/** Joins ranges that overlap or touch. */
function joinRanges(ranges: readonly { readonly position: number; readonly length: number }[]) {
  const joined: { position: number; length: number }[] = [];
  for (const { position, length } of ranges.toSorted((one, other) => one.position - other.position)) {
    const last = joined.at(-1);
    if (last !== undefined && position <= last.position + last.length)
      last.length = Math.max(last.length, position + length - last.position);
    else joined.push({ position, length });
  }
  return joined;
}
