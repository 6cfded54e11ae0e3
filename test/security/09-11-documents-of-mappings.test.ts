/** Lessons 9 to 11 and 23 for uploaded mappings: neither mappings nor their schemas open, fetch or expand anything. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createArchive,
  files as plainStore,
  store as sourceStore,
  surveyFiles,
  type UploadedFiles,
} from '../support/mapping-samples.ts';
import { useTestServer } from '../support/test-server.ts';
import { useTrap } from '../support/trap.ts';
import { snapshot } from '../support/vector-samples.ts';

const CANARY = 'canary-in-a-file';
const store = '/workspaces/acme/datastores/survey';

describe('uploaded mappings', () => {
  const server = useTestServer();
  const trap = useTrap();
  let folder = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    folder = await mkdtemp(join(tmpdir(), 'graticule-mapping-'));
    await writeFile(join(folder, 'secret.txt'), CANARY);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const put = (files: UploadedFiles) =>
    server.request('PUT', `${store}/file.appschema?configure=all`, {
      type: 'application/zip',
      body: createArchive(files),
    });
  const changed = (name: string, change: (text: string) => string): UploadedFiles => ({
    ...surveyFiles,
    [name]: change(surveyFiles[name] ?? ''),
  });
  const afterDeclaration = (piece: string) => (text: string) => text.replace(/^<\?xml.*?\?>/, (head) => head + piece);
  const insideRoot = (piece: string) => (text: string) => text.replace(/(<[\w:]+ [^>]*>)/, (root) => root + piece);

  const documents = ['survey.appschema', 'samples.xml', 'survey.xsd', 'parts/sample.xsd'];
  const doctypes: Readonly<Record<string, () => string>> = {
    'a file': () => `<!DOCTYPE a [<!ENTITY x SYSTEM "file://${folder}/secret.txt">]>`,
    'a URL': () => `<!DOCTYPE a [<!ENTITY x SYSTEM "${trap.url}/entity">]>`,
    'an external subset': () => `<!DOCTYPE a SYSTEM "${trap.url}/subset.dtd">`,
    'a parameter entity': () => `<!DOCTYPE a [<!ENTITY % p SYSTEM "${trap.url}/parameter"> %p;]>`,
  };

  it.each(documents.flatMap((name) => Object.keys(doctypes).map((what) => [name, what] as const)))(
    'lesson 9: rejects a mapping if %s has a document type with %s',
    async (name, what) => {
      const before = await snapshot(server.dataDir);

      const reply = await put(changed(name, afterDeclaration(doctypes[what]?.() ?? '')));

      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('DOCTYPE')]);
      expect(reply.text).not.toContain(CANARY);
      expect(trap.caught).toEqual([]);
      expect(await snapshot(server.dataDir)).toEqual(before);
    },
  );

  it.each(documents)('lesson 10: opens no location that %s names', async (name) => {
    const hints = `<?xml-stylesheet type="text/xsl" href="${trap.url}/x.xsl"?><?xml-model href="${trap.url}/x.rng"?>`;
    const locations = (text: string) =>
      text.replace(
        /<([\w:]+) /,
        `<$1 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x ${trap.url}/x.xsd" xml:base="${trap.url}/" `,
      );

    const taken = await put(changed(name, (text) => locations(afterDeclaration(hints)(text))));
    await server.delete(`${store}?recurse=true`);
    const included = await put(
      changed(
        name,
        insideRoot(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${trap.url}/x" parse="text"/>`),
      ),
    );

    expect([taken.status, taken.text]).toEqual([200, expect.any(String)]);
    // Schemas ignore elements of other namespaces; mappings reject them.
    expect([200, 400]).toContain(included.status);
    expect(trap.caught).toEqual([]);
    await server.delete(`${store}?recurse=true`);
  });

  it('lesson 10: fetches no schema and no mapping from any declared location', async () => {
    const reply = await put({
      ...changed('survey.appschema', (text) =>
        text.replace('survey.xsd', `${trap.url}/survey.xsd`).replace('samples.xml', `${trap.url}/samples.xml`),
      ),
      'survey.xsd': (surveyFiles['survey.xsd'] ?? '').replace('parts/sample.xsd', `${trap.url}/sample.xsd`),
    });

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('no enabled URL check matches it')]);
    expect(trap.caught).toEqual([]);
  });

  it.each([
    ['jndiReferenceName', 'java:comp/env/jdbc/x'],
    ['Session startup SQL', 'DROP TABLE x'],
    ['driver', 'org.example.Evil'],
    ['host', 'ldap://evil.example/x'],
    ['database', 'x?socketFactory=org.example.Evil'],
    ['host', '/var/run/postgresql'],
  ])('lesson 23: rejects a mapping if a store in it has %s = %s', async (name, value) => {
    const parameters = { dbtype: 'postgis', host: 'db.example', database: 'd', user: 'u', [name]: value };
    const named = sourceStore('files', parameters);

    const reply = await put(changed('survey.appschema', (text) => text.replace(plainStore, named)));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("'files' is unusable")]);
    expect(reply.text).not.toContain(value);
  });

  it.each(documents)('lesson 11: rejects a mapping if %s exceeds the nesting limit', async (name) => {
    const deep = `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`;

    const reply = await put(changed(name, insideRoot(deep)));

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(name)]);
  });
});
