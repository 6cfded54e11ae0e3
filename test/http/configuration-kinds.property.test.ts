/** Random configurations with every kind of resource: exported, compared, applied to another server, and reverted. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/interface/common/dialects.ts';
import { listConfigurationKinds } from '../../src/interface/configuration/kinds/kinds.ts';
import { withMapServer } from '../support/capabilities.ts';
import { furnish, send, USER_PASSWORD } from '../support/furnished-server.ts';
import { lineSld } from '../support/styles.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Number of random configurations; a longer campaign uses dozens. */
const RUNS = Number(process.env['CONFIGURATION_KINDS_RUNS'] ?? 1);

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface ExportedConfiguration {
  readonly hash: string;
  readonly resources: readonly Resource[];
}

async function readConfiguration(server: TestServer): Promise<ExportedConfiguration> {
  return (await server.get('/configuration')).json() as ExportedConfiguration;
}

async function post(server: TestServer, what: 'diff' | 'apply', resources: readonly Resource[], mode: string) {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources });
  const reply = await server.post(`/configuration/${what}?mode=${mode}`, body, { type: 'json' });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as { readonly steps: readonly unknown[]; readonly change: number | null };
}

const remark = fc.constantFrom('one', 'another', 'ä & <b> "c"');
const pairs = fc.dictionary(fc.constantFrom('a', 'b', 'c d'), remark, { maxKeys: 2 });
const people = fc.subarray(['ann', 'bob']);
const seen = { title: remark, abstract: fc.option(remark, { nil: null }) };

/** For each kind, fields that may change independently of other resources. */
const variations: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  workspace: { metadata: pairs },
  defaultWorkspace: { name: fc.constantFrom('acme', 'side.car') },
  urlCheck: { description: fc.option(remark, { nil: null }) },
  style: { content: fc.constantFrom('#112233', '#445566').map((color) => lineSld('varied', color)) },
  dataStore: { description: fc.option(remark, { nil: null }), disableOnConnFailure: fc.boolean() },
  coverageStore: { description: fc.option(remark, { nil: null }) },
  wmsStore: { description: fc.option(remark, { nil: null }), maxConnections: fc.integer({ min: 1, max: 9 }) },
  wmtsStore: { description: fc.option(remark, { nil: null }), readTimeout: fc.integer({ min: 1, max: 9 }) },
  featureType: seen,
  coverage: seen,
  wmsLayer: seen,
  wmtsLayer: seen,
  layer: { opaque: fc.boolean(), queryable: fc.boolean(), advertised: fc.boolean() },
  layerGroup: { title: remark, enabled: fc.boolean() },
  template: { content: remark },
  globalSettings: { metadata: pairs },
  // Includes the options that servers may be started with.
  loggingSettings: {
    level: fc.constantFrom('QUIET_LOGGING', 'PRODUCTION_LOGGING', 'DEFAULT_LOGGING', 'VERBOSE_LOGGING'),
  },
  tileLayer: { gutter: fc.integer({ min: 0, max: 100 }), enabled: fc.boolean() },
  storedQuery: { title: remark, isPrivate: fc.boolean() },
  gridSet: { description: remark, tileWidth: fc.integer({ min: 1, max: 2048 }) },
  serviceSettings: { title: remark },
  workspaceSettings: { numDecimals: fc.integer({ min: 0, max: 9 }) },
  userGroupService: {},
  user: { enabled: fc.boolean() },
  group: { users: people },
  role: { users: people },
  authProvider: { userDnPattern: fc.constantFrom('uid={0},ou=people', 'cn={0},ou=crew') },
  authProviderOrder: { order: fc.shuffledSubarray(['default', 'directory'], { minLength: 2 }) },
  accessRules: {},
  catalogMode: { mode: fc.constantFrom('HIDE', 'MIXED', 'CHALLENGE') },
  dataRule: { enabled: fc.boolean(), attributes: fc.constantFrom({}, { '*': 'read' }) },
  webhook: { expand: fc.boolean(), kinds: fc.subarray(['layer', 'style']) },
};

/** Resources that no other resource refers to, so that they may be left out. */
const loose = [
  '/layergroups/world',
  '/urlchecks/maps',
  '/webhooks/ci',
  '/security/acl/data/staff',
  '/resource/templates/header.ftl',
];

/** Accounts of a second user service, which refer to no other resource; and the provider that uses no directory. */
const fixed = /\/service\/|\/authproviders\/default$/;

function variantOf(resources: readonly Resource[]): fc.Arbitrary<readonly Resource[]> {
  const each = resources.map((resource) => {
    const varied = Object.entries(variations[resource.kind] ?? {});
    const given = fixed.test(resource.path) ? [] : varied;
    return fc
      .record(Object.fromEntries(given), { requiredKeys: [] })
      .map((fields): Resource => ({ ...resource, fields: { ...resource.fields, ...fields } }));
  });
  return fc
    .tuple(fc.tuple(...each), fc.subarray(loose))
    .map(([all, left]) => all.filter(({ path }) => !left.includes(path)));
}

/** Exports contain no secrets, so the test passes them to a server that has none. */
function withPasswords(resources: readonly Resource[]): readonly Resource[] {
  return resources.map((resource) =>
    resource.kind === 'user' ? { ...resource, fields: { ...resource.fields, password: USER_PASSWORD } } : resource,
  );
}

describe('a random configuration of every kind', () => {
  it('compares equal on its own server, on another server, and after it is reverted', async () => {
    const kinds = listConfigurationKinds(dialects.graticule).map(({ kind }) => kind);
    expect(Object.keys(variations).toSorted()).toEqual(kinds.toSorted());
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    try {
      await withMapServer(async (maps) => {
        await furnish(one, maps);
        const webhook = { name: 'ci', url: 'http://127.0.0.1:1/hook', enabled: false };
        await send(one, 'POST', '/webhooks', JSON.stringify({ webhook }));
        await cp(join(one.dataDir, 'data'), join(other.dataDir, 'data'), { recursive: true });
        const before = await readConfiguration(one);
        expect(new Set(before.resources.map(({ kind }) => kind))).toEqual(new Set(kinds));

        await fc.assert(
          fc.asyncProperty(variantOf(before.resources), async (variant) => {
            const { change } = await post(one, 'apply', variant, 'mirror');
            const full = await readConfiguration(one);

            for (const modeName of ['merge', 'mirror'])
              expect((await post(one, 'diff', full.resources, modeName)).steps).toEqual([]);
            expect((await post(one, 'diff', variant, 'mirror')).steps).toEqual([]);

            await post(other, 'apply', withPasswords(full.resources), 'mirror');
            expect((await readConfiguration(other)).resources).toEqual(full.resources);
            expect((await readConfiguration(other)).hash).toBe(full.hash);

            if (change !== null) {
              const undone = await one.request('POST', `/history/${change}/undo`);
              expect(undone.status, undone.text).toBe(200);
            }
            expect((await readConfiguration(one)).hash).toBe(before.hash);
          }),
          // Shrinking a failing configuration takes as long as testing it.
          { numRuns: RUNS, endOnFailure: true },
        );
      });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  }, 600_000);
});
