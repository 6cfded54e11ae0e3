/** The rules of the console's sources: what they import, how they name styles, how large the build is. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { posix } from 'node:path/posix';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BuildReport, ensureConsole, getCacheFolder, REPORT_FILE } from '../../console/build.ts';
import { parseImports } from '../support/source-files.ts';

const folder = join(import.meta.dirname, '../../console');

/** The packages of the console: everything else is written in it. */
const packages = [
  /^preact(?:\/hooks)?$/,
  /^@preact\/signals$/,
  /^@tanstack\/(?:query|virtual)-core$/,
  /^ol\/[\w/]+\.js$/,
  /^@codemirror\/(?:autocomplete|commands|lang-(?:css|json|xml)|language|lint|search|state|view)$/,
  /^@lezer\/highlight$/,
  /^proj4$/,
  /^topojson-client$/,
  /^world-atlas\/land-110m\.json$/,
  // Described by the build.
  /^sample-geopackage$/,
  // Types only.
  /^geojson$/,
];

/** From top to bottom: a folder imports itself and folders in lower lines. */
const layers = [['pages'], ['shell'], ['map', 'editor'], ['parts'], ['rest'], ['style-text'], ['words']];

/** Files that lower folders may import, because they are state of the whole console. */
const shared = ['shell/preferences.ts', 'shell/router.ts', 'routes.ts'];

interface ConsoleFile {
  readonly path: string;
  readonly code: string;
}

const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/')).sort();
const readAll = (kind: RegExp): Promise<readonly ConsoleFile[]> =>
  Promise.all(
    names
      .filter((name) => kind.test(name))
      .map(async (path) => ({ path, code: await readFile(join(folder, path), 'utf8') })),
  );
const sources = (await readAll(/\.tsx?$/)).filter(({ path }) => !/^build(?:-sample)?\.ts$/.test(path));
const styles = await readAll(/\.css$/);

const imports = sources.flatMap(({ path, code }) =>
  parseImports(code).map((each) => ({
    ...each,
    path,
    target: each.from.startsWith('.') ? posix.join(posix.dirname(path), each.from) : undefined,
  })),
);

describe('the sources of the console', () => {
  it('import files of the console, the listed packages, and nothing of the server but types', () => {
    const wrong = imports.filter(({ from, target, isTypeOnly }) =>
      target === undefined
        ? !packages.some((each) => each.test(from))
        : target.startsWith('../') && !(isTypeOnly && target.startsWith('../src/')),
    );

    expect(imports.length).toBeGreaterThan(50);
    expect(wrong.map(({ path, from }) => `${path} → ${from}`)).toEqual([]);
  });

  it('import downwards: pages, shell, map, parts, REST client, texts', () => {
    const rank = (path: string) => layers.findIndex((line) => line.includes(path.split('/')[0] ?? ''));
    const wrong = imports.filter(
      ({ path, target, isTypeOnly }) =>
        target !== undefined &&
        !isTypeOnly &&
        !shared.includes(target) &&
        rank(path) > rank(target) &&
        rank(target) >= 0,
    );

    expect(wrong.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it.each([
    ['map', /^(?:map|ol)\//, 'ol/Map.js'],
    ['editor', /^(?:editor|@codemirror|@lezer)\//, '@codemirror/view'],
  ] as const)('load the %s and its library only on demand', (owner, pattern, library) => {
    const isStatic = ({ isTypeOnly, names: taken }: (typeof imports)[number]) => !isTypeOnly && taken !== undefined;
    const wrong = imports.filter(
      (each) => isStatic(each) && !each.path.startsWith(`${owner}/`) && pattern.test(each.target ?? each.from),
    );

    expect(wrong.map(({ path, from }) => `${path} → ${from}`)).toEqual([]);
    expect(imports.some(({ path, from }) => path.startsWith(`${owner}/`) && from === library)).toBe(true);
  });

  it('never turn text into markup or code', () => {
    const forbidden =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|javascript:|\beval\(|new Function/;

    expect(sources.filter(({ code }) => forbidden.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('keep only the theme and the language in the browser beyond the tab', () => {
    const users = sources.filter(({ code }) => /localStorage|indexedDB|document\.cookie|caches\./.test(code));

    expect(users.map(({ path }) => path)).toEqual(['shell/preferences.ts']);
  });

  it('send requests in one place only', () => {
    const senders = sources.filter(({ code }) =>
      /\bfetch\(|\bnew (?:XMLHttpRequest|EventSource|WebSocket)|sendBeacon/.test(code),
    );

    expect(senders.map(({ path }) => path)).toEqual(['rest/client.ts', 'rest/upload.ts']);
  });

  it('have files below 400 lines', () => {
    const isWords = (path: string) => path.startsWith('words/');
    const long = [...sources, ...styles].filter(({ path, code }) => !isWords(path) && code.split('\n').length > 400);

    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

describe('the build of the console', () => {
  let report: BuildReport;
  let build: string;
  beforeAll(async () => {
    build = await ensureConsole([getCacheFolder()]);
    report = JSON.parse(await readFile(join(build, REPORT_FILE), 'utf8')) as BuildReport;
  });

  const sum = (list: readonly string[]) =>
    list.reduce((total, name) => total + (report.assets[name]?.gzipBytes ?? 0), 0);

  const findScript = (source: string) => {
    const [name = ''] = Object.entries(report.assets).find(([, { sources: own }]) => own.includes(source)) ?? [];
    return name;
  };

  /** The scripts that are loaded with one, without that of the first view. */
  const listAdded = (name: string) => {
    const loaded = new Set([name]);
    for (const one of loaded) for (const each of report.assets[one]?.imports ?? []) loaded.add(each);
    return [...loaded].filter((each) => each !== report.first);
  };

  it('has one script for sign-in, home and the list of layers, and one for each language', () => {
    const firstSources = ['main.tsx', 'shell/sign-in.tsx', 'pages/home/page.tsx', 'pages/data/layers/page.tsx'];

    expect(report.assets[report.first]?.imports).toEqual([]);
    expect(report.assets[report.first]?.sources).toEqual(
      expect.arrayContaining(firstSources.map((path) => `console/${path}`)),
    );
    for (const language of ['en', 'de']) expect(listAdded(findScript(`console/words/${language}.ts`))).toHaveLength(1);
  });

  it('loads at most 90 KB of scripts for the list of layers and 130 KB for any other page, compressed', () => {
    const texts = findScript('console/words/de.ts');
    const pages = ['data.ts', 'data/layer/page.tsx', 'styles.ts', 'security.ts', 'operations.ts'];
    const scripts = pages.map((path) => findScript(`console/pages/${path}`));
    const sizes = scripts.map((script) => sum([report.first, texts, ...listAdded(script)]));

    expect(new Set(scripts).size).toBe(pages.length);
    expect(sum([report.first])).toBeGreaterThan(30_000);
    expect(sum([report.first, texts])).toBeLessThan(90_000);
    expect(Math.max(...sizes)).toBeLessThan(130_000);
    expect(Math.max(...scripts.map((script) => listAdded(script).length))).toBeLessThanOrEqual(7);
  });

  it('has a map with all that it shares with others of at most 130 KB, compressed', () => {
    const map = findScript('console/map/layer-map.ts');

    expect(report.assets[map]?.gzipBytes).toBeGreaterThan(10_000);
    expect(sum(listAdded(map))).toBeLessThan(130_000);
  });

  it('has a chunk for the editor of at most 150 KB, compressed', () => {
    const editor = findScript('console/editor/style-editor.ts');

    expect(report.assets[editor]?.gzipBytes).toBeGreaterThan(10_000);
    expect(report.assets[editor]?.gzipBytes).toBeLessThan(150_000);
    expect(report.first).not.toBe(editor);
  });

  it('has one style sheet with the styles of every file', async () => {
    const sheets = Object.keys(report.assets).filter((name) => name.endsWith('.css'));

    expect(sheets).toHaveLength(1);
    expect(report.assets[sheets[0] ?? '']?.sources).toEqual(
      expect.arrayContaining(styles.map(({ path }) => `console/${path}`)),
    );
    const classes = styles
      .filter(({ path }) => path.startsWith('parts/'))
      .flatMap(({ path, code }) => {
        const part = basename(path.split('/')[1] ?? '');
        return [...code.matchAll(/^\.([a-z]+)/gm)].map(([, name = '']) => ({ part, name, path }));
      });
    const byName = Map.groupBy(classes, ({ name }) => name);
    const twice = [...byName].filter(([, uses]) => new Set(uses.map(({ part }) => part)).size > 1);
    expect(twice.map(([name]) => name)).toEqual([]);
  });
});
