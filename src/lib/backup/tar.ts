/** Headers of tar archives (POSIX ustar). Names are ASCII and shorter than 100 bytes. */

export const BLOCK_BYTES = 512;

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

const NAME_BYTES = 100;
const SIZE = { offset: 124, length: 12 };
const CHECKSUM = { offset: 148, length: 8 };

/** Larger sizes do not fit into eleven octal digits and are written in base 256, as GNU tar does. */
const MAX_OCTAL_SIZE = 0o77777777777;
const BASE_256_MARK = 0x80;

/** The mode and the times are constant, so that the same contents give the same archive. */
export function encodeTarHeader({ name, bytes }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`The entry name '${name}' is too long.`);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (bytes <= MAX_OCTAL_SIZE) {
    header.write(`${bytes.toString(8).padStart(11, '0')} `, SIZE.offset);
  } else {
    header.writeBigUInt64BE(BigInt(bytes), SIZE.offset + 4);
    header[SIZE.offset] = BASE_256_MARK;
  }
  header.write('00000000000 ', 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.offset);
  return header;
}

/** Returns undefined for the block of zeros at the end, and throws for anything that is not a header. */
export function decodeTarHeader(header: Buffer): TarEntry | undefined {
  if (header.length === BLOCK_BYTES && header.every((byte) => byte === 0)) return undefined;
  const stated = Number.parseInt(header.toString('latin1', CHECKSUM.offset, CHECKSUM.offset + 7), 8);
  if (header.length !== BLOCK_BYTES || stated !== computeChecksum(header)) {
    throw new Error('an entry has no valid header');
  }
  const name = header.toString('latin1', 0, header.indexOf(0));
  return { name, bytes: decodeSize(header.subarray(SIZE.offset, SIZE.offset + SIZE.length)) };
}

function decodeSize(field: Buffer): number {
  const bytes = field[0] === BASE_256_MARK ? Number(field.readBigUInt64BE(4)) : Number.parseInt(field.toString(), 8);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error('an entry has an invalid size');
  return bytes;
}

/** The checksum field counts as spaces. */
function computeChecksum(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) {
    sum += at >= CHECKSUM.offset && at < CHECKSUM.offset + CHECKSUM.length ? 0x20 : byte;
  }
  return sum;
}

/** Returns the number of zeros after the contents of an entry. */
export function computePadding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}
