/** Packs a style with its images into a ZIP archive. The same files always give the same bytes. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { ZipFile } from 'yazl';

export interface PackedStyle {
  /** The name of its file: `roads.sld`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An image as the style names it (`icons/tree.svg`), with its bytes or the file that holds them. */
export type PackedImage =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly path: string };

const deflate = promisify(deflateRaw);

/** The earliest day of ZIP, in any time zone. */
const FIXED_DATE = new Date(1980, 0, 1);

/** Readers that guard against archive bombs, ours included, reject entries that are compressed more than this. */
const MAX_RATIO = 100;

/** The style comes first, then the images in the order of their names. */
export async function writePackage(style: PackedStyle, images: readonly PackedImage[]): Promise<Buffer> {
  const zip = new ZipFile();
  const add = async (name: string, bytes: Uint8Array): Promise<void> => {
    const packed = await deflate(bytes);
    const compress = packed.length < bytes.length && bytes.length <= packed.length * MAX_RATIO;
    zip.addBuffer(Buffer.from(bytes), name, { mtime: FIXED_DATE, forceDosTimestamp: true, compress });
  };
  await add(style.name, style.bytes);
  for (const image of images.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    await add(image.name, 'path' in image ? await readFile(image.path) : image.bytes);
  }
  zip.end();
  return buffer(zip.outputStream);
}
