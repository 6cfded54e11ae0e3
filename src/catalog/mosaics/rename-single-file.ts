/** Names a granule that is sent as a single file instead of an archive. */
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFileName } from '../../gates/path-gate.ts';
import { toStoredName } from '../../lib/text/file-place.ts';
import { findDriverForFile } from '../../raster/drivers.ts';
import { isDefinitionFile } from '../../raster/mosaic/read-definition.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';

/** The first bytes of file formats, and their extensions. */
const fileSignatures: readonly (readonly [start: string, ending: string])[] = [
  ['II*\0', 'tif'],
  ['MM\0*', 'tif'],
  ['II+\0', 'tif'],
  ['MM\0+', 'tif'],
  ['\x89PNG', 'png'],
  ['\xff\xd8\xff', 'jpg'],
  ['CDF', 'nc'],
  ['\x89HDF', 'nc'],
];

const HEAD_BYTES = 8;

/** Renames the file; if the extension is not that of a raster, it is derived from the first bytes. */
export async function renameSingleFile(files: readonly StagedFile[], wanted: string): Promise<StagedFile> {
  const [single] = files;
  if (single === undefined) {
    throw new Error('Expected a single file');
  }
  const name = await addDetectedExtension(single.file, toStoredName(wanted));
  checkFileName(name);
  const file = join(dirname(single.file), name);
  await rename(single.file, file);
  return { ...single, path: name, file };
}

async function addDetectedExtension(file: string, name: string): Promise<string> {
  if (findDriverForFile(name) !== undefined || isDefinitionFile(name)) {
    return name;
  }
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    const ending = fileSignatures.find(([start]) => head.startsWith(start))?.[1];
    return ending === undefined ? name : `${name}.${ending}`;
  } finally {
    await handle.close();
  }
}
