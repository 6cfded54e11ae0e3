import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createStylePackage,
  lineSld,
  pictureSld,
  SE_TYPE,
  SLD_TYPE,
  send,
  tinyPng,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

/** The same style with enough white space to be parsed in a worker thread. */
function enlarged(sld: string): string {
  return sld.replace('<NamedLayer>', `${'\n'.repeat(100_000)}<NamedLayer>`);
}

describe('a large style', () => {
  const server = useTestServer();

  it('is accepted, stored and returned like a small one', async () => {
    const sld = enlarged(lineSld('large'));

    const created = await send(server, 'POST', '/styles', SLD_TYPE, sld);

    expect([created.status, created.text]).toEqual([201, 'large']);
    expect((await server.get('/styles/large.sld')).text).toBe(sld);
  });

  it('is converted and drawn like a small one', async () => {
    await send(server, 'POST', '/styles?name=red', SLD_TYPE, enlarged(lineSld('red')));
    await send(server, 'POST', '/styles?name=small-red', SLD_TYPE, lineSld('red'));

    const converted = await server.get('/styles/red', { accept: SE_TYPE });
    const drawn = await server.get('/styles/red.png');

    expect(converted.text).toBe((await server.get('/styles/small-red', { accept: SE_TYPE })).text);
    expect(drawn.bytes).toEqual((await server.get('/styles/small-red.png')).bytes);
  });

  it('is rejected with every error and its location in strict handling, like a small one', async () => {
    const wrong = enlarged(lineSld('wrong')).replace('<Stroke>', '<Stroke><Wrong/>');

    const refused = await send(server, 'POST', '/styles', SLD_TYPE, wrong, {
      accept: 'application/problem+json',
      headers: { prefer: 'handling=strict' },
    });

    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({
      code: 'style-invalid',
      detail: expect.stringContaining("Line 100004, column 29: 'Wrong' is not expected in Stroke"),
    });
  });

  it('leaves nothing on disk when it is rejected', async () => {
    const filesIn = async (folder: string) =>
      (await readdir(join(server.dataDir, folder), { recursive: true })).toSorted();
    const blobs = await filesIn('blobs');

    const refused = await send(server, 'POST', '/styles', SLD_TYPE, enlarged(lineSld('x')).replace('</Stroke>', ''));

    expect(refused.status).toBe(400);
    expect(await filesIn('blobs')).toEqual(blobs);
    expect(await filesIn('staging')).toEqual([]);
  });

  it('is rejected if it is not XML, like a small one', async () => {
    const broken = enlarged(lineSld('broken')).replace('</Stroke>', '');

    const refused = await send(server, 'POST', '/styles', SLD_TYPE, broken, { accept: 'application/problem+json' });

    expect(refused.json()).toMatchObject({ code: 'xml-malformed', detail: expect.stringContaining('line 100004') });
  });

  it('includes the images of its package, and is drawn with them', async () => {
    const content = createStylePackage({
      'pictures.sld': enlarged(pictureSld('pictures', 'a.png')),
      'a.png': tinyPng(0),
    });
    await send(server, 'POST', '/styles?name=pictures', ZIP_TYPE, content);
    await send(server, 'POST', '/styles?name=none', SLD_TYPE, enlarged(pictureSld('none', 'missing.png')));

    const withPicture = await server.get('/styles/pictures.png');
    const without = await server.get('/styles/none.png');

    expect([withPicture.status, without.status]).toEqual([200, 200]);
    expect(withPicture.bytes).not.toEqual(without.bytes);
  });
});
