/** Imports point one way only: between files, and between the folders of src. Imports of types count like any other. */
import { describe, expect, it } from 'vitest';
import { importGraph, sourceFiles } from '../support/source-files.ts';

const graph = importGraph(await sourceFiles());

describe('imports', () => {
  it('lead to files that are there', () => {
    const dangling = [...graph].flatMap(([file, imported]) =>
      imported.filter((each) => each.endsWith('.ts') && !graph.has(each)).map((each) => `${file} → ${each}`),
    );

    expect(graph.size).toBeGreaterThan(100);
    expect(dangling).toEqual([]);
  });

  it('of a file never lead back to it', () => {
    expect(circlesIn(graph)).toEqual([]);
  });

  it('of a folder of src never lead back to it', () => {
    expect(circlesIn(betweenFolders(graph))).toEqual([]);
  });
});

describe('a circle', () => {
  it('is named by the shortest way round, from its first member in the alphabet', () => {
    const imports = { 'd.ts': ['a.ts'], 'a.ts': ['b.ts'], 'b.ts': ['c.ts', 'a.ts'], 'c.ts': ['b.ts'] };

    expect(circlesIn(new Map(Object.entries(imports)))).toEqual(['a.ts → b.ts']);
  });

  it('is a file that imports itself, too', () => {
    expect(circlesIn(new Map([['a.ts', ['a.ts']]]))).toEqual(['a.ts']);
  });

  it('is not where two files import a third', () => {
    const imports = { 'a.ts': ['c.ts', 'b.ts'], 'b.ts': ['c.ts'], 'c.ts': [] };

    expect(circlesIn(new Map(Object.entries(imports)))).toEqual([]);
  });
});

type Graph = ReadonlyMap<string, readonly string[]>;

/** One way round for each knot of members that all lead to each other; the first member is not repeated at the end. */
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

/** The shortest way from a member back to itself. */
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

/** Which folder directly below src imports which others; files beside the folders belong to none. */
function betweenFolders(imports: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const folder = folderOf(file);
    const others = folders.get(folder) ?? new Set();
    folders.set(folder, others);
    for (const each of imported) if (folderOf(each) !== folder) others.add(folderOf(each));
  }
  return new Map([...folders].map(([folder, others]) => [folder, [...others]]));
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file;
}
