/** Writes a data directory into a folder, or packs it into a ZIP archive. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rawZip } from '../raw-zip.ts';
import type { DirectoryFiles } from './documents.ts';

export async function writeDirectory(folder: string, files: DirectoryFiles): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}

export function packDirectory(files: DirectoryFiles, top = ''): Buffer {
  return rawZip(Object.entries(files).map(([name, data]) => ({ name: `${top}${name}`, data })));
}
