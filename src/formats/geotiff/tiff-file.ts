/** Joins compressed levels and their directories to a file, in the order of a cloud-optimized GeoTIFF. */
import { listEntries, type StripedRaster, tags, type WrittenLevel } from './level-entries.ts';
import { type Entry, measureDirectory, writeDirectory } from './tiff-directory.ts';

const FILE_HEAD_BYTES = 8;

/** Directories precede the content, whose offsets follow from their lengths. The largest level comes last. */
export async function writeFile(raster: StripedRaster, levels: readonly WrittenLevel[]): Promise<Buffer> {
  const directories: (readonly Entry[])[] = [];
  for (const [index, level] of levels.entries()) directories.push(await listEntries(raster, level, index > 0));
  const sizes = directories.map(measureDirectory);
  const headBytes = sizes.reduce((sum, { totalBytes }) => sum + totalBytes, FILE_HEAD_BYTES);
  const content = levels.toReversed();
  const offsets = new Map<WrittenLevel, readonly number[]>();
  let offset = headBytes;
  for (const level of content) {
    offsets.set(
      level,
      level.blocks.map(({ length }) => {
        offset += length;
        return offset - length;
      }),
    );
  }
  const head = Buffer.alloc(headBytes);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(FILE_HEAD_BYTES, 4);
  let start = FILE_HEAD_BYTES;
  for (const [index, level] of levels.entries()) {
    const { totalBytes = 0 } = sizes[index] ?? {};
    const entries = (directories[index] ?? []).map((entry) =>
      entry.tag === tags.stripOffsets || entry.tag === tags.tileOffsets
        ? { ...entry, values: offsets.get(level) ?? [] }
        : entry,
    );
    writeDirectory(head, start, entries, index + 1 < levels.length ? start + totalBytes : 0);
    start += totalBytes;
  }
  return Buffer.concat([head, ...content.flatMap(({ blocks }) => blocks)]);
}
