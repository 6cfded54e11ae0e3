/** Random configurations: exported, compared, applied to another server, and reverted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Number of random configurations; a longer campaign uses hundreds. */
const RUNS = Number(process.env['CONFIGURATION_RUNS'] ?? 4);

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface ExportedConfiguration {
  readonly hash: string;
  readonly position: number;
  readonly resources: readonly Resource[];
}

const name = fc
  .string({ unit: fc.constantFrom(...'aZ0-_.äß中 %+@&~'), minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() === text && !text.endsWith('.') && !/\.(?:xml|json|html)$/.test(text))
  .map((text) => `n${text}`);
const text = fc.string({ unit: fc.constantFrom(...'ab "\\/<>&é中'), maxLength: 12 });
const optional = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: null });
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });

const at = (kind: string, ...segments: readonly string[]) => ({
  kind,
  path: `/${segments.map(encodeURIComponent).join('/')}`,
});

const workspace = fc
  .record({ name, isolated: fc.boolean(), metadata: fc.dictionary(name, text, { maxKeys: 2 }) })
  .map(({ name: own, isolated, metadata }) => ({
    ...at('workspace', 'workspaces', own),
    fields: { isolated, metadata },
  }));
const check = fc
  .record({ name, description: optional(text), enabled: fc.boolean() })
  .map(({ name: own, description, enabled }) => ({
    ...at('urlCheck', 'urlchecks', own),
    fields: { description, enabled, regex: '^https://[a-z]+\\.example/.*$' },
  }));
const user = fc
  .record({ name, enabled: fc.boolean() })
  .map(({ name: own, enabled }) => ({ ...at('user', 'security', 'usergroup', 'user', own), fields: { enabled } }));
const group = fc.record({ name }).map((own) => ({
  ...at('group', 'security', 'usergroup', 'group', own.name),
  fields: { users: [] },
}));
const rules = some(fc.constantFrom('*.*.r', 'acme.*.w', 'x.y.r', '*.*.a')).map((keys) => ({
  ...at('accessRules', 'security', 'acl', 'layers'),
  fields: { rules: [...new Set(keys)].map((rule) => ({ rule, roles: ['ADMIN', 'CREW'] })) },
}));
const mode = fc.constantFrom('HIDE', 'MIXED', 'CHALLENGE').map((each) => ({
  ...at('catalogMode', 'security', 'acl', 'catalog'),
  fields: { mode: each },
}));
const settings = fc
  .record({ title: fc.constantFrom('Maps', 'Other maps'), numDecimals: fc.integer({ min: 0, max: 9 }) })
  .map(({ title }) => ({ ...at('serviceSettings', 'services', 'wms', 'settings'), fields: { title } }));

const configuration = fc
  .tuple(some(workspace), some(check), some(user), some(group), rules, mode, settings)
  .map((parts) => [...new Map(parts.flat().map((resource) => [resource.path, resource] as const)).values()]);

async function readConfiguration(server: TestServer): Promise<ExportedConfiguration> {
  return (await server.get('/configuration')).json() as ExportedConfiguration;
}

async function post(server: TestServer, what: 'diff' | 'apply', resources: readonly Resource[], modeName: string) {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources });
  const reply = await server.post(`/configuration/${what}?mode=${modeName}`, body, { type: 'json' });
  expect(reply.status, `${reply.text} of ${body}`).toBe(200);
  return reply.json() as { readonly steps: readonly unknown[]; readonly change: number | null };
}

describe('a random configuration', () => {
  it('compares equal on its own server, on another server, and after it is reverted', async () => {
    const [one, other] = await Promise.all([startTestServer(), startTestServer()]);
    try {
      await fc.assert(
        fc.asyncProperty(configuration, configuration, async (first, second) => {
          const before = await readConfiguration(one);
          const changes = [await post(one, 'apply', first, 'merge'), await post(one, 'apply', second, 'merge')];
          const full = await readConfiguration(one);

          for (const modeName of ['merge', 'mirror'])
            expect((await post(one, 'diff', full.resources, modeName)).steps).toEqual([]);

          await post(other, 'apply', full.resources, 'mirror');
          expect((await readConfiguration(other)).resources).toEqual(full.resources);
          expect((await readConfiguration(other)).hash).toBe(full.hash);

          for (const { change } of changes.toReversed()) {
            if (change !== null) {
              const undone = await one.request('POST', `/history/${change}/undo`);
              expect(undone.status, undone.text).toBe(200);
            }
          }
          expect((await readConfiguration(one)).hash).toBe(before.hash);
        }),
        { numRuns: RUNS },
      );
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  }, 600_000);
});
