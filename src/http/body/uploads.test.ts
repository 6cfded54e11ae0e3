import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUpload } from './uploads.ts';

async function trial(pieces: readonly Buffer[], headers: Readonly<Record<string, string>> = {}, maxUploadBytes = 1e9) {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-upload-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const upload = createUpload(Readable.from(pieces), headers, { maxUploadBytes });
  return { upload, folder, file: join(folder, 'body') };
}

describe('an upload', () => {
  it('is written piece by piece, whole and in order', async () => {
    const pieces = Array.from({ length: 100 }, (_, index) => Buffer.alloc(40_000, index));
    const { upload, file } = await trial(pieces, { 'content-type': 'Application/ZIP; x=y' });

    expect(upload.mediaType).toBe('application/zip');
    expect(await upload.saveTo(file)).toBe(4_000_000);
    expect((await readFile(file)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('may be empty, and of no type', async () => {
    const { upload, file } = await trial([]);

    expect(upload.mediaType).toBeUndefined();
    expect(await upload.saveTo(file)).toBe(0);
  });

  it.each([
    ['by what it says', { 'content-length': '2001' }, []],
    ['by what it is', {}, [Buffer.alloc(1500), Buffer.alloc(501)]],
  ])('that is too large %s is refused', async (_how, headers, pieces) => {
    const { upload, file } = await trial(pieces, headers, 2000);

    await expect(upload.saveTo(file)).rejects.toMatchObject({ code: 'body-too-large' });
  });

  it('that is compressed is refused', async () => {
    const { upload, file } = await trial([], { 'content-encoding': 'gzip' });

    await expect(upload.saveTo(file)).rejects.toMatchObject({ code: 'body-encoding-unknown' });
  });

  it('whose client goes away is incomplete', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-upload-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const stream = Readable.from(
      (async function* () {
        yield Buffer.alloc(10);
        throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
      })(),
    );

    const saved = createUpload(stream, {}, { maxUploadBytes: 1000 }).saveTo(join(folder, 'body'));

    await expect(saved).rejects.toMatchObject({ code: 'body-incomplete' });
    expect(await readdir(folder)).toEqual(['body']);
  });

  it('that names something is read as text, without the line it ends with', async () => {
    const { upload } = await trial([Buffer.from('file:///srv/d'), Buffer.from('\u00e4ta\r\n')]);

    expect(await upload.text()).toBe('file:///srv/däta');
  });
});
