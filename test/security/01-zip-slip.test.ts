/** Lesson 1: zip slip. An archive with a malicious entry name writes no file, inside or outside the folder. */

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trial } from '../support/archives.ts';
import { extraField, rawZip } from '../support/raw-zip.ts';

describe('lesson 1: zip slip', () => {
  it.each([
    ['../evil', 'leads out of the archive'],
    ['..', 'leads out of the archive'],
    ['a/../../evil', 'leads out of the archive'],
    ['a/../b', 'leads out of the archive'],
    ['../', 'leads out of the archive'],
    ['/etc/evil', 'absolute'],
    ['//server/share/evil', 'absolute'],
    ['C:/evil', 'absolute'],
    ['c:evil', 'absolute'],
    ['\\evil', 'absolute'],
    ['\\\\server\\share\\evil', 'absolute'],
    ['..\\evil', 'backslash'],
    ['a\\..\\..\\evil', 'backslash'],
    ['a/..\\evil', 'backslash'],
    ['evil\0.txt', 'control character'],
    ['evil\n.txt', 'control character'],
    ['evil\u202etxt.exe', 'control character'],
    ['evil:stream', 'the character :'],
    ['evil.', 'dot or a space'],
    ['evil ', 'dot or a space'],
    ['a./b', 'dot or a space'],
    ['.../b', 'dots'],
    ['a//b', 'it is empty'],
    ['', 'no name'],
    ['a'.repeat(256), 'longer than 255 bytes'],
    ['é'.repeat(128), 'longer than 255 bytes'],
    ['a/'.repeat(600), 'longer than 1024 bytes'],
    [`${'a/'.repeat(30)}b`, 'deeper than 20 folders'],
  ])('rejects an archive with an entry named %j', async (name, reason) => {
    const { unpack, listing } = await trial(
      rawZip([
        { name: 'good.txt', data: 'good' },
        { name, data: '' },
      ]),
    );
    const before = await listing();

    const outcome = unpack();

    await expect(outcome).rejects.toMatchObject({ code: 'archive-refused', status: 400 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(before);
  });

  it('rejects a harmless entry name that an extra field replaces with a malicious one', async () => {
    const head = Buffer.alloc(5);
    head.writeUInt8(1, 0);
    head.writeUInt32LE(crc32('good.txt'), 1);
    const extra = extraField(0x7075, Buffer.concat([head, Buffer.from('../evil')]));

    const { unpack, listing } = await trial(rawZip([{ name: 'good.txt', data: 'x', extra }]));

    await expect(unpack()).rejects.toThrow('leads out of the archive');
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('rejects an archive with any other entry name, or extracts it inside the folder', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      'B',
      '/',
      '\\',
      '~',
      ' ',
      'C:',
      '%2e%2e',
      '．．',
      '\u2025',
      'ﬀ',
      '\0',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), async (parts, slashed) => {
        const name = parts.join(slashed ? '/' : '');
        const { unpack, listing } = await trial(rawZip([{ name, data: 'x' }]));

        const outcome = await unpack().catch((error: unknown) => error);

        const written = (await listing()).filter((each) => each !== 'spooled.zip');
        expect(written.every((each) => each === 'unpacked' || each.startsWith('unpacked/'))).toBe(true);
        if (!Array.isArray(outcome)) {
          expect(outcome).toMatchObject({ code: 'archive-refused' });
          expect(written).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
