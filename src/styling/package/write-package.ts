/** Packs a style with its images into a ZIP archive again: the same files always give the same bytes. */
import { readFile } from 'node:fs/promises';
import { writeZip, type ZipEntry } from './write-zip.ts';

export interface PackedStyle {
  /** The name of its file: `roads.sld`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An image as the style names it (`icons/tree.svg`), with its bytes or the file that holds them. */
export type PackedImage =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly path: string };

/** The style comes first, then the images in the order of their names. */
export async function writePackage(style: PackedStyle, images: readonly PackedImage[]): Promise<Buffer> {
  const entries: ZipEntry[] = [style];
  for (const image of images.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    entries.push({ name: image.name, bytes: 'path' in image ? await readFile(image.path) : image.bytes });
  }
  return writeZip(entries);
}
