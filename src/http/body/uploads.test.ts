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

describe('upload', () => {
  it('is written in chunks, complete and in order', async () => {
    const pieces = Array.from({ length: 100 }, (_, index) => Buffer.alloc(40_000, index));
    const { upload, file } = await trial(pieces, { 'content-type': 'Application/ZIP; x=y' });

    expect(upload.mediaType).toBe('application/zip');
    expect(await upload.saveTo(file)).toBe(4_000_000);
    expect((await readFile(file)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('can be empty and without a type', async () => {
    const { upload, file } = await trial([]);

    expect(upload.mediaType).toBeUndefined();
    expect(await upload.saveTo(file)).toBe(0);
  });

  it.each([
    ['by its declared length', { 'content-length': '2001' }, []],
    ['by its actual length', {}, [Buffer.alloc(1500), Buffer.alloc(501)]],
  ])('is rejected if it is too large %s', async (_how, headers, pieces) => {
    const { upload, file } = await trial(pieces, headers, 2000);

    await expect(upload.saveTo(file)).rejects.toMatchObject({ code: 'body-too-large' });
  });

  it('is rejected if it is compressed', async () => {
    const { upload, file } = await trial([], { 'content-encoding': 'gzip' });

    await expect(upload.saveTo(file)).rejects.toMatchObject({ code: 'body-encoding-unknown' });
  });

  it('is incomplete if the client disconnects', async () => {
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

  it('is read as text without the trailing line break', async () => {
    const { upload } = await trial([Buffer.from('file:///srv/d'), Buffer.from('\u00e4ta\r\n')]);

    expect(await upload.text()).toBe('file:///srv/däta');
  });
});
