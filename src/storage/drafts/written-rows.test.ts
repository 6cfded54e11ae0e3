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
  const written = Array.from({ length: 400 }, (_, index) =>
    rows.add({ action: 'insert', age: index, step: index }, createContents(index)),
  );

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
  const row = rows.add({ action: 'insert', age: 1, step: 0 }, createContents(1));

  expect(rows.read(row)).toBe(rows.read(row));
});

it('reads a row once without replacing those in memory', () => {
  const rows = new WrittenRows(folder, 500_000);
  const written = Array.from({ length: 40 }, (_, index) =>
    rows.add({ action: 'insert', age: index, step: index }, createContents(index)),
  );
  const listResident = () => written.filter(({ contents }) => contents !== undefined);
  const resident = listResident();

  expect(written.map((row) => rows.readOnce(row))).toEqual(written.map((_, index) => createContents(index)));
  expect(listResident()).toEqual(resident);
  expect(resident.length).toBeLessThan(40);
  rows.close();
});

it('keeps the rows in memory that are read again and again', () => {
  const rows = new WrittenRows(folder, 500_000);
  const often = rows.add({ action: 'insert', age: 0, step: 0 }, createContents(0));
  for (let index = 1; index < 200; index += 1) {
    rows.add({ action: 'insert', age: index, step: index }, createContents(index));
    expect(rows.read(often).record.id).toBe('thing-0');
    expect(often.spilled).toBeUndefined();
  }
  rows.close();
});
