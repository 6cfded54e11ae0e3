/** Random data rules and users, compared with a simple model: files, coverages, extents, history and events. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import {
  type Box,
  listShown,
  lotAttributes,
  lots,
  type ModelRule,
  type ModelUser,
  modelRules,
  selectRules,
  showLot,
  toCell,
  toCells,
  type VisibleLot,
} from '../support/data-rule-model.ts';
import { CELL, RASTER, replaceRules, toPolygon } from '../support/data-rule-server.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { FEATURES } from '../support/features.ts';
import { ogrFeatures, ogrSummary } from '../support/gdal.ts';
import { publishTables } from '../support/published-features.ts';
import { putTiff } from '../support/raster-samples.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { type Reply, useTestServer } from '../support/test-server.ts';
import { addUser } from '../support/test-users.ts';
import { tiffBytes } from '../support/tiff-bytes.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** Number of random sets of rules; a longer campaign uses hundreds. */
const RUNS = Number(process.env['DATA_RULE_RUNS'] ?? 4);

const SIDE = 16;

const rows = fc.sample(lots, { numRuns: 1, seed: 20_261 })[0] ?? [];

/** Neighbours differ, and no cell has the value of hidden samples. */
const sampleCell = (x: number, y: number): number => 1 + ((toCell(x, y) * 37) % 251);

/** One pixel for each cell of the model; the first row is the northernmost. */
const heights = tiffBytes(
  [
    { tag: 256, type: 'long', values: [SIDE] },
    { tag: 257, type: 'long', values: [SIDE] },
    { tag: 258, type: 'short', values: [8] },
    { tag: 259, type: 'short', values: [1] },
    { tag: 262, type: 'short', values: [1] },
    { tag: 277, type: 'short', values: [1] },
    { tag: 278, type: 'long', values: [SIDE] },
    { tag: 33550, type: 'double', values: [CELL, CELL, 0] },
    { tag: 33922, type: 'double', values: [0, 0, 0, 0, SIDE * CELL, 0] },
    { tag: 34735, type: 'short', values: [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] },
  ],
  Uint8Array.from({ length: SIDE ** 2 }, (_, index) => sampleCell(index % SIDE, SIDE - 1 - Math.floor(index / SIDE))),
);

interface Trial {
  readonly rules: readonly ModelRule[];
  readonly user: number;
  readonly window: Box;
}

type Ask = (path: string) => Promise<Reply>;

describeWithTool('gdal', 'data rules', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('exports');
  const users: { readonly model: ModelUser; readonly as: string | null }[] = [
    { model: { name: undefined, roles: ['ROLE_ANONYMOUS'] }, as: null },
  ];
  const askAsAdministrator: Ask = (path) => server.get(path);
  beforeAll(async () => {
    const attributes = [
      geometryColumn('Polygon'),
      column('num', 'integer'),
      column('owner', 'string', 20),
      column('tax', 'string', 20),
    ];
    const values = rows.map(({ box, values: { num, owner, tax } }) => [wkt(toPolygon(box)), num, owner, tax]);
    await publishTables(server, 'land', [{ name: 'packed', attributes, rows: values }], 'packed');
    const elevation =
      '<dimensionInfo><enabled>true</enabled><attribute>num</attribute><presentation>LIST</presentation></dimensionInfo>';
    const metadata = `<featureType><metadata><entry key="elevation">${elevation}</entry></metadata></featureType>`;
    expect((await server.put('/workspaces/land/featuretypes/packed', metadata, { type: 'xml' })).status).toBe(200);
    const uploaded = await putTiff(server, '/workspaces/land/coveragestores/heights/file.geotiff', heights);
    expect(uploaded.status, uploaded.text).toBe(201);
    users.push(
      { model: { name: 'ann', roles: ['A'] }, as: await addUser(server, 'ann', 'A') },
      { model: { name: 'bob', roles: ['A', 'B'] }, as: await addUser(server, 'bob', 'A', 'B') },
    );
  });

  async function checkFiles(ask: Ask, visible: readonly VisibleLot[], shown: readonly string[]): Promise<void> {
    const columns = lotAttributes.filter((name) => shown.includes(name));
    const expected = {
      fields: columns,
      extent: measureCells(visible),
      rows: visible.map(({ values }) => JSON.stringify(columns.map((name) => values[name] ?? null))).sort(),
    };
    // A shapefile has geometries.
    const formats = shown.includes('the_geom') ? ['gpkg', 'fgb', 'shapefile'] : ['gpkg', 'fgb'];
    for (const f of formats) {
      const reply = await ask(`${FEATURES}/collections/land:packed/items?f=${f}&limit=100`);
      expect(reply.status, reply.text.slice(0, 300)).toBe(200);
      const path = join(folder, f === 'shapefile' ? 'export.shp.zip' : `export.${f}`);
      await writeFile(path, reply.bytes);
      const source = f === 'shapefile' ? `/vsizip/${path}` : path;
      const { fields, extent } = await ogrSummary(source);
      // The extent of an empty shapefile is a point.
      const measured = extent?.every((side) => side === 0) ? undefined : extent;
      const read = (await ogrFeatures(source)).map(({ properties }) =>
        // A text of a shapefile cannot be null.
        JSON.stringify(columns.map((name) => (properties[name] === '' ? null : (properties[name] ?? null)))),
      );
      expect({ fields: fields.map(({ name }) => name), extent: measured, rows: read.sort() }, f).toEqual(expected);
    }
  }

  /** Workbooks contain all visible values, and drawings those of features with a geometry. */
  async function checkOfficeFiles(ask: Ask, visible: readonly VisibleLot[], shown: readonly string[]): Promise<void> {
    const columns = lotAttributes.filter((name) => shown.includes(name));
    const wfs = '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=land:packed';
    const load = async (query: string, name: string) => {
      const reply = await ask(`${wfs}&${query}`);
      expect(reply.status, reply.text.slice(0, 300)).toBe(200);
      await writeFile(join(folder, name), reply.bytes);
      // The first line of a workbook has the names, also if all values are texts.
      return ogrFeatures(join(folder, name), { OGR_XLSX_HEADERS: 'FORCE' });
    };
    const cells = (await load('outputFormat=xlsx', 'export.xlsx')).map(({ properties }) => {
      const { FID: id, ...values } = properties;
      return [String(id), ...columns.map((name) => String(values[name] ?? ''))];
    });
    const expected = visible.map(({ id, values }) => [
      `packed.${id}`,
      ...columns.map((name) => String(values[name] ?? '')),
    ]);
    // GDAL reads the names of a workbook as values if it has nothing else.
    expect(cells.filter(([id]) => id !== 'undefined')).toEqual(expected);
    if (!shown.includes('the_geom')) return;
    const drawn = visible.filter(({ cells: area }) => area !== null && area.size > 0);
    const entities = await load('outputFormat=DXF&format_options=withattributes:true', 'export.dxf');
    const texts = entities.flatMap(({ properties: { Text: text } }) =>
      text == null || text === '' ? [] : [String(text)],
    );
    const values = drawn.flatMap(({ values: each }) => columns.map((name) => String(each[name] ?? '')));
    expect(texts.sort()).toEqual(values.filter((each) => each !== '').sort());
    const outlines = entities.flatMap(({ properties: { Text: text }, geometry }) =>
      text == null && geometry != null ? [geometry as { readonly coordinates: unknown }] : [],
    );
    expect(measurePositions(outlines)).toEqual(measureCells(drawn));
  }

  /** Configured extents are those of the catalog for everybody; values of dimensions are those of visible rows. */
  async function checkExtents(ask: Ask, visible: readonly VisibleLot[]): Promise<void> {
    for (const path of [
      '//geoserver/wfs?service=WFS&version=2.0.0&request=GetCapabilities',
      '//geoserver/wcs?service=WCS&version=2.0.1&request=GetCapabilities',
      '//geoserver/gwc/service/wmts?service=WMTS&request=GetCapabilities',
      '//geoserver/wcs?service=WCS&version=2.0.1&request=DescribeCoverage&coverageId=land__heights',
      `${FEATURES}/collections/land:packed?f=json`,
    ]) {
      expect(listExtents(await ask(path)), path).toEqual(listExtents(await askAsAdministrator(path)));
    }
    const wms = '//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities';
    const [own, whole] = [await ask(wms), await askAsAdministrator(wms)];
    expect(listExtents(own)).toEqual(listExtents(whole));
    const numbers = new Set(visible.flatMap(({ values: { num } }) => num ?? []));
    const listed = /<Dimension name="elevation"[^>]*>([^<]*)</.exec(own.text)?.[1]?.trim() ?? '';
    expect(listed === '' ? [] : listed.split(',').map(Number)).toEqual([...numbers].sort((one, other) => one - other));
  }

  async function checkCoverage(ask: Ask, cells: ReadonlySet<number> | undefined, window: Box): Promise<void> {
    const isVisible = (x: number, y: number) => cells === undefined || cells.has(toCell(x, y));
    const [x1, y1, x2, y2] = window;
    const subset = `subset=Long(${x1 * CELL},${x2 * CELL})&subset=Lat(${y1 * CELL},${y2 * CELL})`;
    const get = (query: string) =>
      ask(`//geoserver/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=land__heights&${query}`);
    // The response is cut to the visible part, unless nothing of the window is visible.
    const shown = cells === undefined ? window : (intersectBoxes(window, measureBox([...cells])) ?? window);
    const expected = listSamples(shown, (x, y) => (isVisible(x, y) ? sampleCell(x, y) : 0));

    const gml = (await get(`format=application/gml%2Bxml&${subset}`)).text;
    const samples = /tupleList[^>]*>([^<]*)</.exec(gml)?.[1]?.trim().split(/\s+/).map(Number);
    expect(samples, gml.slice(0, 500)).toEqual(expected);
    expect(/<gml:lowerCorner>([^<]*)/.exec(gml)?.[1]).toBe(`${shown[1] * CELL} ${shown[0] * CELL}`);
    for (const format of ['image/tiff', 'image/png']) {
      const file = await get(`format=${format}&${subset}`);
      const { data, info } = await sharp(file.bytes).raw().toBuffer({ resolveWithObject: true });
      const first = Array.from({ length: info.width * info.height }, (_, index) => data[index * info.channels]);
      expect(first, format).toEqual(expected);
    }

    // The responses of older versions have exactly the requested box.
    const [low, high] = [[x1 * CELL, y1 * CELL] as const, [x2 * CELL, y2 * CELL] as const];
    const whole = listSamples(window, (x, y) => (isVisible(x, y) ? sampleCell(x, y) : 0));
    for (const query of [
      `version=1.0.0&coverage=land:heights&format=GML&crs=EPSG:4326&bbox=${low},${high}&resx=${CELL}&resy=${CELL}`,
      `version=1.1.1&identifier=land:heights&format=application/gml%2Bxml&boundingBox=${low},${high},EPSG:4326&gridBaseCRS=EPSG:4326&gridOffsets=${CELL},${-CELL}`,
    ]) {
      const { text } = await ask(`//geoserver/wcs?service=WCS&request=GetCoverage&${query}`);
      const tuples = /tupleList[^>]*>([^<]*)</.exec(text)?.[1]?.trim().split(/\s+/).map(Number);
      expect(tuples, `${query} ${text.slice(0, 500)}`).toEqual(whole);
    }

    const [x, y] = [x1, y1];
    const map = `//geoserver/wms?service=WMS&version=1.1.1&layers=${RASTER}&styles=raster&srs=EPSG:4326&bbox=0,0,80,80&width=160&height=160&transparent=true&format=image/png`;
    const [column, row] = [x * 10 + 5, (SIDE - 1 - y) * 10 + 5];
    const info = await ask(
      `${map}&request=GetFeatureInfo&query_layers=${RASTER}&info_format=application/json&x=${column}&y=${row}`,
    );
    const found = (info.json() as { features: { properties: object }[] }).features;
    expect(found.flatMap(({ properties }) => Object.values(properties))).toEqual(
      isVisible(x, y) ? [sampleCell(x, y)] : [],
    );
    const { data } = await sharp((await ask(`${map}&request=GetMap`)).bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[(row * 160 + column) * 4 + 3]).toBe(isVisible(x, y) ? 255 : 0);
  }

  /** Both contain rules, and the fields of all resources. */
  async function checkChanges(ask: Ask, status: number): Promise<void> {
    for (const path of ['/history', '/events?expand=items', '/security/acl/data', '/configuration', '/doctor']) {
      const reply = await ask(path);
      expect([path, reply.status]).toEqual([path, status]);
      expect(reply.text).not.toMatch(/rule\d|packed/);
    }
  }

  it(`show what the model shows in files, coverages and extents, in ${RUNS} random sets of rules`, async () => {
    const trial = fc.record({ rules: modelRules, user: fc.nat(2), window: boxes });
    const property = fc.asyncProperty(trial, async ({ rules, user, window }: Trial) => {
      await replaceRules(server, rules, ['packed', 'heights']);
      const { model, as } = users[user] ?? { model: { name: undefined, roles: [] }, as: null };
      const applied = selectRules(rules, model);
      const visible = rows.flatMap((lot) => showLot(lot, applied, model) ?? []);
      const ask: Ask = (path) => server.get(path, { as });
      await checkFiles(ask, visible, listShown(applied));
      await checkOfficeFiles(ask, visible, listShown(applied));
      await checkExtents(ask, visible);
      await checkCoverage(ask, listVisibleCells(applied), window);
      await checkChanges(ask, as === null ? 401 : 403);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: RUNS < 100 });
  }, 3_600_000);
});

const boxes: fc.Arbitrary<Box> = fc
  .tuple(fc.nat(SIDE - 1), fc.nat(SIDE - 1), fc.integer({ min: 1, max: SIDE }), fc.integer({ min: 1, max: SIDE }))
  .map(([x, y, width, height]) => [x, y, Math.min(SIDE, x + width), Math.min(SIDE, y + height)]);

/** Rules for several layers that have conditions on rows or attributes show nothing of coverages. */
function listVisibleCells(rules: readonly ModelRule[] | undefined): ReadonlySet<number> | undefined {
  const fitting = rules?.filter(
    ({ level, rows: condition, attributes }) =>
      level === 0 || (condition === null && !Object.values(attributes).includes('hide')),
  );
  if (fitting === undefined || fitting.some(({ area }) => area === null)) return undefined;
  return new Set(fitting.flatMap(({ area }) => (area === null ? [] : [...toCells(area.box)])));
}

function measureBox(cells: readonly number[]): Box | undefined {
  if (cells.length === 0) return undefined;
  const [xs, ys] = [cells.map((cell) => cell % SIDE), cells.map((cell) => Math.floor(cell / SIDE))];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
}

function measureCells(visible: readonly VisibleLot[]): readonly number[] | undefined {
  return measureBox(visible.flatMap(({ cells }) => [...(cells ?? [])]))?.map((side) => side * CELL);
}

/** Returns undefined without positions. */
function measurePositions(geometries: readonly { readonly coordinates: unknown }[]): readonly number[] | undefined {
  const numbers = JSON.stringify(geometries.map(({ coordinates }) => coordinates)).match(/\[-?\d[^\]]*\]/g) ?? [];
  const positions = numbers.map((each) => JSON.parse(each) as number[]);
  if (positions.length === 0) return undefined;
  const [xs, ys] = [positions.map(([x = 0]) => x), positions.map(([, y = 0]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function intersectBoxes(one: Box, other: Box | undefined): Box | undefined {
  if (other === undefined) return undefined;
  const [x1, y1] = [Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  const [x2, y2] = [Math.min(one[2], other[2]), Math.min(one[3], other[3])];
  return x1 < x2 && y1 < y2 ? [x1, y1, x2, y2] : undefined;
}

function listSamples([x1, y1, x2, y2]: Box, sample: (x: number, y: number) => number): readonly number[] {
  const [width, height] = [x2 - x1, y2 - y1];
  return Array.from({ length: width * height }, (_, index) =>
    sample(x1 + (index % width), y2 - 1 - Math.floor(index / width)),
  );
}

/** Numbers of all elements and members that describe extents. */
function listExtents(reply: Reply): readonly string[] {
  expect(reply.status, reply.text.slice(0, 300)).toBe(200);
  const elements =
    /<(?:\w+:)?(?:lowerCorner|upperCorner|LowerCorner|UpperCorner|westBoundLongitude|eastBoundLongitude|southBoundLatitude|northBoundLatitude|low|high)>[^<]*|<BoundingBox [^>]*>|"bbox":\[[^\]]*\]+/g;
  const found = reply.text.match(elements) ?? [];
  expect(found.length).toBeGreaterThan(0);
  return found;
}
