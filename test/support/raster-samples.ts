/** Rasters that tests upload. */
import { pngBytes } from './png-bytes.ts';
import { type RawEntry, rawZip } from './raw-zip.ts';
import type { Reply, TestServer } from './test-server.ts';
import { geotiffBytes, tiffBytes } from './tiff-bytes.ts';
import { WGS84_PRJ } from './vector-samples.ts';

/** An image of 20 by 10 pixels of half a degree, with its upper left corner at 10° east and 50° north. */
export const worldFile = '0.5\n0\n0\n-0.5\n10.25\n49.75\n';

export function worldImageZip(name?: string, parts?: readonly string[]): Buffer {
  return zipOfFiles(worldImageFiles(name, parts));
}

export function worldImageFiles(
  name = 'photo',
  parts: readonly string[] = ['png', 'pgw', 'prj'],
): Readonly<Record<string, Buffer>> {
  const contents: Readonly<Record<string, Buffer>> = {
    png: pngBytes(20, 10, 3),
    pgw: Buffer.from(worldFile),
    prj: Buffer.from(WGS84_PRJ),
  };
  return Object.fromEntries(parts.map((part) => [`${name}.${part}`, contents[part] ?? Buffer.alloc(0)]));
}

export function zipOfFiles(files: Readonly<Record<string, Buffer>>): Buffer {
  return rawZip(Object.entries(files).map(([name, content]): RawEntry => ({ name, data: content, method: 8 })));
}

/** The same grid with this compression, which may be unknown. */
export function geotiffWithCompression(compression: number): Buffer {
  const bytes = Buffer.from(geotiffBytes(4, 3));
  const count = bytes.readUInt16LE(8);
  for (let index = 0; index < count; index += 1) {
    const entry = 10 + index * 12;
    if (bytes.readUInt16LE(entry) === 259) {
      bytes.writeUInt16LE(compression, entry + 8);
    }
  }
  return bytes;
}

/** Three 16-bit bands with a no-data value, one of them named, without CRS and georeference. */
export function bareTiff(): Buffer {
  const metadata =
    '<GDALMetadata><Item name="DESCRIPTION" sample="1" role="description">depth</Item><Item name="UNITTYPE" sample="1" role="unittype">m</Item></GDALMetadata>';
  return tiffBytes(
    [
      { tag: 256, type: 'long', values: [4] },
      { tag: 257, type: 'long', values: [2] },
      { tag: 258, type: 'short', values: [16, 16, 16] },
      { tag: 259, type: 'short', values: [1] },
      { tag: 262, type: 'short', values: [1] },
      { tag: 277, type: 'short', values: [3] },
      { tag: 278, type: 'long', values: [2] },
      { tag: 338, type: 'short', values: [0, 0] },
      { tag: 42112, type: 'ascii', values: metadata },
      { tag: 42113, type: 'ascii', values: '65535' },
    ],
    new Uint8Array(4 * 2 * 3 * 2),
  );
}

export function putTiff(server: TestServer, path: string, body: Buffer = geotiffBytes(30, 20)): Promise<Reply> {
  return server.request('PUT', path, { type: 'image/tiff', body });
}

export function putRasterZip(server: TestServer, path: string, body: Buffer, accept?: string): Promise<Reply> {
  return server.request('PUT', path, { type: 'application/zip', body, ...(accept === undefined ? {} : { accept }) });
}
