/** CONTRIBUTING.md names only existing files, and identifiers that these files declare. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const text = await readFile(join(project, 'CONTRIBUTING.md'), 'utf8');

test('every path in CONTRIBUTING.md exists', async () => {
  const paths = [...text.matchAll(/`((?:src|test|docs|scripts|bench)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const missing: string[] = [];
  for (const path of paths) {
    if (
      !(await access(join(project, path)).then(
        () => true,
        () => false,
      ))
    )
      missing.push(path);
  }

  expect(paths.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('every identifier in brackets after a path is declared in that file', async () => {
  const named = [...text.matchAll(/`(src\/[\w./-]+\.ts)` \(`(\w+)`\)/g)];
  for (const [, path = '', identifier = ''] of named) {
    expect(await readFile(join(project, path), 'utf8'), path).toMatch(
      new RegExp(`\\b(?:const|function|interface|class|type) ${identifier}\\b`),
    );
  }

  expect(named.length).toBeGreaterThan(3);
});

test('every identifier before "of" and a path is declared in that file', async () => {
  const named = [...text.matchAll(/`(\w+)(?:\(…\))?` of `((?:src|test)\/[\w./-]+\.ts)`/g)];
  for (const [, identifier = '', path = ''] of named) {
    expect(await readFile(join(project, path), 'utf8'), path).toMatch(
      new RegExp(`\\b(?:const|function|interface|class|type) ${identifier}\\b`),
    );
  }

  expect(named.length).toBeGreaterThan(3);
});
