/** Lists the files of a mosaic with their names in the index. */
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dirname } from 'node:path/posix';
import type { PathGate } from '../../gates/path-gate.ts';
import type { HarvestFile } from '../../raster/mosaic/harvested-files.ts';
import { formatLocation } from '../../raster/mosaic/harvested-files.ts';
import type { StagedFile } from '../../records/files/staged-files.ts';
import type { Mosaic } from '../kinds/mosaic.ts';
import type { ReceivedData } from '../uploads/stage-upload.ts';

/** macOS archives contain a hidden companion of each file. */
function isHiddenEntry(path: string): boolean {
  return path.split('/').some((part) => part === '__MACOSX' || part.startsWith('.'));
}

/** Returns the folder of an archive that contains its definition; the root if there is no definition. */
export function findMosaicRoot(files: readonly Pick<StagedFile, 'path'>[]): string {
  const folders = files
    .filter(
      ({ path }) =>
        !isHiddenEntry(path) && /^(?:indexer\.(?:properties|xml)|datastore\.properties)$/i.test(basename(path)),
    )
    .map(({ path }) => dirname(path))
    .sort((a, b) => a.split('/').length - b.split('/').length);
  const [first = '.'] = folders;
  return first === '.' ? '' : first;
}

/** Lists uploaded files in the folder of the mosaic; the index stores their paths relative to it. */
export function listUploadedGranules(files: readonly StagedFile[], folder: string): readonly HarvestFile[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return files
    .filter(({ path }) => path.startsWith(prefix) && !isHiddenEntry(path))
    .map(({ path, file }) => {
      const name = path.slice(prefix.length);
      return { path: file, name, location: name };
    });
}

/** Lists one file on the server, or all files in a folder. */
export async function* listServerGranules(
  pathGate: PathGate,
  {
    mosaic: { definition },
    mosaicFolder,
    received: { path, what },
    signal,
  }: {
    readonly mosaic: Pick<Mosaic, 'definition'>;
    readonly mosaicFolder: string | undefined;
    readonly received: Extract<ReceivedData, { kind: 'outside' }>;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<HarvestFile> {
  const known = { ...definition, index: { kind: 'embedded' as const } };
  const real = mosaicFolder === undefined ? undefined : await realpath(mosaicFolder).catch(() => mosaicFolder);
  const toLocation = (file: string) => formatLocation(known, real, file);
  if (what === 'file') {
    yield { path, name: basename(path), location: toLocation(path) };
    return;
  }
  for await (const file of pathGate.walk({ path, kind: 'folder' }, { signal })) {
    yield { path: file.path, name: file.name, location: toLocation(join(path, ...file.name.split('/'))) };
  }
}
