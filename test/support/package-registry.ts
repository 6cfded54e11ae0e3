/** An npm registry of the installed packages, so that tests install a packed server as users do, without a network. */
import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface PackedPackage {
  readonly name: string;
  readonly version: string;
}

export interface PackageRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the production packages of `root` and the packed `server`. Packages of other platforms are missing, and npm skips
 * them because they are optional.
 */
export async function startPackageRegistry(root: string, server: { readonly file: string }): Promise<PackageRegistry> {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as PackedPackage;
  const folders = new Map<string, string>();
  const packages: PackedPackage[] = [own];
  for (const folder of await listProductionFolders(root)) {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackedPackage;
    // The folder has the name that other packages require, also for a package that is installed under an alias.
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    packages.push({ ...manifest, name });
    folders.set(`${name}@${manifest.version}`, folder);
  }
  const byName = Map.groupBy(packages, ({ name }) => name);

  const http = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    const [, name = '', version = ''] = /^(.+)\/-\/(.+)\.tgz$/.exec(path) ?? [];
    const folder = folders.get(`${name}@${version}`);
    const versions = byName.get(path);
    if (folder !== undefined) sendFolder(folder, response);
    else if (name === own.name) createReadStream(server.file).pipe(response);
    else if (versions !== undefined) response.end(JSON.stringify(describePackage(versions, url)));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => http.close(() => resolve())) };
}

/** The installed packages that a production install contains. */
export async function listProductionFolders(root: string): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev = false }]) => path !== '' && !dev)
    .map(([path]) => join(root, path))
    .filter((folder) => existsSync(folder));
}

function describePackage(versions: readonly PackedPackage[], url: string): object {
  const [{ name, version: first } = { name: '', version: '' }] = versions;
  return {
    name,
    'dist-tags': { latest: first },
    versions: Object.fromEntries(
      versions.map((each) => [each.version, { ...each, dist: { tarball: `${url}/${name}/-/${each.version}.tgz` } }]),
    ),
  };
}

/** npm also accepts archives that are not compressed, which saves the time to compress 170 MB. */
function sendFolder(folder: string, response: ServerResponse): void {
  const arguments_ = ['-c', '-C', folder, '--exclude=./node_modules', '--transform=s,^\\.,package,', '.'];
  const tar = spawn('tar', arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.stdout.pipe(response);
}
