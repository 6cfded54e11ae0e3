/** The source of the server as text with the imports of each file, for tests of its structure. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { posix } from 'node:path/posix';

const source = join(import.meta.dirname, '../../src');

export interface SourceFile {
  /** Below `src`, such as `lib/values/flag.ts`. */
  readonly path: string;
  /** Without its comments. */
  readonly code: string;
}

export interface Import {
  /** As written: `./flag.ts`, `node:fs`, `pg`. */
  readonly from: string;
  /** The imported names; undefined for the whole module, as with `import()` and `import *`. */
  readonly names?: readonly string[];
  /** Erased at runtime. */
  readonly isTypeOnly: boolean;
}

/** All source files of the server, without tests. */
export async function sourceFiles(): Promise<readonly SourceFile[]> {
  const names = (await readdir(source, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
  return Promise.all(
    names.map(async (name) => ({
      path: name.replaceAll('\\', '/'),
      code: withoutComments(await readFile(join(source, name), 'utf8')),
    })),
  );
}

/** Only comments at the start of a line, and `//` after a space: patterns and URLs contain the same characters. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replaceAll(/(^|\s)\/\/ .*$/gm, '$1');
}

const statement = /^(?:import|export)\s+(type\s)?([^;'"]*?)\s*\bfrom\s*['"]([^'"]+)['"]/gm;
const bareStatement = /^import\s*['"]([^'"]+)['"]/gm;
const typeQuery = /\btypeof import\(\s*['"]([^'"]+)['"]\s*\)/g;
const call = /(?<!typeof )\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Statements, calls of `import()`, and type-only imports. */
export function parseImports(code: string): readonly Import[] {
  return [
    ...[...code.matchAll(statement)].map(([, type, taken = '', from = '']) => ({
      from,
      isTypeOnly: type !== undefined,
      ...namesIn(taken),
    })),
    ...[...code.matchAll(bareStatement)].map(([, from = '']) => ({ from, names: [], isTypeOnly: false })),
    ...[...code.matchAll(typeQuery)].map(([, from = '']) => ({ from, isTypeOnly: true })),
    ...[...code.matchAll(call)].map(([, from = '']) => ({ from, isTypeOnly: false })),
  ];
}

/** Of `Cursor, { type A, b as c }` the names that exist at runtime, as the other module exports them. */
function namesIn(taken: string): { readonly names?: readonly string[] } {
  if (taken.includes('*')) return {};
  const [, byDefault, inBraces = ''] = /^([\w$]+)?[\s,]*(?:\{([^}]*)\})?$/.exec(taken.trim()) ?? [];
  const named = inBraces
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(/\s+as\s+/)[0] ?? name);
  return { names: byDefault === undefined ? named : ['default', ...named] };
}

/** The server files that each file imports, including types. */
export function importGraph(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ path, code }) => [
      path,
      parseImports(code)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => posix.join(posix.dirname(path), from)),
    ]),
  );
}
