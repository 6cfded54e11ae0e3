import { open } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { fromRandomAccessReaderPromise } from 'yauzl';
import { trial } from '../../../test/support/archives.ts';
import { extraField, rawZip } from '../../../test/support/raw-zip.ts';
import { limits } from '../../server/settings/limits.ts';
import { planUnpacking } from './plan.ts';
import { SpooledArchive } from './spooled-archive.ts';

it('keeps only what unpacking needs, without extra fields, which can fill the whole archive', async () => {
  const archive = rawZip([{ name: 'a', data: 'abc', extra: extraField(0x9999, Buffer.alloc(60_000)) }]);
  const { spooled } = await trial(archive);
  const file = await open(spooled, 'r');
  onTestFinished(() => file.close());
  const zip = await fromRandomAccessReaderPromise(new SpooledArchive(file, archive.length), archive.length, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  });

  expect(await planUnpacking(zip, file, limits.archive)).toEqual([
    {
      name: 'a',
      parts: ['a'],
      kind: 'file',
      entry: { compressedSize: 3, uncompressedSize: 3, compressionMethod: 0, crc32: expect.any(Number) },
      dataStart: 31,
    },
  ]);
});
