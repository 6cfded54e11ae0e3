/** Packs the server as a release does, in a copy of the source, and installs it with npm from a registry on this machine. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPackageRegistry } from '../support/package-registry.ts';
import { projectFolder } from './server-process.ts';

const run = promisify(execFile);

/** The revision in the copy, which has no other part of a git repository. */
export const PACKED_REVISION = '5afdbaeb583528dd4361bec53b275db4764e37db';

const MAX_OUTPUT_BYTES = 16_777_216;

interface Manifest {
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
}

export interface PackedServer {
  /** The copy of the source with the build. */
  readonly source: string;
  /** The packed file. */
  readonly file: string;
  /** The variables of a shell with Node.js 24 and npm, whose packages are installed below `prefix`. */
  environment(prefix: string): Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function packServer(): Promise<PackedServer> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-packed-'));
  const source = join(root, 'source');
  await mkdir(source);
  const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as Manifest;
  const packed = manifest.files.filter((name) => name !== 'dist');
  const needed = [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'console',
    'scripts',
    'src',
    'LICENSE',
    'README.md',
  ];
  for (const name of [...needed, ...packed]) {
    await cp(join(projectFolder, name), join(source, name), { recursive: true });
  }
  await symlink(join(projectFolder, 'node_modules'), join(source, 'node_modules'));
  await mkdir(join(source, '.git'));
  await writeFile(join(source, '.git', 'HEAD'), PACKED_REVISION);
  // A file of an earlier build, which must not be packed.
  await mkdir(join(source, 'dist'));
  await writeFile(join(source, 'dist', 'removed.js'), '');

  const npm = createNpmVariables(root);
  await run('npm', ['pack', '--pack-destination', root], { cwd: source, env: { ...process.env, ...npm } });
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { readonly version: string };
  const file = join(root, `graticule-${version}.tgz`);
  const registry = await startPackageRegistry(projectFolder, { file });
  return {
    source,
    file,
    environment: (prefix) => ({
      ...npm,
      npm_config_prefix: prefix,
      npm_config_registry: registry.url,
      PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    }),
    async remove() {
      await registry.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function createNpmVariables(root: string): Readonly<Record<string, string>> {
  return {
    npm_config_cache: join(root, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
  };
}

/** The files that `npm publish` would upload, and the size of the packed file in bytes. */
export async function listPublishedFiles({ file, environment }: PackedServer) {
  const variables = environment(dirname(file));
  const { stdout } = await run('npm', ['publish', file, '--dry-run', '--json'], {
    env: { ...process.env, ...variables, npm_config_registry: `${variables['npm_config_registry']}/empty` },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const published = Object.values(
    JSON.parse(stdout) as Readonly<Record<string, { size: number; files: { path: string }[] }>>,
  )[0];
  return { size: published?.size ?? 0, files: published?.files.map(({ path }) => path) ?? [] };
}
