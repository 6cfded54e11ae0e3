/** The files of the server, which clients must never reach under any name. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtOrBelow, listSelfAndParents, readIdentity } from './identity.ts';

export interface ServerOwnedPaths {
  /** Whether a resolved path is a file of the server or below one. */
  isOwn(path: string): Promise<boolean>;
  /** The same for an entry with known identity in another folder: cheap enough for every file. */
  isOwnEntry(path: string, identity: string): boolean;
  /** Whether a resolved folder contains files of the server at any depth. */
  containsOwn(folder: string): Promise<boolean>;
}

/** Entries of the data directory that are not data. */
const ownNames =
  /^(?:security|staging|blobs|sets|files|purges|index-drops|data-writes|record-indexes|server\.lock.*|(?:graticule|granules)\.sqlite.*)$/i;

/** Reads the disk each time: it takes a few calls, and the entries change while the server runs. */
export async function loadServerOwnedPaths(dataDir: string): Promise<ServerOwnedPaths> {
  const root = await realpath(dataDir);
  const names = (await readdir(root)).filter((name) => ownNames.test(name));
  const paths = (await Promise.all(names.map((name) => listRealPaths(join(root, name))))).flat();
  const identities = new Set(await Promise.all([...paths, ...(await listSecretFiles(root))].map(readIdentity)));
  const holders = new Set(await Promise.all(paths.flatMap(listSelfAndParents).map(readIdentity)));
  // Missing files have no identity and must not match.
  identities.delete(undefined);
  holders.delete(undefined);

  const isOwnPath = (path: string) => isOwnName(root, path) || paths.some((own) => isAtOrBelow(path, own));
  return {
    isOwnEntry: (path, identity) => identities.has(identity) || isOwnPath(path),
    async isOwn(path) {
      if (isOwnPath(path)) {
        return true;
      }
      const chain = await Promise.all(listSelfAndParents(path).map(readIdentity));
      return chain.some((identity) => identities.has(identity));
    },
    async containsOwn(folder) {
      return isAtOrBelow(root, folder) || holders.has(await readIdentity(folder));
    },
  };
}

/** Includes files that do not exist yet: `security` before the first start, a journal of the database. */
function isOwnName(root: string, path: string): boolean {
  const [name = ''] = isAtOrBelow(path, root) ? path.slice(root.length + 1).split('/') : [];
  return ownNames.test(name);
}

/** Returns the path and its target if it is a link. */
async function listRealPaths(path: string): Promise<readonly string[]> {
  const real = await realpath(path).catch(() => path);
  return real === path ? [path] : [path, real];
}

/** Lists the files in `security`, which could have hard links elsewhere. */
async function listSecretFiles(root: string): Promise<readonly string[]> {
  const folder = join(root, 'security');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.map((name) => join(folder, name));
}
