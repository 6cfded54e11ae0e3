/** Opens the source of a move, and rejects what is no data directory. */
import { stat } from 'node:fs/promises';
import { MoveInError } from '../report/move-in-error.ts';
import type { Source } from './source.ts';

/** Opens a directory or a ZIP archive at a path. */
export async function openLocalSource(path: string): Promise<Source> {
  const status = await stat(path).catch(() => undefined);
  if (status?.isDirectory()) {
    const { openDirectory } = await import('./directory-source.ts');
    return openDirectory(path);
  }
  if (status?.isFile()) {
    const { openZip } = await import('./zip-source.ts');
    return openZip(path);
  }
  throw new MoveInError(
    'source-unreadable',
    `The source '${path}' is neither a directory nor a file. Addresses begin with https:// or http://.`,
  );
}

/** Throws unless the files are a data directory of a supported version. */
export function checkLayout({ files }: Pick<Source, 'files'>): void {
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  if (has(/^[^/]*\.dat\.1$|^br_index\.xml$/)) {
    throw new MoveInError(
      'backup-archive',
      'The source is an archive of the backup module. Use a copy of the data directory instead.',
    );
  }
  if (!has(/^workspaces\//) && has(/^(?:catalog|services)\.xml$/)) {
    throw new MoveInError(
      'layout-1x',
      'The source is a data directory of GeoServer 1.x. Start GeoServer 2.x once on a copy of it, and use the copy.',
    );
  }
  if (!has(/^(?:global)\.xml$|^workspaces\/[^/]+\/workspace\.xml$|^styles\/[^/]+\.xml$/)) {
    throw new MoveInError(
      'source-not-geoserver',
      'The source has no settings of a server, no workspace and no style. Use the data directory of a GeoServer.',
    );
  }
}
