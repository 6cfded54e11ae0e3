import { expect, test } from 'vitest';
import { freshRoot } from '../../../test/support/mortal-disk.ts';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import { collectFiles } from './collect-files.ts';
import { openFiles } from './files.ts';
import { deleteOldSentFiles, isRecentlySent, SENT_FILES_MS, SentFiles } from './sent-files.ts';

const HOUR_MS = 3_600_000;

async function createScene() {
  const notes = notesInMemory();
  const files = openFiles({ root: await freshRoot() });
  const time = { nowMs: Date.now() + 2 * HOUR_MS };
  const clock = () => time.nowMs;
  const isReferenced = (hash: string) => isRecentlySent(notes, hash, clock());
  const sent = new SentFiles({ notes, isReferenced, clock });
  const collect = () =>
    collectFiles({ stored: files.stored, references: { isFileReferenced: isReferenced }, clock, graceMs: HOUR_MS });
  const hash = await files.runFileOperation((keeper) => keeper.storeBytes(Buffer.from('bytes')));
  return { notes, files, time, sent, collect, hash };
}

test('a file that a client has asked for is kept for a day', async () => {
  const { notes, files, time, sent, collect, hash } = await createScene();
  const other = hashBytes(Buffer.from('other bytes'));

  expect(await sent.listMissing(files, [hash, other])).toEqual([other]);
  expect(await collect()).toMatchObject({ blobs: 0 });
  time.nowMs += SENT_FILES_MS;
  expect(await collect()).toMatchObject({ blobs: 0 });
  await deleteOldSentFiles(notes, time.nowMs + 1);
  time.nowMs += HOUR_MS;
  expect(await collect()).toMatchObject({ blobs: 1 });
});

test('a file without a reference is stored again, so that a collection under way does not delete it', async () => {
  const { files, sent, hash } = await createScene();
  const stored: string[] = [];
  const watched = {
    ...files,
    runFileOperation: ((operation) =>
      files.runFileOperation((keeper) =>
        operation({
          ...keeper,
          async storeFile(file) {
            stored.push(file.hash);
            await keeper.storeFile(file);
          },
        }),
      )) as typeof files.runFileOperation,
  };

  expect(await sent.listMissing(watched, [hash])).toEqual([]);
  expect(await sent.listMissing(watched, [hash])).toEqual([]);

  expect(stored).toEqual([hash]);
});
