/** Texts for users are plain English: they match no pattern of banned-words.txt. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourceFiles } from '../support/source-files.ts';

const project = join(import.meta.dirname, '../..');
const list = await readFile(join(import.meta.dirname, 'banned-words.txt'), 'utf8');
const banned = list
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => new RegExp(line, 'i'));

/** String and template literals; comments are removed before the match. */
const literal = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

function findBanned(where: string, text: string): readonly string[] {
  return banned.flatMap((pattern) => {
    const found = pattern.exec(text);
    if (found === null) return [];
    const around = text.slice(Math.max(0, found.index - 40), found.index + 60).replaceAll(/\s+/g, ' ');
    return [`${where}: … ${around} …`];
  });
}

it('messages, summaries, pages, help texts and log lines contain no banned phrase', async () => {
  const files = await sourceFiles();
  const hits = files.flatMap(({ path, code }) =>
    (code.match(literal) ?? []).filter((text) => text.includes(' ')).flatMap((text) => findBanned(`src/${path}`, text)),
  );

  expect(hits).toEqual([]);
});

it('documents contain no banned phrase', async () => {
  const docs = (await readdir(join(project, 'docs'), { recursive: true })).map((name) => `docs/${name}`);
  const top = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'bench/RESULTS.md',
    'test/security/README.md',
  ];
  const pages = [...top, ...docs].filter((name) => name.endsWith('.md'));
  const hits: string[] = [];
  for (const page of pages) {
    const lines = (await readFile(join(project, page), 'utf8')).split('\n');
    for (const [index, line] of lines.entries()) hits.push(...findBanned(`${page}:${index + 1}`, line));
  }

  expect(pages.length).toBeGreaterThan(20);
  expect(hits).toEqual([]);
});
