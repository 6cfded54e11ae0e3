import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type RowContents, WrittenRows } from './written-rows.ts';

const folder = useTemporaryFolder('written-rows');

function createContents(index: number): RowContents {
  const body = { title: `${index} é `.repeat(4_000) };
  return {
    record: {
      ...{ id: `thing-${index}`, kind: 'thing', parent: 'home', name: `name ${index}`, body },
      ...{ version: index, createdAtMs: 1, modifiedAtMs: 2 },
    },
    parts: { text: JSON.stringify(body), keys: { title: [String(index)] }, files: [`file-${index}`] },
  };
}

it('keeps few records in memory and returns all of them unchanged', () => {
  const rows = new WrittenRows(folder, 2_000_000);
  const written = Array.from({ length: 400 }, (_, index) => rows.add('insert', index, createContents(index)));

  expect(written.filter(({ contents }) => contents !== undefined).length).toBeLessThan(200);
  // Twice: the first look also changes which records are in memory.
  for (let look = 0; look < 2; look += 1) {
    expect(written.map((row) => rows.read(row))).toEqual(written.map((_, index) => createContents(index)));
  }
  expect(written.filter(({ contents }) => contents !== undefined).length).toBeLessThan(200);
  rows.close();
});

it('returns the same object for a record that is in use', () => {
  const rows = new WrittenRows(folder);
  const row = rows.add('insert', 1, createContents(1));

  expect(rows.read(row)).toBe(rows.read(row));
});
