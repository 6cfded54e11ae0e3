/** Lesson 2: links in archives are rejected in every encoding. */
import { describe, expect, it } from 'vitest';
import { trial } from '../support/archives.ts';
import { extraField, type RawEntry, rawZip } from '../support/raw-zip.ts';

describe('lesson 2: links in archives', () => {
  it.each([
    ['a symbolic link', { mode: 0o120777, data: '/etc/passwd' }, 'it is a link'],
    ['a symbolic link to a folder', { name: 'link/', mode: 0o120777 }, 'it is a link'],
    ['a Windows link', { dosAttributes: 0x400 }, 'it is a link'],
    ['a link in the PKWARE Unix extra field', { extra: extraField(0x000d, Buffer.alloc(20)) }, 'it is a link'],
    ['a link in the ASi Unix extra field', { extra: extraField(0x756e, Buffer.alloc(20)) }, 'it is a link'],
    ['a pipe', { mode: 0o010644 }, 'neither a file nor a folder'],
    ['a device', { mode: 0o020644 }, 'neither a file nor a folder'],
    ['a block device', { mode: 0o060644 }, 'neither a file nor a folder'],
    ['a socket', { mode: 0o140644 }, 'neither a file nor a folder'],
    ['a volume label', { dosAttributes: 0x08 }, 'neither a file nor a folder'],
    ['a folder mode on a file name', { mode: 0o040755 }, 'do not match'],
    ['a file mode on a folder name', { name: 'link/', mode: 0o100644 }, 'do not match'],
  ] satisfies [string, Partial<RawEntry>, string][])('rejects an archive with %s', async (_case, entry, reason) => {
    const archive = rawZip([
      { name: 'good.txt', data: 'x' },
      { name: 'link', ...entry },
      { name: 'link2/evil', data: 'x' },
    ]);
    const { unpack, listing } = await trial(archive);

    const outcome = unpack();

    await expect(outcome).rejects.toMatchObject({ code: 'archive-refused', status: 400 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('accepts files and folders with Unix permissions', async () => {
    const archive = rawZip([
      { name: 'a/', mode: 0o040755, dosAttributes: 0x10 },
      { name: 'a/b', data: 'x', mode: 0o100644, extra: extraField(0x000d, Buffer.alloc(12)) },
    ]);

    expect(await (await trial(archive)).unpack()).toMatchObject([{ name: 'a/b' }]);
  });
});
