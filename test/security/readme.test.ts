/** The table of lessons is the to-do list of families to come: it must name every lesson, and only tests that exist. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;

it('the table has a row for each of the 27 lessons, tested or waiting for somebody', async () => {
  const rows = (await readFile(join(here, 'README.md'), 'utf8')).matchAll(/^\| (\d+) \| .+ \| (.*) \| (.*) \|$/gm);

  const lessons = [...rows].map(([, number, tested, waiting]) => ({ number: Number(number), tested, waiting }));

  expect(lessons.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
  expect(lessons.filter(({ tested, waiting }) => tested === '' && waiting === '')).toEqual([]);
});

it('every test that the table names is there', async () => {
  const names = (await readFile(join(here, 'README.md'), 'utf8')).match(/[\w/.-]+\.test\.ts/g) ?? [];

  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    await access(name.includes('/') ? join(here, '../..', name) : join(here, name));
  }
});
