/**
 * Imports point downwards only: between files, between folders at every depth, and between layers. Type imports count
 * too.
 */
import { dirname } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { importGraph, parseImports, sourceFiles } from '../support/source-files.ts';

const files = await sourceFiles();
const graph = importGraph(files);

/** From top to bottom. Folders in the same line do not import each other. */
const layers = [
  ['main.ts', 'maintain.ts'],
  ['server'],
  ['cli', 'interface', 'services'],
  ['http'],
  ['operations'],
  ['catalog'],
  ['security', 'rendering'],
  ['styling'],
  ['formats'],
  ['raster', 'tiles'],
  ['vector'],
  ['cascade'],
  ['filter'],
  ['geometry'],
  ['crs'],
  ['records'],
  ['remote'],
  ['storage', 'gates', 'workers'],
  ['lib'],
];

/** Layers that may import only the listed layers. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // The archive gate, which `move-in` loads for ZIP archives.
  cli: ['lib', 'gates'],
  http: ['lib'],
  records: ['storage', 'lib'],
  storage: ['lib'],
  remote: ['gates', 'workers', 'lib'],
  gates: ['lib'],
  workers: ['lib'],
};

const domain = ['records', 'storage'];

/** Lower layers that the listed layers must not import. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  services: ['operations', 'storage', 'gates'],
  rendering: domain,
  styling: domain,
  formats: domain,
  raster: domain,
  tiles: domain,
  vector: domain,
  cascade: domain,
  filter: domain,
  geometry: domain,
  crs: domain,
};

const withHttp = ['http', 'interface', 'services', 'server', 'main.ts', 'maintain.ts'];

describe('imports', () => {
  it('every import resolves to an existing file', () => {
    const dangling = [...graph].flatMap(([file, imported]) =>
      imported.filter((each) => each.endsWith('.ts') && !graph.has(each)).map((each) => `${file} → ${each}`),
    );

    expect(graph.size).toBeGreaterThan(100);
    expect(dangling).toEqual([]);
  });

  it('every import points from a higher layer to a lower one', () => {
    const rank = new Map(layers.flatMap((names, index) => names.map((name) => [name, index])));
    const wrong = [...graph].flatMap(([file, imported]) => {
      const from = topOf(file);
      return imported
        .filter((each) => {
          const to = topOf(each);
          if (to === from || !each.endsWith('.ts')) return false;
          const isDownwards = (rank.get(from) ?? Number.POSITIVE_INFINITY) < (rank.get(to) ?? -1);
          return !isDownwards || allowed[from]?.includes(to) === false || forbidden[from]?.includes(to) === true;
        })
        .map((each) => `${file} → ${each}`);
    });

    expect(wrong).toEqual([]);
  });

  it('only the HTTP layers import the HTTP framework', () => {
    const users = files.filter(({ code }) => parseImports(code).some(({ from }) => from === 'fastify'));

    expect(users.map(({ path }) => topOf(path)).filter((top) => !withHttp.includes(top))).toEqual([]);
  });

  it('files do not import each other in a cycle', () => {
    expect(circlesIn(graph)).toEqual([]);
  });

  it('folders, at any depth, do not import each other in a cycle', () => {
    expect(circlesIn(betweenFolders(graph))).toEqual([]);
  });
});

describe('import cycles', () => {
  it('reports the shortest path of a cycle, starting with its alphabetically first member', () => {
    const imports = { 'd.ts': ['a.ts'], 'a.ts': ['b.ts'], 'b.ts': ['c.ts', 'a.ts'], 'c.ts': ['b.ts'] };

    expect(circlesIn(new Map(Object.entries(imports)))).toEqual(['a.ts → b.ts']);
  });

  it('reports a file that imports itself', () => {
    expect(circlesIn(new Map([['a.ts', ['a.ts']]]))).toEqual(['a.ts']);
  });

  it('reports no cycle if two files import a third', () => {
    const imports = { 'a.ts': ['c.ts', 'b.ts'], 'b.ts': ['c.ts'], 'c.ts': [] };

    expect(circlesIn(new Map(Object.entries(imports)))).toEqual([]);
  });
});

type Graph = ReadonlyMap<string, readonly string[]>;

/** One cycle for each strongly connected component; the first member is not repeated at the end. */
function circlesIn(imports: Graph): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  for (const start of [...imports.keys()].sort()) {
    const circle = done.has(start) ? undefined : wayBack(imports, start);
    if (circle === undefined) continue;
    circles.push(circle.join(' → '));
    for (const each of imports.keys()) {
      if (leadsTo(imports, start, each) && leadsTo(imports, each, start)) done.add(each);
    }
  }
  return circles;
}

/** The shortest path from a member back to itself. */
function wayBack(imports: Graph, start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function leadsTo(imports: Graph, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const each of seen) for (const next of imports.get(each) ?? []) seen.add(next);
  return seen.has(to);
}

/** The imports between folders; a folder consists of the files directly in it. */
function betweenFolders(imports: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const folder = dirname(file);
    const others = folders.get(folder) ?? new Set();
    folders.set(folder, others);
    for (const each of imported) if (each.endsWith('.ts') && dirname(each) !== folder) others.add(dirname(each));
  }
  return new Map([...folders].map(([folder, others]) => [folder, [...others]]));
}

/** The folder below `src`, or the file if it is in no folder. */
function topOf(file: string): string {
  return file.split('/')[0] ?? file;
}
