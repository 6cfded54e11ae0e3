import { describe, expect, test } from 'vitest';
import { packCollection } from '../../../test/support/font-collections.ts';
import { readChangeNumber } from '../../../test/support/history.ts';
import { packAsWoff, packAsWoff2 } from '../../../test/support/packed-fonts.ts';
import { renameFont } from '../../../test/support/renamed-fonts.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { createVariableFont } from '../../../test/support/variable-fonts.ts';

const server = useTestServer();

function store(path: string, body: Buffer) {
  return server.request('PUT', `/fonts/${path}`, { type: 'font/ttf', body });
}

async function listFonts(): Promise<readonly string[]> {
  const { fonts } = (await server.get('/fonts.json')).json() as { readonly fonts: readonly string[] };
  return fonts;
}

describe('uploaded fonts', () => {
  test('do not include other files of the style folder', async () => {
    expect(await server.delete('/fonts/default_point.sld')).toMatchObject({
      status: 400,
      text: expect.stringContaining("'default_point.sld' cannot be deleted as a font: its extension is not that of a"),
    });
  });

  test('are listed, replaced, deleted and restored by an undo', async () => {
    const body = await renameFont();

    const created = await store('survey.ttf', body);
    expect(created.status).toBe(201);
    expect(await listFonts()).toContain('Survey1 Regular');
    expect((await store('survey.ttf', body)).status).toBe(200);

    const deleted = await server.delete('/fonts/survey.ttf');
    expect(deleted.status).toBe(200);
    expect(await listFonts()).not.toContain('Survey1 Regular');
    expect((await server.delete('/fonts/survey.ttf')).status).toBe(404);

    const undone = await server.request('POST', `/history/${readChangeNumber(deleted)}/undo`);
    expect(undone.status).toBe(200);
    expect(await listFonts()).toContain('Survey1 Regular');
  });

  test('are listed with each face of a collection and each instance of a variable font', async () => {
    const faces = [await renameFont('700Bold'), await createVariableFont()];

    expect((await store('survey.ttc', packCollection(faces))).status).toBe(201);

    expect((await listFonts()).filter((name) => name.startsWith('Survey1'))).toEqual([
      'Survey1 Bold',
      'Survey1 Condensed Light',
      'Survey1 Heavy',
      'Survey1 Regular',
    ]);
    expect((await server.delete('/fonts/survey.ttc')).status).toBe(200);
  });

  test.each([
    ['a text', 'survey.ttf', Buffer.from('This is not a font.'), 400],
    ['a font that is cut off', 'survey.ttf', Buffer.from('00010000000a00000000000000000000', 'hex'), 400],
    ['a file with another extension', 'survey.txt', Buffer.from('text'), 400],
  ])('rejects %s', async (_what, name, body, status) => {
    const reply = await store(name, body);

    expect(reply.status).toBe(status);
  });

  test('are rejected with the reason', async () => {
    const reply = await store('Bad.ttf', Buffer.from('This is a text and not a font.'));

    expect(reply.text).toContain("Invalid font 'Bad.ttf': the file is not TTF, OTF, TTC, WOFF or WOFF2.");
  });

  test('are limited in their total size, and replacing one does not count twice', async () => {
    const font = await renameFont();
    const large = Buffer.concat([font, Buffer.alloc(30 * 1_048_576 - font.length)]);
    await server.delete('/fonts/survey.ttf');

    expect((await store('one.ttf', large)).status).toBe(201);
    expect((await store('two.ttf', large)).status).toBe(201);
    expect((await store('two.ttf', large)).status).toBe(200);
    const third = await store('three.ttf', large);

    expect([third.status, third.text]).toEqual([
      400,
      "'styles/three.ttf' cannot be stored with the styles: all fonts together would have 94371840 bytes in memory, and the limit is 67108864. Delete a font first.\n",
    ]);
    for (const name of ['one', 'two']) expect((await server.delete(`/fonts/${name}.ttf`)).status).toBe(200);
  });

  test.each([
    ['WOFF', packAsWoff],
    ['WOFF2', packAsWoff2],
  ])('are limited in their total size in memory, not in that of compressed files: %s', async (_what, pack) => {
    const font = pack(await renameFont(), [{ tag: 'zero', content: Buffer.alloc(25 * 1_048_576) }]);
    expect(font.length).toBeLessThan(1_048_576);

    expect((await store('one.woff', font)).status).toBe(201);
    expect((await store('two.woff', font)).status).toBe(201);
    const third = await store('three.woff', font);

    expect(third.text).toMatch(/all fonts together would have \d{8} bytes in memory, and the limit is 67108864/);
    expect(third.status).toBe(400);
    for (const name of ['one', 'two']) expect((await server.delete(`/fonts/${name}.woff`)).status).toBe(200);
  });

  test.each([
    ['WOFF', '.woff', packAsWoff],
    ['WOFF2', '.woff2', packAsWoff2],
  ])('can be %s files, and are stored under the name of the font by POST', async (_what, extension, pack) => {
    const body = pack(await renameFont());

    const reply = await server.request('POST', '/fonts', { type: 'application/octet-stream', body });

    expect([reply.status, reply.text]).toEqual([201, `Survey1-Regular${extension}`]);
    expect(await listFonts()).toContain('Survey1 Regular');
    expect((await server.delete(`/fonts/Survey1-Regular${extension}`)).status).toBe(200);
    expect((await server.request('POST', `/fonts?name=own${extension}`, { type: 'font/woff', body })).status).toBe(201);
    expect((await server.delete(`/fonts/own${extension}`)).status).toBe(200);
  });

  test('are not stored by a dry run', async () => {
    const before = await listFonts();

    const reply = await store('dry.ttf?dryRun=true', await renameFont());

    expect(reply.status).toBeLessThan(300);
    expect(await listFonts()).toEqual(before);
  });
});
