/** Where the files of a mosaic are, and what the index is to call them. */
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dirname } from 'node:path/posix';
import type { HarvestFile } from '../../data/mosaic/harvested-files.ts';
import { locationOf } from '../../data/mosaic/harvested-files.ts';
import type { PathGate } from '../../gates/path-gate.ts';
import type { StagedFile } from '../../records/staged-files.ts';
import type { Received } from '../uploads/stage-upload.ts';
import type { Mosaic } from './mosaic.ts';

/** Macs pack a shadow of each file into the archive. */
function isShadow(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part.startsWith('.'));
}

/** The folder of an archive that its definition is in; the outermost one if there is no definition. */
export function mosaicFolderIn(files: readonly Pick<StagedFile, 'path'>[]): string {
  const folders = files
    .filter(
      ({ path }) => !isShadow(path) && /^(?:indexer\.(?:properties|xml)|datastore\.properties)$/i.test(basename(path)),
    )
    .map(({ path }) => dirname(path))
    .sort((a, b) => a.split('/').length - b.split('/').length);
  const [first = '.'] = folders;
  return first === '.' ? '' : first;
}

/** Uploaded files that may be granules: those in the mosaic's folder, which the index calls as they are called there. */
export function harvestedUploads(files: readonly StagedFile[], folder: string): readonly HarvestFile[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return files
    .filter(({ path }) => path.startsWith(prefix) && !isShadow(path))
    .map(({ path, file }) => {
      const name = path.slice(prefix.length);
      return { path: file, name, location: name };
    });
}

/** Files on the server: one, or all in a folder. */
export async function* harvestedPlaces(
  pathGate: PathGate,
  { definition }: Pick<Mosaic, 'definition'>,
  mosaicFolder: string | undefined,
  { path, what }: Extract<Received, { kind: 'outside' }>,
  signal: AbortSignal,
): AsyncGenerator<HarvestFile> {
  const known = { ...definition, index: { kind: 'embedded' as const } };
  const real = mosaicFolder === undefined ? undefined : await realpath(mosaicFolder).catch(() => mosaicFolder);
  const locate = (file: string) => locationOf(known, real, file);
  if (what === 'file') {
    yield { path, name: basename(path), location: locate(path) };
    return;
  }
  for await (const file of pathGate.walk({ path, kind: 'folder' }, { signal })) {
    yield { path: file.path, name: file.name, location: locate(join(path, ...file.name.split('/'))) };
  }
}
