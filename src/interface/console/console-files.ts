/** The built files of the console. A package contains them; a checkout builds them when the sources have changed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ConsoleAsset {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** The same, compressed with gzip. */
  readonly packed?: Uint8Array;
}

export interface ConsoleBuild {
  readonly folder: string;
  /** `%root%` stands for the relative path of the console root. */
  readonly page: string;
  readAsset(name: string): Promise<ConsoleAsset | undefined>;
}

/** The exports of `console/build.ts`, which a package does not contain. */
interface Builder {
  getCacheFolder(): string;
  ensureConsole(parents: readonly string[]): Promise<string>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  gpkg: 'application/geopackage+sqlite3',
};

const isPackaged = import.meta.url.endsWith('.js');

export class ConsoleFiles {
  readonly #fallbackFolder: string;
  #last: Promise<ConsoleBuild> | undefined;

  /** The fallback is used if `node_modules` is read-only. */
  constructor(fallbackFolder: string) {
    this.#fallbackFolder = fallbackFolder;
  }

  /** Returns the build of the current sources. */
  async load(): Promise<ConsoleBuild> {
    if (isPackaged) return this.#open(fileURLToPath(new URL('../../console/', import.meta.url)));
    const address = new URL('../../../console/build.ts', import.meta.url).href;
    const { ensureConsole, getCacheFolder } = (await import(address)) as Builder;
    return this.#open(await ensureConsole([getCacheFolder(), this.#fallbackFolder]));
  }

  /** Assets belong to the last page: they need no comparison of the sources. */
  loadLast(): Promise<ConsoleBuild> {
    return this.#last ?? this.load();
  }

  async #open(folder: string): Promise<ConsoleBuild> {
    const last = await this.#last?.catch(() => undefined);
    if (last?.folder === folder) return last;
    this.#last = openBuild(folder);
    return this.#last;
  }
}

async function openBuild(folder: string): Promise<ConsoleBuild> {
  const { assets } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as { assets: object };
  const names = new Set(Object.keys(assets));
  const loaded = new Map<string, Promise<ConsoleAsset>>();
  return {
    folder,
    page: await readFile(join(folder, 'index.html'), 'utf8'),
    async readAsset(name) {
      if (!names.has(name)) return undefined;
      let asset = loaded.get(name);
      if (asset === undefined) {
        asset = readAsset(join(folder, 'assets', name));
        loaded.set(name, asset);
        asset.catch(() => loaded.delete(name));
      }
      return asset;
    },
  };
}

async function readAsset(file: string): Promise<ConsoleAsset> {
  const [bytes, packed] = await Promise.all([readFile(file), readFile(`${file}.gz`)]);
  return {
    contentType: mediaTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    bytes,
    packed,
  };
}
