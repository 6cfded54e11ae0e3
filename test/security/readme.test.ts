import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;

it('the table of security lessons has a row with a test for each of the 27 lessons', async () => {
  const rows = (await readFile(join(here, 'README.md'), 'utf8')).matchAll(/^\| (\d+) \| .+ \| (.*) \|$/gm);

  const lessons = [...rows].map(([, number, tests]) => ({ number: Number(number), tests }));

  expect(lessons.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
  expect(lessons.filter(({ tests }) => !tests?.includes('test.ts'))).toEqual([]);
});

it('every test that the table of security lessons names exists', async () => {
  const names = (await readFile(join(here, 'README.md'), 'utf8')).match(/[\w/.-]+\.test\.ts/g) ?? [];

  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    await access(name.includes('/') ? join(here, '../..', name) : join(here, name));
  }
});
