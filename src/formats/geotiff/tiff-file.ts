/** Joins compressed levels and their directories to a file, in the order of a cloud-optimized GeoTIFF. */
import { listEntries, type StripedRaster, tags, type WrittenLevel } from './level-entries.ts';
import { type Entry, measureDirectory, writeDirectory } from './tiff-directory.ts';

const FILE_HEAD_BYTES = 8;

/**
 * The structure of files with tiles, as GDAL defines it: readers then rely on the order, and read a tile without the table
 * of lengths, because its length precedes it. Its last bytes are repeated after it, which reveals programs that changed it.
 */
const structure = Buffer.from(createStructureText(), 'latin1');

function createStructureText(): string {
  // The last value has room to be changed to `YES` by programs that edit the file.
  const facts =
    'LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ';
  const text = `GDAL_STRUCTURAL_METADATA_SIZE=${String(facts.length).padStart(6, '0')} bytes\n${facts}`;
  // Directories begin at even positions.
  return text.length % 2 === 0 ? text : `${text}\0`;
}

const LEADER_BYTES = 4;
const TRAILER_BYTES = 4;

/** Adds its length and a repetition of its last bytes to a tile. */
function frameTile(block: Buffer): readonly Buffer[] {
  const leader = Buffer.alloc(LEADER_BYTES);
  leader.writeUInt32LE(block.length);
  return [leader, block, block.subarray(-TRAILER_BYTES)];
}

/** Directories precede the content, whose offsets follow from their lengths. The largest level comes last. */
export async function writeFile(raster: StripedRaster, levels: readonly WrittenLevel[]): Promise<Buffer> {
  const isTiled = levels.every(({ rowsPerStrip }) => rowsPerStrip === undefined);
  const firstDirectory = FILE_HEAD_BYTES + (isTiled ? structure.length : 0);
  const directories: (readonly Entry[])[] = [];
  for (const [index, level] of levels.entries()) directories.push(await listEntries(raster, level, index > 0));
  const sizes = directories.map(measureDirectory);
  const headBytes = sizes.reduce((sum, { totalBytes }) => sum + totalBytes, firstDirectory);
  const content = levels.toReversed();
  const offsets = new Map<WrittenLevel, readonly number[]>();
  let offset = headBytes;
  for (const level of content) {
    offsets.set(
      level,
      level.blocks.map(({ length }) => {
        const start = offset + (isTiled ? LEADER_BYTES : 0);
        offset = start + length + (isTiled ? TRAILER_BYTES : 0);
        return start;
      }),
    );
  }
  const head = Buffer.alloc(headBytes);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(firstDirectory, 4);
  if (isTiled) structure.copy(head, FILE_HEAD_BYTES);
  let start = firstDirectory;
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
  return Buffer.concat([head, ...content.flatMap(({ blocks }) => (isTiled ? blocks.flatMap(frameTile) : blocks))]);
}
