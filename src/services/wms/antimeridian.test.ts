import { beforeAll, expect, test } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt, setFill } from '../../../test/support/maps.ts';
import { publishEditableTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { featuresOfTile } from '../../../test/support/vector-tiles.ts';

const server = useTestServer();

beforeAll(async () => {
  const attributes = [geometryColumn('Geometry'), column('kind', 'string')];
  await publishEditableTables(server, 'sea', [
    {
      name: 'both',
      attributes,
      rows: [
        [wkt('POLYGON ((170 -10, -170 -10, -170 10, 170 10, 170 -10))'), 'jump'],
        [wkt('POLYGON ((175 20, 185 20, 185 30, 175 30, 175 20))'), 'beyond'],
        [wkt('LINESTRING (175 50, 185 50)'), 'line'],
        [wkt('POLYGON ((-10 -20, 10 -20, 10 40, -10 40, -10 -20))'), 'middle'],
      ],
    },
    {
      name: 'jumps',
      attributes,
      rows: [
        [wkt('MULTIPOLYGON (((170 -10, -170 -10, -170 10, 170 10, 170 -10)))'), 'jump'],
        [wkt('POLYGON ((-10 -20, 10 -20, 10 40, -10 40, -10 -20))'), 'middle'],
        [wkt('MULTIPOLYGON (((-180 20, -175 20, -175 30, -180 20)), ((180 20, 175 20, 175 30, 180 20)))'), 'split'],
      ],
    },
  ]);
  await setFill(server, 'sea', 'both', 'red', '#ff0000');
});

const MERCATOR_DEGREE = 111_319.49;

function describeMap(box: readonly number[], code = 'EPSG:4326'): string {
  return `service=WMS&version=1.1.1&srs=${code}&bbox=${box}&width=360&height=180&layers=sea:both&styles=`;
}

test.each([
  ['a ring with a jump, across the antimeridian', [170.5, -9, 189, 9]],
  ['a ring with a jump, west of the antimeridian', [172, -5, 178, 5]],
  ['a ring with a jump, east of the antimeridian', [-178, -5, -172, 5]],
  ['a ring with a jump, beyond 180 degrees', [182, -5, 188, 5]],
  ['a ring beyond 180 degrees, where it is stored', [181, 21, 184, 29]],
  ['a ring beyond 180 degrees, on the other side', [-179, 21, -176, 29]],
])('a map shows %s', async (_, box) => {
  const map = await askMap(server, `${describeMap(box)}&request=GetMap&format=image/png`);

  expect(await colourAt(map, 5, 90)).toBe('#ff0000');
  expect(await colourAt(map, 355, 90)).toBe('#ff0000');
});

test('a map in another CRS shows a ring with a jump', async () => {
  const box = [172, -5, 178, 5].map((each) => each * MERCATOR_DEGREE);

  const map = await askMap(server, `${describeMap(box, 'EPSG:3857')}&request=GetMap&format=image/png`);

  expect(await colourAt(map, 180, 90)).toBe('#ff0000');
});

test.each([
  ['east of the antimeridian', 'both', '2/0/1', ['beyond', 'jump', 'line']],
  ['in the middle of the world', 'both', '4/8/7', ['middle']],
  ['beside the shapes', 'both', '4/3/7', []],
  ['in detail, west of the antimeridian', 'both', '6/63/31', ['jump']],
  ['in detail, east of the antimeridian', 'both', '6/0/31', ['jump']],
  ['in detail, on the other side of longitudes beyond 180 degrees', 'both', '6/0/27', ['beyond']],
  ['of data without longitudes beyond 180 degrees', 'jumps', '6/63/31', ['jump']],
  ['of such data in the middle of the world', 'jumps', '4/8/7', ['middle']],
  ['of such data beside the shapes', 'jumps', '4/3/7', []],
  ['of shapes that were split before', 'jumps', '6/63/27', ['split']],
])('a vector tile %s contains the shapes that a map shows', async (_, layer, address, kinds) => {
  const path = `//geoserver/gwc/service/xyz/sea:${layer}@EPSG:900913@pbf/${address}.pbf`;
  const tile = await server.get(path, { as: null });

  const found = tile.status === 204 ? [] : featuresOfTile(tile.bytes).map(({ properties }) => properties['kind']);
  expect(found.toSorted()).toEqual(kinds);
});

const world = [-180, -90, 180, 90];
const mercator = [-180, -90, 180, 90].map((each) => each * MERCATOR_DEGREE);

test.each([
  [world, 'EPSG:4326', [2, 90], ['jump']],
  [world, 'EPSG:4326', [357, 90], ['jump']],
  [world, 'EPSG:4326', [2, 65], ['beyond']],
  [world, 'EPSG:4326', [357, 65], ['beyond']],
  [world, 'EPSG:4326', [3, 40], ['line']],
  [world, 'EPSG:4326', [357, 40], ['line']],
  [world, 'EPSG:4326', [180, 90], ['middle']],
  [world, 'EPSG:4326', [20, 90], []],
  [[160, -30, 200, 30], 'EPSG:4326', [100, 90], ['jump']],
  [[160, -30, 200, 30], 'EPSG:4326', [260, 90], ['jump']],
  [mercator, 'EPSG:3857', [2, 90], ['jump']],
  [mercator, 'EPSG:3857', [357, 90], ['jump']],
  [[10, -30, 50, 30].map((each) => each * MERCATOR_DEGREE), 'EPSG:3832', [100, 90], ['jump']],
  [[10, -30, 50, 30].map((each) => each * MERCATOR_DEGREE), 'EPSG:3832', [260, 90], ['jump']],
])('GetFeatureInfo on the map %j in %s at %j finds %j', async (box, code, [x, y], kinds) => {
  const asked = `request=GetFeatureInfo&query_layers=sea:both&info_format=application/json&x=${x}&y=${y}`;
  const reply = await askMap(server, `${describeMap(box, code)}&${asked}`);

  const { features } = reply.json() as { features: readonly { properties: { kind: string } }[] };
  expect(features.map(({ properties }) => properties.kind)).toEqual(kinds);
});
