/**
 * Builds the console: scripts, one style sheet and the page. `npm ci` and `npm run build` call it, and the server of a
 * checkout at the first request below `console/` if the sources have changed since.
 */
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Metafile, OutputFile, Plugin } from 'esbuild';
import { writeSample } from './build-sample.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = dirname(folder.replace(/[\\/]$/, ''));

/** The result for tests of sizes: bytes of each script after compression, and the script of the first view. */
export interface BuildReport {
  readonly assets: Readonly<Record<string, AssetReport>>;
  /** The script that the page loads; all others are loaded on demand. */
  readonly first: string;
}

export interface AssetReport {
  readonly gzipBytes: number;
  readonly sources: readonly string[];
  /** The scripts that are loaded together with it. */
  readonly imports: readonly string[];
}

export const REPORT_FILE = 'report.json';

/** Older builds are removed, except for the newest, which another server may use. */
const KEPT_BUILDS = 3;

/** The files of a build in a checkout. */
export function getCacheFolder(): string {
  return join(root, 'node_modules', '.cache', 'graticule-console');
}

/** Returns a folder with the build of the current sources; builds it in the first writable folder if necessary. */
export async function ensureConsole(parents: readonly string[]): Promise<string> {
  const stamp = await computeStamp();
  for (const parent of parents) {
    if (await exists(join(parent, stamp, REPORT_FILE))) return join(parent, stamp);
  }
  let failure: unknown;
  for (const parent of parents) {
    try {
      await mkdir(parent, { recursive: true });
      await writeWhole(join(parent, stamp));
      await removeOldBuilds(parent);
      return join(parent, stamp);
    } catch (error) {
      failure = error;
      if (!isReadOnly(error)) throw error;
    }
  }
  throw failure;
}

/** A build is complete or absent: other processes may build the same at the same time. */
async function writeWhole(target: string): Promise<void> {
  const draft = `${target}.${process.pid}-${Date.now()}`;
  try {
    await buildConsole(draft);
    await rename(draft, target).catch(async (error) => {
      if (!(await exists(join(target, REPORT_FILE)))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function removeOldBuilds(parent: string): Promise<void> {
  const names = await readdir(parent);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, ms: (await stat(join(parent, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const old = aged.toSorted((one, other) => other.ms - one.ms).slice(KEPT_BUILDS);
  await Promise.all(old.map(({ name }) => rm(join(parent, name), { recursive: true, force: true })));
}

/** The last stamp, for requests while no source changes: reading all of them would delay each first view. */
let lastStamp: { readonly states: string; readonly stamp: string } | undefined;

/** Changes with every source, with the versions of packages and with Node.js. */
async function computeStamp(): Promise<string> {
  const names = await listSources();
  const lockFile = join(root, 'package-lock.json');
  const states = (await Promise.all([lockFile, ...names.map((name) => join(folder, name))].map(describeState))).join(
    '\n',
  );
  if (lastStamp?.states === states) return lastStamp.stamp;
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  const lock = await readFile(lockFile).catch(() => '');
  hash.update(lock);
  for (const name of names) hash.update(`\0${name}\0`).update(await readFile(join(folder, name)));
  lastStamp = { states, stamp: hash.digest('hex').slice(0, 16) };
  return lastStamp.stamp;
}

async function describeState(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return `${file} ${found?.size} ${found?.mtimeMs}`;
}

async function listSources(): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(?:tsx?|css|html|svg)$/.test(name) && !name.includes('.test.'))
    .sort();
}

/** Writes the files into a folder. */
export async function buildConsole(target: string): Promise<void> {
  const { build } = await import('esbuild');
  await mkdir(join(target, 'assets'), { recursive: true });
  const sample = await createSample(target);
  const result = await build({
    absWorkingDir: root,
    entryPoints: { main: join(folder, 'main.tsx'), style: 'all-styles' },
    plugins: [
      {
        name: 'styles',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^all-styles$/ }, () => ({ path: 'all-styles', namespace: 'styles' }));
          onLoad({ filter: /.*/, namespace: 'styles' }, async () => ({
            contents: (await listStyles()).map((name) => `@import "./${name}";`).join('\n'),
            loader: 'css',
            resolveDir: folder,
          }));
        },
      },
      describeSample(sample),
      shareFirstScript(),
    ],
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    logLevel: 'silent',
    legalComments: 'none',
  });
  const sizes = await Promise.all([...result.outputFiles, sample].map((file) => writeAsset(file)));
  const report = createReport(result.metafile, sizes);
  await writeFile(join(target, 'index.html'), await createPage(report, sizes));
  await writeFile(join(target, REPORT_FILE), JSON.stringify(report, null, 1));
}

type Asset = Pick<OutputFile, 'path' | 'contents'>;

/** The sample data is a file that the console loads when the user publishes it. */
async function createSample(target: string): Promise<Asset> {
  const draft = join(target, 'sample.gpkg');
  writeSample(draft);
  const contents = await readFile(draft);
  await rm(draft);
  return { path: join(target, 'assets', `sample-${hashBytes(contents).slice(0, 8).toUpperCase()}.gpkg`), contents };
}

/** The module `sample-geopackage` has the name, size and hash of the file. */
function describeSample({ path, contents }: Asset): Plugin {
  const file = { name: basename(path), bytes: contents.length, sha256: hashBytes(contents) };
  return {
    name: 'sample',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^sample-geopackage$/ }, ({ path: name }) => ({ path: name, namespace: 'sample' }));
      onLoad({ filter: /.*/, namespace: 'sample' }, () => ({ contents: JSON.stringify(file), loader: 'json' }));
    },
  };
}

/**
 * Scripts that are loaded on demand import the first script. Then each module of it belongs to all scripts, so that esbuild
 * writes one file; otherwise, it writes a file for each set of scripts that share modules.
 */
function shareFirstScript(): Plugin {
  return {
    name: 'first-script',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import'
          ? { path: relative(folder, resolve(resolveDir, path)), namespace: 'on-demand' }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
        contents: `import './main.tsx'; export * from './${path.replaceAll('\\', '/')}';`,
        resolveDir: folder,
      }));
    },
  };
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Tokens first, so that parts and pages can override the base. */
async function listStyles(): Promise<readonly string[]> {
  const names = (await listSources()).filter((name) => name.endsWith('.css'));
  const order = ['look/tokens.css', 'look/', 'parts/', 'shell/'];
  const rank = (name: string) => (order.findIndex((start) => name.startsWith(start)) + order.length) % order.length;
  const known = names.filter((name) => order.some((start) => name.startsWith(start)));
  return [...known.toSorted((one, other) => rank(one) - rank(other)), ...names.filter((name) => !known.includes(name))];
}

interface WrittenAsset {
  readonly name: string;
  readonly gzipBytes: number;
}

const compress = promisify(gzip);

async function writeAsset({ path, contents }: Asset): Promise<WrittenAsset> {
  const packed = await compress(contents, { level: 9 });
  await Promise.all([writeFile(path, contents), writeFile(`${path}.gz`, packed)]);
  return { name: basename(path), gzipBytes: packed.length };
}

function createReport({ outputs }: Metafile, sizes: readonly WrittenAsset[]): BuildReport {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const main = sizes.find(({ name }) => /^main-\w+\.js$/.test(name))?.name ?? '';
  const listImports = (name: string) =>
    (byName.get(name)?.imports ?? []).flatMap(({ path, kind }) =>
      kind === 'import-statement' ? [basename(path)] : [],
    );
  return {
    assets: Object.fromEntries(
      sizes.map(({ name, gzipBytes }) => [
        name,
        { gzipBytes, sources: Object.keys(byName.get(name)?.inputs ?? {}).sort(), imports: listImports(name) },
      ]),
    ),
    // The entry only imports the script that others import too.
    first: listImports(main)[0] ?? main,
  };
}

/** `%root%` stands for the way from the address of the page to the root of the console. */
async function createPage({ first }: BuildReport, sizes: readonly WrittenAsset[]): Promise<string> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const icon = await readFile(join(folder, 'icon.svg'), 'utf8');
  const style = sizes.find(({ name }) => name.endsWith('.css'))?.name ?? '';
  return page
    .replace('%icon%', `data:image/svg+xml,${encodeURIComponent(icon.trim())}`)
    .replace('%style%', `%root%assets/${style}`)
    .replace('%main%', `%root%assets/${first}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function isReadOnly(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'ENOTDIR' || code === 'ENOENT';
}
