import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lineSld } from '../../../test/support/styles.ts';
import { openCatalog } from '../../records/catalog.ts';
import type { Files } from '../../records/files/files.ts';
import { recordKinds } from '../../server/storage/record-kinds.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { describeContent } from '../../styling/content/describe-content.ts';
import { readContent } from '../../styling/content/read-content.ts';
import { styleKind } from '../kinds/style.ts';
import { createStyleFromContent } from './create-style.ts';
import { buildContent, type SentContent } from './sent-content.ts';

const principal = { name: 'ann', roles: new Set<string>() };
const bytes = Buffer.from(lineSld('a'));
const sent: SentContent = {
  ...buildContent(bytes, describeContent(readContent(bytes))),
  images: undefined,
  ignored: [],
};

async function openTrial() {
  const root = await mkdtemp(join(tmpdir(), 'graticule-styles-'));
  const storage = await openSqliteStorage({
    file: join(root, 'c.sqlite'),
    clock: () => 0,
    kinds: recordKinds,
  });
  onTestFinished(async () => {
    await storage.close();
    await rm(root, { recursive: true, force: true });
  });
  return openCatalog(storage);
}

function keepingWith(keepBytes: (bytes: Uint8Array) => Promise<string>): Pick<Files, 'runFileOperation'> {
  const unexpected = () => Promise.reject(new Error('Unexpected call'));
  return {
    runFileOperation: (operation) =>
      operation({ storeBytes: keepBytes, storeFile: unexpected, flush: unexpected, storeSet: unexpected }),
  };
}

describe('style creation from content', () => {
  it('does not block other changes while the bytes are written', async () => {
    const catalog = await openTrial();
    const files = keepingWith(async () => {
      // This would wait forever if the bytes were written inside the transaction.
      await catalog.change(principal, 'something else', async () => undefined);
      return 'hash';
    });

    const { view } = await createStyleFromContent(catalog, principal, undefined, { content: sent, name: 'a', files });

    expect(view.file).toMatchObject({ content: 'hash', sizeBytes: bytes.length });
  });

  it('writes no bytes when the name or the file is taken', async () => {
    const catalog = await openTrial();
    const kept: Uint8Array[] = [];
    const files = keepingWith(async (each) => `hash ${kept.push(each)}`);
    const create = (name: string) =>
      createStyleFromContent(catalog, principal, undefined, { content: sent, name, files });
    await create('a');
    await catalog.change(principal, 'a style with the file of another', (transaction) =>
      transaction.insert(styleKind, {
        parent: null,
        name: 'b',
        filename: 'c.sld',
        format: sent.format,
        legend: null,
        metadata: {},
      }),
    );

    await expect(create('a')).rejects.toMatchObject({ code: 'style-sent-twice' });
    await expect(create('c')).rejects.toMatchObject({ code: 'style-file-exists' });

    expect(kept).toHaveLength(1);
  });
});
