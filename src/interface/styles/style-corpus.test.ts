import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CSS_TYPE, SE_TYPE, SLD_TYPE, send } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

type Language = 'sld' | 'css';

function documentsIn(
  folder: 'accepted' | 'forgiven' | 'broken',
  language: Language,
): readonly (readonly [string, Language, Buffer])[] {
  const directory = new URL(`../../../test/styles/${language}/${folder}/`, import.meta.url);
  const names = readdirSync(directory).filter((name) => name.endsWith(`.${language}`));
  return names.map((name) => [name, language, readFileSync(new URL(name, directory))] as const);
}

const accepted = [...documentsIn('accepted', 'sld'), ...documentsIn('accepted', 'css')];
const forgiven = [...documentsIn('forgiven', 'sld'), ...documentsIn('forgiven', 'css')];
const broken = [...documentsIn('broken', 'sld'), ...documentsIn('broken', 'css')];

/** The Content-Type that a client would derive from the document. */
function typeOf(language: Language, bytes: Buffer): string {
  if (language === 'css') {
    return CSS_TYPE;
  }
  const root = /<(?:\w+:)?(?:StyledLayerDescriptor|UserStyle)[^>]*>/i.exec(bytes.toString())?.[0] ?? '';
  const version = /\sversion="([^"]*)"/.exec(root)?.[1];
  return version?.startsWith('1.1') || (version === undefined && root.includes('opengis.net/se"')) ? SE_TYPE : SLD_TYPE;
}

describe('style corpus', () => {
  const server = useTestServer();

  it.each(accepted)('accepts %s, returns it byte for byte and draws it', async (name, language, bytes) => {
    const created = await send(server, 'POST', '/styles?name=sample', typeOf(language, bytes), bytes);
    expect([name, created.status]).toEqual([name, 201]);

    const content = await server.get(`/styles/sample.${language}`);
    const swatch = await server.get('/styles/sample.png');
    const packed = await server.get('/styles/sample.zip');

    expect(content.bytes.equals(bytes)).toBe(true);
    expect([swatch.status, swatch.headers['content-type'], packed.status]).toEqual([200, 'image/png', 200]);
    expect((await server.delete('/styles/sample?purge=true')).status).toBe(200);
  });

  it.each(forgiven)('accepts %s with warnings and draws it', async (name, language, bytes) => {
    const created = await send(server, 'POST', '/styles?name=sample', typeOf(language, bytes), bytes);

    const content = await server.get(`/styles/sample.${language}`);
    const swatch = await server.get('/styles/sample.png');

    expect([name, created.status, created.headers['warning']]).toEqual([name, 201, expect.stringMatching(/Line \d+/)]);
    expect(content.bytes.equals(bytes)).toBe(true);
    expect([swatch.status, swatch.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await server.delete('/styles/sample?purge=true')).status).toBe(200);
  });

  it.each(broken)(
    'rejects %s under strict handling with its line or a suggestion, and leaves nothing behind',
    async (_, language, bytes) => {
      const headers = { prefer: 'handling=strict' };

      const refused = await send(server, 'POST', '/styles?name=sample', typeOf(language, bytes), bytes, { headers });

      expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/line \d+|looks like/i)]);
      expect((await server.get('/styles/sample.xml')).status).toBe(404);
    },
  );
});
