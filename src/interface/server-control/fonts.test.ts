import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readChangeNumber } from '../../../test/support/history.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

/** A bundled font under another family name of the same length. */
async function renameFont(): Promise<Buffer> {
  const bytes = await readFile('node_modules/@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf');
  const rename = (encoding: 'latin1' | 'utf16le', swap: boolean): void => {
    const [before, after] = ['Cousine', 'Survey1'].map((name) => {
      const text = Buffer.from(name, encoding);
      return swap ? text.swap16() : text;
    });
    if (before === undefined || after === undefined) return;
    for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1)) after.copy(bytes, at);
  };
  rename('latin1', false);
  rename('utf16le', true);
  return bytes;
}

function store(path: string, body: Buffer) {
  return server.request('PUT', `/fonts/${path}`, { type: 'font/ttf', body });
}

async function listFonts(): Promise<readonly string[]> {
  const { fonts } = (await server.get('/fonts.json')).json() as { readonly fonts: readonly string[] };
  return fonts;
}

describe('uploaded fonts', () => {
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

  test.each([
    ['a text', 'survey.ttf', Buffer.from('This is no font.'), 400],
    ['a font that is cut off', 'survey.ttf', Buffer.from('00010000000a00000000000000000000', 'hex'), 400],
    ['a file with another extension', 'survey.txt', Buffer.from('text'), 400],
  ])('rejects %s', async (_what, name, body, status) => {
    const reply = await store(name, body);

    expect(reply.status).toBe(status);
  });

  test('are not stored by a dry run', async () => {
    const before = await listFonts();

    const reply = await store('dry.ttf?dryRun=true', await renameFont());

    expect(reply.status).toBeLessThan(300);
    expect(await listFonts()).toEqual(before);
  });
});
