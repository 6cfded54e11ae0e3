/** A remote file as a raster file: reads synchronously through the main thread, in as few requests as possible. */
import { problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { requestRanges } from '../../remote/range-channel.ts';
import { BLOCK_BYTES, type FileRange } from '../../remote/remote-blocks.ts';
import { getRemoteFileName } from '../../remote/remote-url.ts';
import type { RasterFile } from '../port/raster-file.ts';

/** Announced ranges are read ahead in portions of this size. */
const MAX_PORTION_BYTES = 16_777_216;

/** The limit of one block of a file, which is in memory several times; usual blocks have less than a megabyte. */
const MAX_READ_BYTES = 67_108_864;

/** Small reads, of headers and of tables of offsets, are answered from pages. */
const SMALL_BYTES = 4_096;
const MAX_PAGES = 32;

export function openRemoteRasterFile(url: string, channel: RangeChannel): RasterFile {
  const name = getRemoteFileName(url);
  const pages = new Map<number, Uint8Array>();
  /** Ranges that will be read in this order, and those of them that have been loaded. */
  let announced: readonly FileRange[] = [];
  const loaded = new Map<number, Uint8Array>();
  const { sizeBytes } = requestRanges(channel, { url, ranges: [] });

  const request = (ranges: readonly FileRange[]) => requestRanges(channel, { url, ranges }).parts;

  const readFromPage = (position: number, length: number): Uint8Array | undefined => {
    const number = Math.floor(position / BLOCK_BYTES);
    const start = number * BLOCK_BYTES;
    if (position + length > start + BLOCK_BYTES) return undefined;
    let page = pages.get(number);
    if (page === undefined) {
      [page] = request([{ position: start, length: Math.min(BLOCK_BYTES, sizeBytes - start) }]);
      const [oldest] = pages.keys();
      if (oldest !== undefined && pages.size >= MAX_PAGES) pages.delete(oldest);
      if (page !== undefined) pages.set(number, page);
    }
    return page?.subarray(position - start, position - start + length);
  };

  /** Loads an announced range together with those after it. */
  const readAnnounced = (position: number, length: number): Uint8Array | undefined => {
    const index = announced.findIndex((each) => each.position === position && each.length === length);
    if (index < 0) return undefined;
    if (!loaded.has(position)) {
      const portion = takePortion(announced.slice(index));
      for (const [at, bytes] of request(portion).entries()) loaded.set(portion[at]?.position ?? 0, bytes);
      announced = announced.slice(index);
    }
    const bytes = loaded.get(position);
    loaded.delete(position);
    return bytes;
  };

  return {
    name,
    sizeBytes,
    announce(ranges) {
      loaded.clear();
      announced = ranges.filter(
        ({ position, length }) =>
          position >= 0 && length > 0 && length <= MAX_READ_BYTES && position + length <= sizeBytes,
      );
    },
    read(position, length) {
      if (!(position >= 0 && length >= 0 && position + length <= sizeBytes))
        throw problem('raster-file-truncated', { file: name, sizeBytes, expectedBytes: position + length });
      if (length > MAX_READ_BYTES) {
        const reason = `one of its blocks has ${length} bytes, and the limit for remote files is ${MAX_READ_BYTES}`;
        throw problem('raster-file-unsupported', { file: name, reason });
      }
      if (length === 0) return Buffer.alloc(0);
      const bytes =
        readAnnounced(position, length) ??
        (length <= SMALL_BYTES ? readFromPage(position, length) : undefined) ??
        request([{ position, length }])[0];
      if (bytes === undefined) throw new Error('A remote file returned no bytes.');
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    close() {
      pages.clear();
      loaded.clear();
    },
  };
}

/** Returns the first ranges up to the size of a portion, at least one. */
function takePortion(ranges: readonly FileRange[]): readonly FileRange[] {
  let bytes = 0;
  const end = ranges.findIndex(({ length }, index) => {
    bytes += length;
    return index > 0 && bytes > MAX_PORTION_BYTES;
  });
  return end < 0 ? ranges : ranges.slice(0, end);
}
