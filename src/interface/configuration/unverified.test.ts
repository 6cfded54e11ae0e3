/** Configurations whose data is unavailable are applied as they are described, and completed when it is available. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { pointShapefile } from '../../../test/support/vector-samples.ts';

const server = useTestServer();

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Plan {
  readonly code?: string;
  readonly change: number | null;
  readonly steps: readonly { readonly path: string; readonly changes?: unknown }[];
  readonly unverified: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly errors?: readonly { readonly path: string; readonly code: string }[];
}

async function send(
  to: TestServer,
  what: 'diff' | 'apply',
  resources: readonly Resource[],
  query = '',
): Promise<Plan & { readonly status: number }> {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources });
  const reply = await to.post(`/configuration/${what}?${query}`, body, {
    type: 'json',
    accept: 'application/problem+json, application/json',
  });
  return { ...(reply.json() as Plan), status: reply.status };
}

const workspace = (name: string): Resource => ({ kind: 'workspace', path: `/workspaces/${name}`, fields: {} });

const UNREACHABLE = { dbtype: 'postgis', host: '127.0.0.1', port: '1', database: 'd', user: 'u', passwd: 'p' };

/** A database that does not respond, with two types as another server describes them. */
function unreachableTypes(name: string): readonly Resource[] {
  const store = `/workspaces/${name}/datastores/away`;
  const describeType = (type: string) => ({
    kind: 'featureType',
    path: `${store}/featuretypes/${type}`,
    fields: {
      nativeName: type,
      title: `Title of ${type}`,
      srs: 'EPSG:25833',
      nativeCRS: 'urn:x-ogc:def:crs:EPSG:25833',
      nativeBoundingBox: { minx: 1, maxx: 2, miny: 3, maxy: 4, crs: 'EPSG:25833' },
      latLonBoundingBox: { minx: 9, maxx: 10, miny: 50, maxy: 51, crs: 'EPSG:4326' },
      attributes: { attribute: [{ name: 'geom', minOccurs: 0, maxOccurs: 1, nillable: true }, { name: 'length' }] },
    },
  });
  return [
    workspace(name),
    { kind: 'dataStore', path: store, fields: { connectionParameters: UNREACHABLE } },
    describeType('roads'),
    describeType('rivers'),
  ];
}

describe('data that is unavailable', () => {
  it('is reported for every resource by default, and nothing is stored', async () => {
    const resources = [
      ...unreachableTypes('rejected'),
      { kind: 'urlCheck', path: '/urlchecks/wrong', fields: { regex: '(' } },
    ];

    const { status, code, errors = [] } = await send(server, 'apply', resources);

    expect([status, code]).toEqual([422, 'configuration-invalid']);
    expect(errors.map(({ path, code: each }) => [path, each])).toEqual([
      ['/urlchecks/wrong', 'regex-invalid'],
      ['/workspaces/rejected/datastores/away/featuretypes/rivers', 'store-unreachable'],
      ['/workspaces/rejected/datastores/away/featuretypes/roads', 'store-unreachable'],
    ]);
    expect((await server.get('/workspaces/rejected')).status).toBe(404);
  });

  it('does not prevent types from being stored as described with unverified=accept', async () => {
    const resources = unreachableTypes('accepted');
    const before = (await server.get('/configuration')).json() as { hash: string };
    const paths = resources
      .slice(2)
      .map(({ path }) => path)
      .toSorted();

    const dry = await send(server, 'apply', resources, 'unverified=accept&dryRun=true');
    const applied = await send(server, 'apply', resources, 'unverified=accept');
    const again = await send(server, 'diff', resources);
    const doctor = (await server.get('/doctor')).json() as {
      checks: { check: string; ok: boolean }[];
      problems: { path: string; code: string }[];
    };

    expect(dry.status).toBe(200);
    expect(dry.unverified.map(({ path }) => path)).toEqual(paths);
    expect(applied.status, JSON.stringify(applied)).toBe(200);
    expect(applied.unverified.map(({ path, code }) => [path, code])).toEqual(
      paths.map((path) => [path, 'store-unreachable']),
    );
    expect(again.steps).toEqual([]);
    expect(again.unverified).toEqual(applied.unverified);
    expect(doctor.checks).toContainEqual(expect.objectContaining({ check: 'unverified', ok: false }));
    expect(doctor.problems.filter(({ path }) => paths.includes(path)).map(({ code }) => code)).toEqual([
      'store-unreachable',
      'store-unreachable',
    ]);

    const capabilities = await server.get('//wfs?service=WFS&version=2.0.0&request=GetCapabilities');
    const features = await server.get('//wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=accepted:roads');
    const schema = await server.get(
      '//wfs?service=WFS&version=2.0.0&request=DescribeFeatureType&typeNames=accepted:roads',
    );
    const map = await server.get(
      '//wms?service=WMS&version=1.1.1&request=GetMap&layers=accepted:roads&styles=&srs=EPSG:4326&bbox=9,50,10,51&width=8&height=8&format=image/png',
    );
    expect(capabilities.text).toContain('Title of roads');
    expect(features.status).toBeGreaterThanOrEqual(400);
    expect(features.text).toMatch(/unreachable|unavailable/i);
    expect(schema.status).toBe(200);
    expect(map.text).toMatch(/unreachable|unavailable/i);

    expect((await server.post(`/history/${applied.change}/undo`, '')).status).toBeLessThan(300);
    expect(((await server.get('/configuration')).json() as { hash: string }).hash).toBe(before.hash);
  });

  it('completes a type when it becomes available, without a change of the configuration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-unverified-'));
    const store = '/workspaces/later/datastores/wells';
    const resources: readonly Resource[] = [
      workspace('later'),
      {
        kind: 'dataStore',
        path: store,
        fields: { connectionParameters: { url: `file://${folder}/wells.shp` } },
      },
      {
        kind: 'featureType',
        path: `${store}/featuretypes/wells`,
        fields: {
          srs: 'EPSG:4326',
          nativeBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52 },
          latLonBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52 },
          attributes: { attribute: [{ name: 'the_geom' }, { name: 'name', nillable: true }] },
        },
      },
      { kind: 'layer', path: '/workspaces/later/layers/wells', fields: { defaultStyle: { name: 'point' } } },
    ];

    const applied = await send(server, 'apply', resources, 'unverified=accept');
    expect(applied.status, JSON.stringify(applied)).toBe(200);
    expect(applied.unverified.map(({ path }) => path)).toEqual([`${store}/featuretypes/wells`]);
    const hash = ((await server.get('/configuration')).json() as { hash: string }).hash;
    const shapefile = pointShapefile(3);
    for (const [extension, bytes] of Object.entries(shapefile)) {
      await writeFile(join(folder, `wells.${extension}`), bytes as Uint8Array);
    }

    const features = await server.get(
      '//wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=later:wells&outputFormat=application/json',
    );
    const map = await server.get(
      '//wms?service=WMS&version=1.1.1&request=GetMap&layers=later:wells&styles=&srs=EPSG:4326&bbox=9,49,13,53&width=8&height=8&format=image/png',
    );

    expect(features.status, features.text).toBe(200);
    const { features: rows } = features.json() as { features: { properties: object; geometry: { type: string } }[] };
    expect(rows.map(({ geometry, properties }) => [geometry.type, Object.keys(properties)])).toEqual(
      Array.from({ length: 3 }, () => ['Point', ['name']]),
    );
    expect(map.headers['content-type'], map.text).toBe('image/png');
    expect(((await server.get('/configuration')).json() as { hash: string }).hash).toBe(hash);
    expect((await send(server, 'diff', resources)).steps).toEqual([]);

    expect((await server.post(`${store}/reset`, '')).status).toBe(200);
    const verified = await send(server, 'diff', resources);
    expect([verified.steps, verified.unverified]).toEqual([[], []]);
    const type = (await server.get(`${store}/featuretypes/wells.json`)).text;
    expect(type).toContain('org.locationtech.jts.geom.Point');
  });

  it('completes rasters and mosaics when they become available', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-unverified-'));
    const stores = '/workspaces/rasters/coveragestores';
    const box = { minx: 0, maxx: 10, miny: 0, maxy: 10 };
    const cover = (store: string): Resource => ({
      kind: 'coverage',
      path: `${stores}/${store}/coverages/${store}`,
      fields: { srs: 'EPSG:4326', nativeBoundingBox: box, latLonBoundingBox: box },
    });
    const resources: readonly Resource[] = [
      workspace('rasters'),
      {
        kind: 'coverageStore',
        path: `${stores}/relief`,
        fields: { type: 'GeoTIFF', url: `file:${folder}/relief.tif` },
      },
      {
        kind: 'coverageStore',
        path: `${stores}/tiles`,
        fields: { type: 'ImageMosaic', url: `file:${folder}/tiles/` },
      },
      cover('relief'),
      cover('tiles'),
    ];

    const rejected = await send(server, 'apply', resources);
    const applied = await send(server, 'apply', resources, 'unverified=accept');

    expect(rejected.status).toBe(422);
    expect(rejected.errors?.map(({ path }) => path).toSorted()).toEqual([
      `${stores}/relief/coverages/relief`,
      `${stores}/tiles`,
    ]);
    expect(applied.status, JSON.stringify(applied)).toBe(200);
    expect(applied.unverified.map(({ path }) => path)).toEqual([
      `${stores}/relief/coverages/relief`,
      `${stores}/tiles`,
      `${stores}/tiles/coverages/tiles`,
    ]);
    expect((await send(server, 'diff', resources)).steps).toEqual([]);
    const map = (layer: string) =>
      server.get(
        `//wms?service=WMS&version=1.1.1&request=GetMap&layers=rasters:${layer}&styles=&srs=EPSG:4326&bbox=0,0,10,10&width=8&height=8&format=image/png`,
      );
    expect((await map('relief')).headers['content-type']).not.toBe('image/png');
    expect((await map('tiles')).headers['content-type']).not.toBe('image/png');

    await writeFile(join(folder, 'relief.tif'), granuleBytes({ left: 0, top: 10, pixel: 2.5, epsg: 4326 }));
    await mkdir(join(folder, 'tiles'));
    await writeFile(join(folder, 'tiles', 'a.tif'), granuleBytes({ left: 0, top: 10, pixel: 2.5, epsg: 4326 }));
    expect((await map('relief')).headers['content-type'], (await map('relief')).text).toBe('image/png');
    const harvested = await server.put(
      `${stores}/tiles`,
      JSON.stringify({ coverageStore: { url: `file:${folder}/tiles/` } }),
      { type: 'json' },
    );
    expect(harvested.status, harvested.text).toBe(200);
    expect((await map('tiles')).headers['content-type'], (await map('tiles')).text).toBe('image/png');
    expect((await send(server, 'diff', resources)).steps).toEqual([]);
  });

  it('does not prevent cascaded layers from being stored', async () => {
    const store = '/workspaces/cascade/wmsstores/gone';
    const resources: readonly Resource[] = [
      workspace('cascade'),
      { kind: 'urlCheck', path: '/urlchecks/local', fields: { regex: '^http://127\\.0\\.0\\.1:.*$', enabled: true } },
      { kind: 'wmsStore', path: store, fields: { capabilitiesURL: 'http://127.0.0.1:1/wms' } },
      {
        kind: 'wmsLayer',
        path: `${store}/wmslayers/states`,
        fields: { srs: 'EPSG:4326', title: 'States', latLonBoundingBox: { minx: 0, maxx: 1, miny: 0, maxy: 1 } },
      },
    ];

    const applied = await send(server, 'apply', resources, 'unverified=accept');

    expect(applied.status, JSON.stringify(applied)).toBe(200);
    expect(applied.unverified.map(({ path }) => path)).toEqual([`${store}/wmslayers/states`]);
    expect((await send(server, 'diff', resources)).steps).toEqual([]);
  });

  it('does not include invalid fields, which are errors in any case', async () => {
    const [first, store, roads] = unreachableTypes('invalid');
    const invalid = { ...roads, fields: { ...roads?.fields, srs: 'EPSG:1' } } as Resource;

    const { status, errors } = await send(server, 'apply', [first, store, invalid] as Resource[], 'unverified=accept');

    expect([status, errors?.map(({ code }) => code)]).toEqual([422, ['srs-unknown']]);
  });
});
