/** One value for every setting, and its visible effect. */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect } from 'vitest';
import { renameFont } from '../support/renamed-fonts.ts';
import { freePort } from '../support/services/free-port.ts';
import { replyTo } from './http-client.ts';
import type { StartedServer } from './started-server.ts';

export interface SettingCase {
  /** A value, or a function that creates one in a folder of the test. */
  readonly value: string | ((folder: string) => Promise<string>);
  readonly effect: (server: StartedServer, value: string) => Promise<void>;
  /** The flag is present or absent, and has no value. */
  readonly isSwitch?: true;
  readonly expectedLog?: readonly RegExp[];
  /** The effect is visible whatever other settings say, and the server goes on: such settings share one server. */
  readonly isIndependent?: true;
}

/** The server warns about a secret that all users can read. */
const PRIVATE = { mode: 0o600 };

const newWorkspace = { body: '{"workspace":{"name":"acme"}}' };

/** Tested with several nodes, which have a database, or with a certificate. */
export const testedElsewhere: SettingCase['effect'] = async () => undefined;

/** By flag. */
const createJsonBody = (document: object) => ({ body: JSON.stringify(document) });

export const settingCases: Readonly<Record<string, SettingCase>> = {
  host: {
    isIndependent: true,
    value: 'localhost',
    effect: async (server) => {
      expect(new URL(server.url).hostname).toMatch(/^(?:localhost|127\.0\.0\.1|\[::1\])$/);
      expect(server.process.stderr()).toMatch(/listening on http/);
    },
  },
  port: {
    isIndependent: true,
    value: async () => String(await freePort('127.0.0.1')),
    effect: async (server, port) => {
      expect(new URL(server.url).port).toBe(port);
    },
  },
  'data-dir': {
    isIndependent: true,
    value: async (folder) => join(folder, 'made', 'on demand'),
    effect: async (server, folder) => {
      expect(server.process.stdout()).toContain(`  Data:  ${folder}\n`);
      await access(join(folder, 'graticule.sqlite'));
    },
  },
  storage: { value: 'postgres://maps@db.example.org/maps?schema=gis', effect: testedElsewhere },
  'storage-file': { value: '/run/secrets/storage', effect: testedElsewhere },
  blobs: { value: '/srv/blobs', effect: startsAndAnswers },
  tiles: { value: 'file:/srv/tiles', effect: startsAndAnswers },
  'tiles-mb': { value: '64', effect: startsAndAnswers },
  'tiles-days': { value: '7', effect: startsAndAnswers },
  'tile-exports-mb': { value: '64', effect: startsAndAnswers },
  ...Object.fromEntries(
    ['aws-access-key-id-file', 'aws-secret-access-key-file', 'aws-session-token-file'].map((flag) => [
      flag,
      {
        value: async (folder: string) => {
          await writeFile(join(folder, flag), 'some text\n', PRIVATE);
          return join(folder, flag);
        },
        effect: startsAndAnswers,
      },
    ]),
  ),
  'max-stored-upload-mb': { value: '64', effect: startsAndAnswers },
  'file-cache-mb': { value: '64', effect: startsAndAnswers },
  'node-name': {
    isIndependent: true,
    value: 'north',
    effect: async (server) => {
      const listed = await server.request('GET', '/about/nodes.json');
      expect(listed.json()).toMatchObject({ nodes: { node: [{ name: 'north', alive: true, here: true }] } });
      expect((await server.request('GET', '/about/status/Nodes.json')).text).toContain('Current node: north.');
      expect(server.process.stderr()).toContain('"node":"north"');
    },
  },
  'context-path': {
    value: '/maps/of',
    effect: async (server) => {
      expect(new URL(server.url).pathname).toBe('/maps/of/rest');
      const created = await server.request('POST', '/workspaces', newWorkspace);
      expect(created.headers['location']).toBe(`${server.url}/workspaces/acme`);
    },
  },
  'public-url': {
    value: 'https://maps.example.org/gis/',
    effect: async (server) => {
      const created = await server.request('POST', '/workspaces', newWorkspace);
      expect(created.headers['location']).toBe('https://maps.example.org/gis/geoserver/rest/workspaces/acme');
    },
  },
  compat: {
    value: 'geoserver',
    effect: async (server) => {
      const list = await server.request('GET', '/workspaces.json');
      expect(list.json()).toEqual({ workspaces: '' });
    },
  },
  'trust-proxy': {
    value: 'loopback, 10.0.0.0/8',
    effect: async (server) => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'maps.example.org' };
      const created = await server.request('POST', '/workspaces', { ...newWorkspace, headers });
      expect(created.headers['location']).toBe('https://maps.example.org/geoserver/rest/workspaces/acme');
    },
  },
  'rate-limit': {
    value: '3',
    effect: async (server) => {
      const replies = [];
      for (const path of ['/workspaces', '/styles', '/about/version', '/layers']) {
        replies.push(await server.request('GET', path));
      }
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(replies[3]?.text).toContain('the limit is 3 per minute');
    },
  },
  'concurrent-limit': { value: '64', effect: startsAndAnswers },
  'limit-exempt': { value: 'loopback', effect: startsAndAnswers },
  'admin-password-file': {
    value: async (folder) => {
      await writeFile(join(folder, 'password'), 'from a file\n', PRIVATE);
      return join(folder, 'password');
    },
    effect: async (server) => {
      expect((await server.request('GET', '/workspaces', { as: 'admin:from a file' })).status).toBe(200);
    },
  },
  'reset-admin-password': {
    isIndependent: true,
    value: 'true',
    isSwitch: true,
    effect: async (server) => {
      // Other cases of a reset need an earlier start: see start.test.ts.
      expect((await server.request('GET', '/workspaces')).status).toBe(200);
      expect(server.process.stderr()).toContain('the password of the built-in admin was reset');
    },
  },
  'log-level': {
    value: 'error',
    effect: async (server) => {
      await server.request('GET', '/workspaces');
      expect((await server.stop()).stderr).toBe('');
    },
  },
  'log-format': {
    value: 'text',
    effect: async (server) => {
      await server.request('GET', '/workspaces');
      expect((await server.stop()).stderr).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}200 GET \S+\/workspaces /m);
    },
  },
  fonts: {
    isIndependent: true,
    value: async (folder) => {
      const fonts = join(folder, 'fonts');
      await mkdir(fonts);
      await writeFile(join(fonts, 'survey.ttf'), await renameFont());
      return fonts;
    },
    effect: async (server) => {
      expect((await server.request('GET', '/fonts.json')).text).toContain('Survey1 Regular');
    },
  },
  'system-fonts': { value: 'true', isSwitch: true, effect: startsAndAnswers },
  'access-log': {
    value: async (folder) => join(folder, 'access.log'),
    effect: async (server, file) => {
      await server.request('GET', '/workspaces?token=hush');
      await server.stop();
      expect(await readFile(file, 'utf8')).toMatch(
        /^127\.0\.0\.1 - admin \[[^\]]+\] "GET \/geoserver\/rest\/workspaces\?token=\*\*\* HTTP\/1\.1" 200 \d{3,} "-" "[^"]*"$/m,
      );
    },
  },
  'audit-log': {
    value: async (folder) => join(folder, 'audit.log'),
    effect: async (server, file) => {
      await server.request('POST', '/workspaces', newWorkspace);
      await server.stop();
      expect(await readFile(file, 'utf8')).toMatch(/"event":"sign-in","result":"success"[\s\S]*"event":"change"/);
    },
  },
  'access-log-format': { value: 'json', effect: startsAndAnswers },
  'max-document-bytes': {
    isIndependent: true,
    value: '1024',
    effect: async (server) => {
      const body = `<workspace><name>acme</name>${' '.repeat(1024)}</workspace>`;
      expect((await server.request('POST', '/workspaces', { body })).status).toBe(413);
      expect((await server.request('POST', '/workspaces', newWorkspace)).status).toBe(201);
    },
  },
  'request-timeout-ms': {
    value: '1000',
    effect: async (server) => {
      const request = server.client.open('POST', '/workspaces', { 'content-length': '100' });
      expect((await replyTo(request)).status).toBe(408);
    },
  },
  'drain-timeout-ms': {
    value: '0',
    expectedLog: [/requests in progress did not finish within the drain timeout/],
    effect: async (server) => {
      const request = server.client.open('POST', '/workspaces', { 'content-length': '100', expect: '100-continue' });
      const reply = replyTo(request);
      reply.catch(() => undefined);
      await new Promise((resolve) => request.once('continue', resolve));
      expect((await server.stop()).code).toBe(0);
      await expect(reply).rejects.toThrow();
    },
  },
  'cors-origins': {
    isIndependent: true,
    value: 'https://maps.example.org',
    effect: async (server) => {
      const from = async (origin: string) => {
        const address = new URL('ogc/features/v1', server.url.replace(/rest\/?$/, ''));
        return (await fetch(address, { headers: { origin } })).headers.get('access-control-allow-origin');
      };
      expect(await from('https://maps.example.org')).toBe('https://maps.example.org');
      expect(await from('https://other.example.org')).toBeNull();
    },
  },
  'open-metrics': {
    isIndependent: true,
    value: 'true',
    isSwitch: true,
    effect: async (server) => {
      expect((await server.request('GET', '/metrics', { as: null })).status).toBe(200);
    },
  },
  closed: {
    isIndependent: true,
    value: 'true',
    isSwitch: true,
    effect: async (server) => {
      const rules = await server.request('GET', '/security/acl/layers.json');
      expect(rules.json()).toEqual({ '*.*.r': 'ROLE_ADMINISTRATOR' });
      expect(server.process.stderr()).toContain(
        'closed: the rule *.*.r=ROLE_ADMINISTRATOR lets only administrators read layers',
      );
      expect(server.process.stdout()).not.toContain('All users can read');
    },
  },
  'no-console': {
    isIndependent: true,
    value: 'true',
    isSwitch: true,
    effect: async (server) => {
      const addressOf = (path: string) => server.url.replace(/rest$/, path);
      expect((await fetch(addressOf('console/'))).status).toBe(404);
      expect(await (await fetch(addressOf('web/'))).text()).not.toContain('/console/');
      expect(server.process.stdout()).toContain(`  Open in a browser:  ${addressOf('')}\n`);
    },
  },
  'builtin-admin': {
    value: 'off',
    effect: async (server) => {
      expect((await server.request('GET', '/workspaces')).status).toBe(401);
    },
  },
  'ldap-ca-file': {
    value: async (folder) => {
      await writeFile(join(folder, 'authorities.pem'), `${rootCertificates[0]}\n`);
      return join(folder, 'authorities.pem');
    },
    effect: startsAndAnswers,
  },
  'ldap-timeout-ms': { value: '2000', effect: startsAndAnswers },
  'token-max-days': {
    isIndependent: true,
    value: '7',
    effect: async (server) => {
      const token = { name: 'ci', expires: new Date(Date.now() + 8 * 86_400_000).toISOString() };
      const reply = await server.request('POST', '/security/self/tokens', createJsonBody({ token }));
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('7 days')]);
    },
  },
  'query-keys': {
    isIndependent: true,
    value: 'off',
    effect: async (server) => {
      const scopes = { services: ['wms'] };
      const token = { name: 'map', queryKey: true, scopes };
      const made = await server.request('POST', '/security/self/tokens', createJsonBody({ token }));
      const { secret } = (made.json() as { token: { secret: string } }).token;
      const wms = `${server.url.replace(/rest$/, 'wms')}?service=WMS&request=GetCapabilities`;
      expect([(await fetch(wms)).status, (await fetch(`${wms}&authkey=${secret}`)).status]).toEqual([200, 401]);
    },
  },
  'ldap-memory-ms': { value: '0', effect: startsAndAnswers },
  'history-days': { value: '30', effect: startsAndAnswers },
  'undo-files-hours': { value: '48', effect: startsAndAnswers },
  'backup-schedule': {
    isIndependent: true,
    value: '6h',
    effect: async (server) => {
      expect((await server.request('GET', '/doctor')).text).toContain('No scheduled backup was completed yet.');
    },
  },
  'backup-dir': { value: async (folder) => join(folder, 'backups'), effect: startsAndAnswers },
  'backup-keep': { value: '3', effect: startsAndAnswers },
  'backup-passphrase-file': {
    value: async (folder) => {
      await writeFile(join(folder, 'passphrase'), 'of the night\n', PRIVATE);
      return join(folder, 'passphrase');
    },
    effect: startsAndAnswers,
  },
  memory: {
    isIndependent: true,
    value: '512MB',
    effect: async (server) => {
      const { text } = await server.request('GET', '/metrics');
      expect(text).toContain('graticule_memory_budget_bytes 536870912\n');
      // The heap is limited only if the process was started with the options of the memory budget.
      const limit = Number(/^graticule_heap_limit_bytes (.+)$/m.exec(text)?.[1]);
      expect(limit).toBeLessThan(536_870_912);
    },
  },
  workers: {
    isIndependent: true,
    value: '1',
    effect: async (server) => {
      const { text } = await server.request('GET', '/metrics');
      expect(text).toMatch(/^graticule_worker_threads_limit\{[^}]*"maps"[^}]*\} 2$/m);
    },
  },
  'tls-cert': { value: '/etc/tls/cert.pem', effect: testedElsewhere },
  'tls-key': { value: '/etc/tls/key.pem', effect: testedElsewhere },
  'tile-cache-mb': { value: '16', effect: startsAndAnswers },
  'store-timeout-ms': { value: '500', effect: startsAndAnswers },
  'database-hosts': { value: 'db.example.org,10.0.0.7', effect: startsAndAnswers },
  'external-root': { value: async (folder) => folder, effect: startsAndAnswers },
  'allow-private-addresses': { value: 'true', isSwitch: true, effect: startsAndAnswers },
  'server-key-file': {
    isIndependent: true,
    value: async (folder) => {
      await writeFile(join(folder, 'server.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, PRIVATE);
      return join(folder, 'server.key');
    },
    effect: async (server) => {
      expect((await server.request('GET', '/security/masterpw.json')).status).toBe(200);
      // No key file exists beside the keystore.
      await expect(access(join(server.dataDir, 'security'))).rejects.toThrow('ENOENT');
    },
  },
  'previous-server-keys-file': {
    value: async (folder) => {
      const keys = [8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64'));
      await writeFile(join(folder, 'previous.keys'), `${keys.join('\n')}\n`, PRIVATE);
      return join(folder, 'previous.keys');
    },
    effect: startsAndAnswers,
  },
  'lost-keystore': { value: 'replace', effect: startsAndAnswers },
};

/** For settings whose effect is tested in process by the tests of a family. */
export async function startsAndAnswers(server: StartedServer): Promise<void> {
  expect((await server.request('GET', '/workspaces')).status).toBe(200);
}
