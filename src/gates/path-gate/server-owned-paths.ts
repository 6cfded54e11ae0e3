/** The server's own files, which no client may ever point at, under whatever name. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtOrBelow, listSelfAndParents, readIdentity } from './identity.ts';

export interface ServerOwnedPaths {
  /** Whether a real path is one of the server's own, or lies in one. */
  isOwn(path: string): Promise<boolean>;
  /** The same for something in a folder that is not own, whose identity is known: cheap enough for every file. */
  isOwnEntry(path: string, identity: string): boolean;
  /** Whether a real folder holds some of them, at whatever depth. */
  containsOwn(folder: string): Promise<boolean>;
}

/** What lies in the data directory and is not data. */
const ownNames =
  /^(?:security|staging|blobs|sets|files|purges|index-drops|data-writes|record-indexes|server\.lock.*|(?:graticule|granules)\.sqlite.*)$/i;

/** Looked at anew each time: it is a handful of calls, and what is there changes while the server runs. */
export async function loadServerOwnedPaths(dataDir: string): Promise<ServerOwnedPaths> {
  const root = await realpath(dataDir);
  const names = (await readdir(root)).filter((name) => ownNames.test(name));
  const paths = (await Promise.all(names.map((name) => listRealPaths(join(root, name))))).flat();
  const identities = new Set(await Promise.all([...paths, ...(await listSecretFiles(root))].map(readIdentity)));
  const holders = new Set(await Promise.all(paths.flatMap(listSelfAndParents).map(readIdentity)));
  // What is not there has no identity, and equals nothing.
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

/** Also what is not there yet: `security` before the first start, a journal of the database. */
function isOwnName(root: string, path: string): boolean {
  const [name = ''] = isAtOrBelow(path, root) ? path.slice(root.length + 1).split('/') : [];
  return ownNames.test(name);
}

/** Where it is, and where it really is if it is a link. */
async function listRealPaths(path: string): Promise<readonly string[]> {
  const real = await realpath(path).catch(() => path);
  return real === path ? [path] : [path, real];
}

/** The files in `security`, which could have second names elsewhere. */
async function listSecretFiles(root: string): Promise<readonly string[]> {
  const folder = join(root, 'security');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.map((name) => join(folder, name));
}
