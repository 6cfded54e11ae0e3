/** The lesson table is the to-do list for new resource families: it must name every lesson, and only existing tests. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;

it('the table has a row for each of the 27 lessons, with a test or an open task', async () => {
  const rows = (await readFile(join(here, 'README.md'), 'utf8')).matchAll(/^\| (\d+) \| .+ \| (.*) \| (.*) \|$/gm);

  const lessons = [...rows].map(([, number, tested, waiting]) => ({ number: Number(number), tested, waiting }));

  expect(lessons.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
  expect(lessons.filter(({ tested, waiting }) => tested === '' && waiting === '')).toEqual([]);
});

it('every test that the table names exists', async () => {
  const names = (await readFile(join(here, 'README.md'), 'utf8')).match(/[\w/.-]+\.test\.ts/g) ?? [];

  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    await access(name.includes('/') ? join(here, '../..', name) : join(here, name));
  }
});
