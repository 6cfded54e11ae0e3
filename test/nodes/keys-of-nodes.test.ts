/** The keys of several nodes are rotated while the nodes serve requests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runKeystoreCommand } from '../../src/server/maintenance/keystore-command.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const serverKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');

interface Keys {
  readonly serverKey: string;
  readonly previousServerKeys: { readonly key: readonly string[] };
  readonly dataKey: string;
  readonly nodes: { readonly node: readonly { readonly serverKey: string; readonly dataKey: string }[] };
}

async function readKeys(node: TestServer): Promise<Keys> {
  const reply = await node.get('/security/keystore.json');
  expect(reply.status, reply.text).toBe(200);
  return (reply.json() as { keystore: Keys }).keystore;
}

const provider = (name: string) =>
  JSON.stringify({
    className: 'org.geoserver.security.auth.LdapAuthenticationProvider',
    ...{ name, serverURL: 'ldap://127.0.0.1:1/dc=a', userFilter: '(uid={0})', user: 'cn=reader', password: name },
  });

describeWithPostgis('keys of several nodes', (postgis) => {
  async function startNode(schema: string, key: number, previous?: number): Promise<TestServer> {
    const node = await startTestServer({
      flags: ['--storage', postgresAddress(postgis, schema)],
      environment: {
        GRATICULE_SERVER_KEY: serverKey(key),
        ...(previous !== undefined && { GRATICULE_PREVIOUS_SERVER_KEYS: serverKey(previous) }),
      },
    });
    // A test may have closed it.
    onTestFinished(() => node.close().catch(() => undefined));
    return node;
  }

  test('a new data key reaches all nodes before it is used, while both nodes write secrets', async () => {
    const nodes = [await startNode('rotated', 1), await startNode('rotated', 1)] as const;
    const before = await readKeys(nodes[0]);
    let isRotating = true;
    const write = async (node: TestServer, prefix: string) => {
      for (let index = 0; isRotating || index === 0; index += 1) {
        const reply = await node.post('/security/authproviders', provider(`${prefix}${index}`));
        expect(reply.status, reply.text).toBe(201);
      }
    };
    const rotate = async () => {
      expect((await nodes[0].post('/security/keystore/data-key', '')).status).toBe(200);
      isRotating = false;
    };

    await Promise.all([rotate(), write(nodes[0], 'a'), write(nodes[1], 'b')]);

    for (const node of nodes) {
      const { dataKey, nodes: listed } = await readKeys(node);
      expect(dataKey).not.toBe(before.dataKey);
      expect(listed.node.map((each) => each.dataKey)).toEqual([dataKey, dataKey]);
      const { text } = await node.get('//metrics');
      expect(text).toMatch(/^graticule_keystore_data_keys 2$/m);
      expect(text).toMatch(/^graticule_keystore_nodes_behind 0$/m);
      expect(text).toMatch(/^graticule_keystore_rotation_unfinished 0$/m);
      await node.post('/security/keystore/secrets', '');
      expect((await node.get('/doctor')).json()).toMatchObject({
        checks: expect.arrayContaining([expect.objectContaining({ check: 'keystore', ok: true })]),
      });
    }
  });

  test('the server key is replaced node by node, and finished when no node uses the old one', async () => {
    const old = await startNode('replaced', 1);
    await old.post('/security/authproviders', provider('a'));
    const password = (await old.get('/security/masterpw.json')).text;

    const first = await startNode('replaced', 2, 1);

    for (const node of [old, first]) expect((await node.get('/security/masterpw.json')).text).toBe(password);
    expect((await readKeys(first)).previousServerKeys.key).toEqual([(await readKeys(old)).serverKey]);
    expect((await first.get('//metrics')).text).toMatch(/^graticule_keystore_rotation_unfinished 1$/m);
    const refusal = await first.post('/security/keystore/finish', '', { accept: 'application/json' });
    expect([refusal.status, refusal.text]).toEqual([
      409,
      expect.stringContaining('because these nodes use another server key'),
    ]);
    await old.close();
    const second = await startNode('replaced', 2);
    expect((await first.post('/security/keystore/finish', '')).status).toBe(200);

    for (const node of [first, second]) {
      expect((await node.get('/security/masterpw.json')).text).toBe(password);
      expect((await readKeys(node)).previousServerKeys.key).toEqual([]);
    }
    await expect(startNode('replaced', 1)).rejects.toThrow('does not match the keystore');
  });

  test('all nodes read their secrets with a new server key after the keystore was recovered with its password', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-recover-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const before = await startNode('recovered', 1);
    await before.post('/security/authproviders', provider('a'));
    const { text } = await before.get('/security/masterpw.json');
    const { oldMasterPassword } = JSON.parse(text) as { readonly oldMasterPassword: string };
    await before.close();
    await writeFile(join(folder, 'password'), oldMasterPassword);
    await writeFile(join(folder, 'key'), serverKey(3));
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const recover = (storage: string, ...flags: readonly string[]) =>
      runKeystoreCommand(['recover', '--keystore-password-file', 'password', '--storage', storage, ...flags], {
        ...{ folder, environment: {}, print, printError: print },
      });
    const place = postgresAddress(postgis, 'recovered');
    const key = ['--server-key-file', join(folder, 'key')];

    expect(await recover(place)).toBe(1);
    expect(await recover('postgres://reader:secret@127.0.0.1:1/maps', ...key)).toBe(1);
    expect(await recover(place, ...key)).toBe(0);

    expect(printed).toEqual([
      expect.stringContaining('--server-key-file'),
      'graticule: Cannot open --storage 127.0.0.1:1/maps, schema graticule: connect ECONNREFUSED 127.0.0.1:1.\n',
      expect.stringMatching(/^The server key [0-9a-f]{16} opens the keystore\. Start the server with it\.\n$/),
    ]);
    await expect(startNode('recovered', 1)).rejects.toThrow('does not match the keystore');
    for (const node of [await startNode('recovered', 3), await startNode('recovered', 3)]) {
      expect((await node.get('/security/masterpw.json')).text).toBe(text);
      expect((await node.get('/doctor')).json()).toMatchObject({ healthy: true });
    }
  });
});
