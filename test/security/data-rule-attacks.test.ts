/**
 * Attacks on data rules. Two layers differ only in rows, values and parts of geometries that the rules hide: every
 * response must be the same for both, whatever the request tries to learn.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listAttackRequests } from '../support/data-rule-attack-requests.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, type TestServer, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const attributes = [
  geometryColumn('Polygon'),
  column('owner', 'string'),
  column('num', 'integer'),
  column('tax', 'string'),
  column('seen', 'timestamp'),
];

const box = (x1: number, y1: number, x2: number, y2: number) =>
  wkt(`POLYGON ((${x1} ${y1}, ${x2} ${y1}, ${x2} ${y2}, ${x1} ${y2}, ${x1} ${y1}))`);
const day = (text: string) => new Date(`${text}T00:00:00Z`);

/** The hidden rows span the same extent, which is catalog data. */
const frame = [box(-20, -20, 60, 60), 'frame', 99, 'frame', day('2000-01-01')];
const common = [
  [box(0, 0, 10, 10), 'ann', 1, 'open', day('2020-01-01')],
  [box(12, 0, 14, 10), 'ann', 2, 'open', day('2020-01-02')],
];
const tables = {
  landq: [
    ...common,
    [box(5, 20, 25, 30), 'ann', 8, 'secret', day('2020-01-03')],
    [box(0, 15, 5, 18), 'ann', 9, 'zz', null],
    frame,
    [box(1, 1, 2, 2), 'bob', 1, 'mine', day('2021-01-01')],
  ],
  landz: [
    ...common,
    [box(5, 20, 45, 30), 'ann', 8, 'a', day('2020-01-03')],
    [box(0, 15, 5, 18), 'ann', 9, null, null],
    frame,
    [box(3, 3, 50, 50), 'cy', 70, 'open', day('1999-01-01')],
    [box(4, 4, 6, 6), 'dan', 3, 'yours', null],
  ],
};
type Name = keyof typeof tables;

/** A layer without rules. */
const spots = {
  name: 'spots',
  attributes: [geometryColumn('Polygon'), column('num', 'integer'), column('name', 'string'), column('tax', 'string')],
  rows: [
    [box(1, 1, 2, 2), 1, 'open', 'open'],
    [box(21, 21, 24, 24), 8, 'secret', 'secret'],
    [box(30, 22, 40, 24), 70, 'a', 'a'],
    [box(48, 48, 50, 50), 9, 'zz', 'zz'],
  ],
};

const AREA = 'POLYGON ((-5 -5, 20 -5, 20 40, -5 40, -5 -5))';

const variants = {
  'rows, attributes and a clipping area': [
    { rows: 'owner = ${user.name}', attributes: { tax: 'hide' }, area: { geometry: AREA, mode: 'clip' } },
  ],
  'attributes of some rows': [
    { rows: 'owner = ${user.name} AND num < 5', area: { geometry: AREA, mode: 'clip' } },
    { rows: 'owner = ${user.name}', attributes: { tax: 'hide' }, area: { geometry: AREA, mode: 'clip' } },
  ],
} as const;

async function compareResponses(server: TestServer, ann: string, isMasked: boolean): Promise<void> {
  const ask = async (path: string, name: Name): Promise<Reply> =>
    server.get(path.replaceAll('LAYER', `${name}:lots`).replaceAll('NAME', name), { as: ann });
  const normalize = (reply: Reply, name: Name) => [
    reply.status,
    reply.bytes
      .toString('latin1')
      .replaceAll(name, 'NAME')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, 'NOW'),
  ];
  const statuses: number[] = [];
  const compare = async (path: string): Promise<void> => {
    const [first, second] = await Promise.all([ask(path, 'landq'), ask(path, 'landz')]);
    statuses.push(first.status);
    expect.soft([path, ...normalize(first, 'landq')]).toEqual([path, ...normalize(second, 'landz')]);
    expect.soft([path, first.status < 500]).toEqual([path, true]);
  };
  const paths = listAttackRequests(isMasked);
  for (let at = 0; at < paths.length; at += 8) await Promise.all(paths.slice(at, at + 8).map(compare));
  // Most requests reach the data.
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThan(paths.length / 2);
}

async function replaceRules(server: TestServer, rules: readonly object[]): Promise<void> {
  const { dataRules } = (await server.get('/security/acl/data')).json() as { dataRules: { name: string }[] };
  for (const { name } of dataRules) await server.delete(`/security/acl/data/${name}`);
  for (const name of ['landq', 'landz']) {
    for (const [index, rule] of rules.entries()) {
      const dataRule = { name: `${name}-${index}`, layer: `${name}:lots`, roles: ['OWNER'], ...rule };
      const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
      expect(reply.status, reply.text).toBe(201);
    }
  }
}

function testAttacks(
  server: TestServer,
  tried: readonly (keyof typeof variants)[],
  prepare: (name: Name) => Promise<void>,
): void {
  let ann = '';
  beforeAll(async () => {
    await publishTables(server, 'plain', [spots], 'data');
    for (const name of ['landq', 'landz'] as const) {
      await server.post('/workspaces', JSON.stringify({ workspace: { name } }));
      await prepare(name);
      await publishTables(server, name, [{ name: 'lots', attributes, rows: tables[name] }], 'data');
    }
    ann = await addUser(server, 'ann', 'OWNER');
  }, 120_000);

  it.each(tried)(
    'no response depends on hidden data: %s',
    async (variant) => {
      await replaceRules(server, variants[variant]);
      await compareResponses(server, ann, variants[variant].length > 1);
    },
    300_000,
  );
}

describe('attacks on data rules of a GeoPackage', () => {
  testAttacks(
    useTestServer(),
    ['rows, attributes and a clipping area', 'attributes of some rows'],
    async () => undefined,
  );
});

describeWithPostgis('attacks on data rules of PostGIS', (postgis) => {
  const server = useTestServer();
  testAttacks(server, ['attributes of some rows'], async (name) => {
    await postgis.query(`CREATE SCHEMA ${name}`);
    const connectionParameters = { ...postgisParameters(postgis.connection), schema: name };
    const dataStore = JSON.stringify({ dataStore: { name: 'data', connectionParameters } });
    expect((await server.post(`/workspaces/${name}/datastores`, dataStore)).status).toBe(201);
  });
});
