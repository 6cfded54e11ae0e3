/** A ZIP archive of a data directory, unpacked into a temporary directory of this machine. */
import { basename, join } from 'node:path';
import { Problem } from '../../../lib/problems/problem.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { openDirectory } from './directory-source.ts';
import { MAX_FILES, type Source } from './source.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** As for uploads to the server, but with more entries: a data directory has two files for each layer. */
const limits = {
  maxEntries: MAX_FILES,
  maxEntryBytes: 8_589_934_592,
  maxTotalBytes: 17_179_869_184,
  maxRatio: 200,
  ratioFromBytes: 10_485_760,
  maxNameBytes: 255,
  maxPathBytes: 1_024,
  maxDepth: 20,
} as const;

export async function openZip(path: string): Promise<Source> {
  const folder = createTemporaryFolder();
  try {
    const { unpackArchive } = await import('../../../gates/archive-gate.ts');
    const content = join(folder.path, 'content');
    const unpacked = await unpackArchive(path, content, { limits });
    const top = findTopFolder(unpacked.map(({ name }) => name));
    const source = openDirectory(join(content, top), 'zip', basename(path));
    return { ...source, close: async () => folder.remove() };
  } catch (error) {
    folder.remove();
    if (!(error instanceof Problem)) throw error;
    throw new MoveInError('archive-refused', error.message);
  }
}

/** The single directory that contains all files; empty without one. */
export function findTopFolder(names: readonly string[]): string {
  const [top = ''] = names[0]?.split('/') ?? [];
  // A directory of that name is part of a data directory.
  return names.every((name) => name.startsWith(`${top}/`)) && !ownFolders.has(top) ? top : '';
}

const ownFolders: ReadonlySet<string> = new Set(['workspaces', 'styles', 'layergroups', 'security', 'gwc-layers']);
