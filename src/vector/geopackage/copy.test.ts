import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { makeRoads, openGeopackage } from '../../../test/support/geopackages.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';

const folder = useTemporaryFolder('copied');
const never = new AbortController().signal;

it('a copy contains the committed data while another process writes', async () => {
  const { path } = await makeRoads(folder);
  const writer = new DatabaseSync(path);
  writer.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes (text) VALUES ('committed')");
  writer.exec("BEGIN IMMEDIATE; INSERT INTO notes (text) VALUES ('not yet')");
  const source = await openGeopackage(path);

  await source.copyTo?.(join(folder, 'copy.gpkg'), never);

  writer.close();
  const copy = new DatabaseSync(join(folder, 'copy.gpkg'), { readOnly: true });
  const notes = copy.prepare('SELECT text FROM notes').all();
  const [state] = copy.prepare('PRAGMA integrity_check').all();
  copy.close();
  expect(notes.map(({ text }) => text)).toEqual(['committed']);
  expect(state).toEqual({ integrity_check: 'ok' });
});

it('copying a missing file fails', async () => {
  const source = await openGeopackage(join(folder, 'none.gpkg'));

  await expect(source.copyTo?.(join(folder, 'other.gpkg'), never)).rejects.toMatchObject({
    code: 'vector-file-missing',
  });
});
