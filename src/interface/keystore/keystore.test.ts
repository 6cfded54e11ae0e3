import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOnPostgres } from '../../../test/support/shared-storage.ts';
import { startTestServer, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { escapeText } from '../../lib/xml/escape.ts';

async function currentPassword(server: TestServer): Promise<string> {
  const document = (await server.get('/security/masterpw.json')).json();
  return (document as { oldMasterPassword: string }).oldMasterPassword;
}

const xml = (old: string, next: string) =>
  `<masterPassword><oldMasterPassword>${escapeText(old)}</oldMasterPassword><newMasterPassword>${escapeText(next)}</newMasterPassword></masterPassword>`;

const json = (old: string, next: string) => JSON.stringify({ oldMasterPassword: old, newMasterPassword: next });
const rootedJson = (old: string, next: string) => `{"masterPassword":${json(old, next)}}`;

describe('keystore password', () => {
  const server = useTestServer();

  it('is returned to administrators in XML and in JSON', async () => {
    const asXml = await server.get('/security/masterpw.xml');
    const asJson = await server.get('/security/masterpw.json');

    expect(asXml).toMatchObject({ status: 200, headers: { 'content-type': 'application/xml' } });
    expect(asXml.text).toMatch(
      /^<masterPassword>\n {2}<oldMasterPassword>[\w-]{24}<\/oldMasterPassword>\n<\/masterPassword>\n$/,
    );
    expect(asJson).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(asJson.json()).toEqual({ oldMasterPassword: expect.stringMatching(/^[\w-]{24}$/) });
    expect((await server.get('/security/masterpw')).headers['content-type']).toBe('application/xml');
    expect((await server.get('/security/masterpw', { accept: 'text/json' })).status).toBe(200);
  });

  it('is not shown or linked on any page', async () => {
    const password = await currentPassword(server);

    const page = await server.get('/security/masterpw.html');
    const asked = await server.get('/security/masterpw', { accept: 'text/html' });

    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.text).toContain('curl -u admin http');
    for (const { text } of [page, asked, await server.get('.html')]) {
      expect(text).not.toContain(password);
      expect(text).not.toMatch(/href="[^"]*masterpw(?:"|\.xml|\.json)/);
    }
  });

  it('is returned with headers that forbid caching', async () => {
    expect((await server.get('/security/masterpw.xml')).headers['cache-control']).toBe('no-store');
  });

  it('differs on every server', async () => {
    const other = await startTestServer();

    expect(await currentPassword(other)).not.toBe(await currentPassword(server));
    await other.close();
  });

  it.each([
    ['XML', '.xml', 'text/xml', 'changed by XML', xml],
    ['XML without an extension', '', 'application/xml', 'changed again', xml],
    ['JSON', '.json', 'application/json', 'by JSON!', json],
    ['JSON with a root', '.json', 'text/json', 'by root!', rootedJson],
    [
      'surrounding spaces',
      '.xml',
      'text/xml',
      'without blanks',
      (old: string, next: string) => xml(`\n ${old}`, ` ${next}\n`),
    ],
    ['other alphabets', '.xml', 'text/xml', 'пароль <& 😀', xml],
  ])('is changed by %s', async (_what, ending, type, next, write) => {
    const before = await currentPassword(server);

    const reply = await server.put(`/security/masterpw${ending}`, write(before, next), { type });

    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(await currentPassword(server)).toBe(next);
    expect((await server.get('/security/masterpw.xml')).text).toContain(`>${escapeText(next)}<`);
    expect((await server.put('/security/masterpw', xml(before, 'yet another one'))).status).toBe(422);
  });

  it.each([
    ['a missing new password', '<masterPassword><oldMasterPassword>CURRENT</oldMasterPassword></masterPassword>', 400],
    [
      'a missing old password',
      '<masterPassword><newMasterPassword>new password</newMasterPassword></masterPassword>',
      400,
    ],
    ['a blank old password', xml(' ', 'new password'), 400],
    ['a blank new password', xml('CURRENT', '  '), 400],
    ['a null', '{"oldMasterPassword":"CURRENT","newMasterPassword":null}', 400],
    ['an empty element', '<masterPassword/>', 400],
    ['an empty object', '{}', 400],
    ['no body', '', 400],
    ['another document type', '<workspace><name>x</name></workspace>', 400],
    ['two new passwords', '{"oldMasterPassword":"CURRENT","newMasterPassword":["one one one","two two two"]}', 400],
    ['a list', '["CURRENT","new password"]', 400],
    ['broken XML', '<masterPassword><oldMasterPassword>', 400],
    ['broken JSON', '{"oldMasterPassword":', 400],
    [
      'an external entity',
      `<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/hostname">]>${xml('CURRENT', 'new password').replace('new', '&x;')}`,
      400,
    ],
    ['a wrong old password', xml('not the one', 'new password'), 422],
    ['an old password in another case', xml('current', 'new password'), 422],
    ['a short new password', xml('CURRENT', 'seven77'), 422],
    ['the same password', xml('CURRENT', 'CURRENT'), 422],
    ['a control character', '{"oldMasterPassword":"CURRENT","newMasterPassword":"pass\\u0001word"}', 400],
  ])('is unchanged after %s', async (_what, body, status) => {
    const before = await currentPassword(server);

    const reply = await server.put(
      '/security/masterpw',
      body.replaceAll('CURRENT', body.startsWith('<') ? escapeText(before) : before),
    );

    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain(before);
    expect(reply.text).not.toContain('new password');
    expect(await currentPassword(server)).toBe(before);
  });

  it('is unchanged by a form in another format', async () => {
    const reply = await server.put('/security/masterpw', 'oldMasterPassword=x', { type: 'text/plain' });

    expect(reply.status).toBe(415);
  });

  it('is rejected with the reason, in the format of the request', async () => {
    const reply = await server.put('/security/masterpw.xml', '<masterPassword/>');

    expect(reply.text).toContain('<status>400</status>');
    expect(reply.text).toContain('masterPassword.oldMasterPassword: is required');
    expect(reply.text).toContain('masterPassword.newMasterPassword: is required');
  });

  it('has an ETag that guards a change', async () => {
    const { headers } = await server.get('/security/masterpw.xml');
    const before = await currentPassword(server);
    const etag = headers['etag'] ?? '';

    const guarded = { headers: { 'if-match': etag } };
    expect((await server.put('/security/masterpw', xml(before, 'guarded once'), guarded)).status).toBe(200);
    expect((await server.put('/security/masterpw', xml('guarded once', 'guarded twice'), guarded)).status).toBe(412);
    expect(await currentPassword(server)).toBe('guarded once');
    expect((await server.get('/security/masterpw.xml', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('can be neither added nor deleted', async () => {
    for (const method of ['POST', 'DELETE']) {
      const reply = await server.request(method, '/security/masterpw.xml');
      expect(reply.status).toBe(405);
      expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS, PUT');
    }
  });

  it('is denied to users who are not administrators, regardless of the rules', async () => {
    const ann = await addUser(server, 'ann', 'ROLE_CURIOUS');
    await server.post('/security/acl/rest', '{"/**:GET,PUT":"*"}');
    await server.post('/security/acl/layers', '{"*.*.a":"*"}');
    const before = await currentPassword(server);

    for (const path of [
      '/security/masterpw',
      '/security/masterpw.xml',
      '/security/masterpw.json',
      '/security//masterpw/',
    ]) {
      for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS', 'POST']) {
        const body = { body: xml(before, 'new password'), type: 'xml' };
        expect((await server.request(method, path, { as: ann, ...body })).status).toBe(403);
        expect((await server.request(method, path, { as: null, ...body })).status).toBe(401);
      }
    }
    expect((await server.get('/security/masterpw', { as: ann })).text).not.toContain(before);
    expect(await currentPassword(server)).toBe(before);
  });

  it('is changed by exactly one of several concurrent requests', async () => {
    const before = await currentPassword(server);

    const replies = await Promise.all(
      ['first wins', 'second try', 'third try!'].map((next) => server.put('/security/masterpw', xml(before, next))),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(await currentPassword(server)).toBe(['first wins', 'second try', 'third try!'][winner]);
  });
});

describe('keystore password with --compat geoserver', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it('is JSON unless the client requests XML', async () => {
    expect((await server.get('/security/masterpw')).json()).toEqual({ oldMasterPassword: expect.any(String) });
  });
});

describe('a changed keystore password', () => {
  it('survives a restart, and appears in no log, change log, response or file in plain text', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'graticule-canary-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const first = await startTestServer({ dataDir });
    const generated = await currentPassword(first);
    const canaries = ['canary-one-5up3r', 'canary-two-5up3r', 'canary-bad'];
    await first.put('/security/masterpw', xml(generated, 'canary-one-5up3r'));
    await first.put('/security/masterpw', xml('canary-bad', 'canary-two-5up3r'));
    await first.put('/security/masterpw?new=canary-bad', xml('canary-one-5up3r', 'canary-two-5up3r'));
    await first.get('/security/masterpw.html');
    const entries = await first.server.storage.listChanges(0, 1_000);
    await first.close();

    const second = await startTestServer({ dataDir });
    expect(await currentPassword(second)).toBe('canary-two-5up3r');
    await second.close();

    expect(entries.filter(({ what }) => what === 'change the keystore password').map(({ who }) => who)).toEqual([
      'admin',
      'admin',
    ]);
    const logged = [...first.log, ...second.log, JSON.stringify(entries)].join('\n');
    const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    // Nodes receive their key and do not store one.
    expect(files.some(({ name }) => name === 'server.key')).toBe(!isOnPostgres);
    for (const secret of [generated, ...canaries]) {
      expect(logged).not.toContain(secret);
      for (const file of files) {
        const content = await readFile(join(file.parentPath, file.name), 'latin1');
        expect(content.includes(secret), `${file.name} holds a password`).toBe(false);
      }
    }
  });
});
