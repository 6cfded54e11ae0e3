/** Random data rules, users and requests on three kinds of sources, compared with a simple model. */
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import {
  clientCondition,
  type Lot,
  listShown,
  lotAttributes,
  lots,
  type ModelCondition,
  type ModelRule,
  type ModelUser,
  modelRules,
  selectRules,
  showLot,
  toCell,
  type VisibleLot,
} from '../support/data-rule-model.ts';
import { CELL, replaceRules, toPolygon } from '../support/data-rule-server.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { FEATURES } from '../support/features.ts';
import { postgisParameters } from '../support/postgis-sources.ts';
import { publishTables } from '../support/published-features.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { featuresOfTile } from '../support/vector-tiles.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** Number of random sets of rules; a longer campaign uses hundreds. */
const RUNS = Number(process.env['DATA_RULE_RUNS'] ?? 4);

const rows = fc.sample(lots, { numRuns: 1, seed: 20_261 })[0] ?? [];

interface Features {
  readonly numberMatched?: number;
  readonly features: readonly {
    readonly id: string;
    readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

interface Trial {
  readonly rules: readonly ModelRule[];
  readonly user: number;
  readonly filter: ModelCondition;
  readonly cell: readonly [number, number];
}

describeWithPostgis('data rules', (postgis) => {
  const server = useTestServer();
  const layers = ['packed', 'stored', 'shaped'] as const;
  const users: { readonly model: ModelUser; readonly as: string | null }[] = [
    { model: { name: undefined, roles: ['ROLE_ANONYMOUS'] }, as: null },
  ];
  beforeAll(async () => {
    const attributes = [
      geometryColumn('Polygon'),
      column('num', 'integer'),
      column('owner', 'string', 20),
      column('tax', 'string', 20),
    ];
    const values = rows.map(({ box, values: { num, owner, tax } }) => [wkt(toPolygon(box)), num, owner, tax]);
    await publishTables(server, 'land', [{ name: 'packed', attributes, rows: values }], 'packed');
    const connectionParameters = postgisParameters(postgis.connection);
    const dataStore = JSON.stringify({ dataStore: { name: 'stored', connectionParameters } });
    expect((await server.post('/workspaces/land/datastores', dataStore)).status).toBe(201);
    await publishTables(server, 'land', [{ name: 'stored', attributes, rows: values }], 'stored');
    await publishTables(server, 'origin', [{ name: 'shaped', attributes, rows: values }], 'shaped');
    const zipped = await server.get(
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=origin:shaped&outputFormat=SHAPE-ZIP',
    );
    const uploaded = await server.request('PUT', '/workspaces/land/datastores/shaped/file.shp?configure=all', {
      body: zipped.bytes,
      type: 'application/zip',
    });
    expect(uploaded.status, uploaded.text).toBe(201);
    await server.post('/security/acl/layers', '{"land.*.w":"A,B"}');
    users.push(
      { model: { name: 'ann', roles: ['A'] }, as: await addUser(server, 'ann', 'A') },
      { model: { name: 'bob', roles: ['A', 'B'] }, as: await addUser(server, 'bob', 'A', 'B') },
      { model: { name: "it's", roles: ['B'] }, as: await addUser(server, "it's", 'B') },
    );
  }, 120_000);

  async function checkLayer(layer: string, { rules, user, filter, cell }: Trial): Promise<void> {
    const { model, as } = users[user] ?? { model: { name: undefined, roles: [] }, as: null };
    const applied = selectRules(rules, model);
    const shown = listShown(applied);
    const visible = rows.flatMap((lot: Lot) => showLot(lot, applied, model) ?? []);
    const matching = visible.filter(({ values }) => filter.evaluate(values, model) === true);
    const isKnown = filter.attributes.every((name) => shown.includes(name));
    const ask = (path: string): Promise<Reply> => server.get(path, { as });
    const wfs = (query: string) =>
      ask(`//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=land:${layer}&${query}`);
    const cql = `cql_filter=${encodeURIComponent(filter.text)}`;
    const items = (query: string) => ask(`${FEATURES}/collections/land:${layer}/items?limit=100${query}`);

    const all = await items('');
    expect(summarize(all)).toEqual(visible.map((lot) => expectFeature(lot, shown)));
    const filtered = [
      await wfs(`outputFormat=application/json&${cql}`),
      await items(`&filter-lang=ecql-text&filter=${encodeURIComponent(filter.text)}`),
    ];
    for (const reply of filtered) {
      if (isKnown) expect(summarize(reply)).toEqual(matching.map((lot) => expectFeature(lot, shown)));
      else expect(reply.status, reply.text).toBe(400);
    }
    if (isKnown) {
      const ids = matching.map(({ id }) => `${layer}.${id}`);
      expect((await wfs(`resultType=hits&${cql}`)).text).toContain(`numberMatched="${ids.length}"`);
      const gml = (await wfs(cql)).text;
      expect([...gml.matchAll(/gml:id="([a-z]+\.\d+)"/g)].map(([, id]) => id)).toEqual(ids);
      const [head = '', ...lines] = (await wfs(`outputFormat=csv&${cql}`)).text.trim().split(/\r?\n/);
      expect(head.split(',').slice(1).sort()).toEqual([...shown].sort());
      expect(lines.map((line) => line.split(',')[0])).toEqual(ids);
    }
    await checkJoin({ layer, ask }, visible, shown);
    if (layer === 'stored') await checkLock({ layer, as }, visible);
    await checkMaps({ layer, ask, cell }, visible, shown);
  }

  /** Pairs of features with equal values, and of features with those of a layer without conditions. */
  async function checkJoin(
    { layer, ask }: { layer: string; ask: (path: string) => Promise<Reply> },
    visible: readonly VisibleLot[],
    shown: readonly string[],
  ): Promise<void> {
    const join = `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=(land:${layer},land:${layer})&aliases=(a,b)&outputFormat=application/json`;
    for (const name of ['num', 'tax'] as const) {
      const reply = await ask(`${join}&cql_filter=${encodeURIComponent(`"a/${name}" = "b/${name}"`)}`);
      if (!shown.includes(name)) {
        expect(reply.status, reply.text).toBe(400);
        continue;
      }
      const pairs = visible.flatMap((one) =>
        visible.flatMap((other) =>
          one.values[name] !== null && one.values[name] === other.values[name] ? [[one.values, other.values]] : [],
        ),
      );
      const columns = lotAttributes.filter((each) => shown.includes(each));
      const expected = pairs.map((pair) =>
        pair.map((values) => columns.map((each) => values?.[each] ?? null)).join(' '),
      );
      const { features } = reply.json() as Features;
      const found = features.map(({ properties }) =>
        ['a', 'b'].map((alias) => columns.map((each) => properties[`${alias}.${each}`] ?? null)).join(' '),
      );
      expect(found.sort(), reply.text.slice(0, 500)).toEqual(expected.sort());
    }
  }

  /** Users lock what they see, because the rules of the model permit changes of it. */
  async function checkLock(
    { layer, as }: { layer: string; as: string | null },
    visible: readonly VisibleLot[],
  ): Promise<void> {
    const lock = await server.get(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=LockFeature&typeNames=land:${layer}&lockAction=SOME`,
      { as },
    );
    if (as === null || lock.status === 403) {
      // Without a rule that applies, the layer is closed to changes.
      expect([lock.status, visible.length]).toEqual(as === null ? [401, visible.length] : [403, 0]);
      return;
    }
    const id = /lockId="([^"]*)"/.exec(lock.text)?.[1];
    const locked = [...lock.text.matchAll(/rid="[^".]*\.(\d+)"/g)].map(([, each]) => Number(each));
    expect(
      locked.sort((one, other) => one - other),
      lock.text,
    ).toEqual(visible.map((lot) => lot.id));
    const listed = (await server.get('/locks')).json() as { readonly locks: readonly object[] };
    expect(listed.locks).toEqual([expect.objectContaining({ id, layers: [`land:${layer}`], features: locked.length })]);
    expect((await server.delete(`/locks/${id}`)).status).toBe(200);
  }

  async function checkMaps(
    { layer, ask, cell: [x, y] }: { layer: string; ask: (path: string) => Promise<Reply>; cell: Trial['cell'] },
    visible: readonly VisibleLot[],
    shown: readonly string[],
  ): Promise<void> {
    const hit = visible.filter(({ cells }) => cells?.has(toCell(x, y)));
    // Ten pixels for each cell; the pixel is in the middle of its cell.
    const [column, row] = [x * 10 + 5, (15 - y) * 10 + 5];
    const map = `//geoserver/wms?service=WMS&version=1.1.1&layers=land:${layer}&styles=polygon&srs=EPSG:4326&bbox=0,0,80,80&width=160&height=160&transparent=true&format=image/png`;
    const info = await ask(
      `${map}&request=GetFeatureInfo&query_layers=land:${layer}&info_format=application/json&feature_count=50&x=${column}&y=${row}`,
    );
    const found = info.text.startsWith('{') ? (info.json() as Features).features.map(({ id }) => id) : info.text;
    expect([...found].sort()).toEqual(hit.map(({ id }) => `${layer}.${id}`).sort());
    const picture = await ask(`${map}&request=GetMap`);
    const { data } = await sharp(picture.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(data[(row * 160 + column) * 4 + 3]).toBe(hit.length > 0 ? 255 : 0);

    const tile = await ask(
      `//geoserver/gwc/service/wmts?service=WMTS&request=GetTile&version=1.0.0&layer=land:${layer}&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=application/vnd.mapbox-vector-tile`,
    );
    const drawn = visible.filter(({ cells }) => cells !== null && cells.size > 0);
    expect(tile.status, tile.text.slice(0, 300)).toBe(drawn.length > 0 ? 200 : 204);
    const names = lotAttributes.filter((name) => shown.includes(name));
    const expected = drawn
      .map(({ values }) => names.flatMap((name) => (values[name] === null ? [] : [[name, values[name]] as const])))
      .map((members) => JSON.stringify(sortMembers(Object.fromEntries(members))))
      .sort();
    const inTile = featuresOfTile(tile.bytes).map(({ properties }) => JSON.stringify(sortMembers(properties)));
    expect(inTile.sort()).toEqual(expected);
    await checkOtherMaps({ layer, ask }, { expected, drawn: drawn.length, shown });
  }

  /** KML, UTFGrid, legends with counts, and schemas. */
  async function checkOtherMaps(
    { layer, ask }: { layer: string; ask: (path: string) => Promise<Reply> },
    { expected, drawn, shown }: { expected: readonly string[]; drawn: number; shown: readonly string[] },
  ): Promise<void> {
    const box = 'srs=EPSG:4326&bbox=0,0,80,80&width=160&height=160';
    const wms = `//geoserver/wms?service=WMS&version=1.1.1`;
    const kml = await ask(`${wms}&request=GetMap&layers=land:${layer}&styles=polygon&format=kml&${box}`);
    expect(kml.text.match(/<Placemark/g)?.length ?? 0, kml.text.slice(0, 500)).toBe(drawn);
    const getLegend = (bbox: string) =>
      ask(
        `${wms}&request=GetLegendGraphic&layer=land:${layer}&style=polygon&format=image/png&legend_options=hideEmptyRules:true&width=20&height=20&srs=EPSG:4326&bbox=${bbox}&srcwidth=160&srcheight=160`,
      );
    const [legend, empty] = [await getLegend('0,0,80,80'), await getLegend('100,60,110,70')];
    expect([legend.status, legend.bytes.equals(empty.bytes)]).toEqual([200, drawn === 0]);
    const grid = await ask(
      `${wms}&request=GetMap&layers=land:${layer}&styles=polygon&format=application/json;type=utfgrid&${box}`,
    );
    expect(grid.status, grid.text.slice(0, 300)).toBe(200);
    const { data = {} } = grid.json() as { data?: Record<string, Record<string, unknown>> };
    const cells = Object.values(data).map((each) =>
      JSON.stringify(sortMembers(Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null)))),
    );
    // Features below others have no cells.
    expect(cells.filter((each) => !expected.includes(each))).toEqual([]);
    expect(cells.length > 0).toBe(drawn > 0);
    const described = await ask(
      `//geoserver/wfs?service=WFS&version=2.0.0&request=DescribeFeatureType&typeNames=land:${layer}&outputFormat=application/json`,
    );
    const { featureTypes } = described.json() as { featureTypes: { properties: { name: string }[] }[] };
    expect(featureTypes[0]?.properties.map(({ name }) => name).sort()).toEqual([...shown].sort());
  }

  it(`show what the model shows, in ${RUNS} random sets of rules`, async () => {
    const trial = fc.record({
      rules: modelRules,
      user: fc.nat(3),
      filter: clientCondition,
      cell: fc.tuple(fc.nat(15), fc.nat(15)),
    });
    const property = fc.asyncProperty(trial, async (each) => {
      await replaceRules(server, each.rules, layers);
      for (const layer of layers) await checkLayer(layer, each);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: RUNS < 100 });
  }, 3_600_000);
});

/** Ids, values and the area of geometries in cells. */
function summarize(reply: Reply): readonly object[] {
  expect(reply.status, reply.text).toBe(200);
  return (reply.json() as Features).features.map(({ id, geometry, properties }) => ({
    id: Number(id.split('.')[1]),
    ...properties,
    ...(geometry === null ? {} : { cells: computeArea(geometry) / CELL ** 2 }),
  }));
}

function expectFeature({ id, values, cells }: VisibleLot, shown: readonly string[]): object {
  const names = lotAttributes.filter((name) => shown.includes(name));
  return {
    id,
    ...Object.fromEntries(names.map((name) => [name, values[name]])),
    ...(cells === null || !shown.includes('the_geom') ? {} : { cells: cells.size }),
  };
}

function computeArea({
  type,
  coordinates,
}: {
  readonly type: string;
  readonly coordinates: readonly unknown[];
}): number {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as readonly (readonly (readonly number[])[][])[];
  return polygons
    .flatMap((rings) => rings.map((ring, index) => Math.abs(computeRingArea(ring)) * (index === 0 ? 1 : -1)))
    .reduce((sum, each) => sum + each, 0);
}

function computeRingArea(ring: readonly (readonly number[])[]): number {
  return ring.slice(1).reduce((sum, [x2 = 0, y2 = 0], index) => {
    const [x1 = 0, y1 = 0] = ring[index] ?? [];
    return sum + (x1 * y2 - x2 * y1) / 2;
  }, 0);
}

function sortMembers(members: object): object {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => one.localeCompare(other)));
}
