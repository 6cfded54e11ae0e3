/** Documents of other servers spell values in other ways; a comparison recognizes them as equal. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';
import { pointShapefile, WGS84_PRJ, zipOf } from '../../../test/support/vector-samples.ts';

const server = useTestServer();

type Fields = Readonly<Record<string, unknown>>;

interface Resource {
  readonly kind: string;
  readonly path: string;
  readonly fields: Fields;
}

interface Plan {
  readonly steps: readonly unknown[];
  readonly summary: { readonly unchanged: number };
}

async function send(what: 'diff' | 'apply', resources: readonly Resource[], query = ''): Promise<Plan> {
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources });
  const reply = await server.post(`/configuration/${what}${query}`, body, {
    type: 'json',
    accept: 'application/problem+json, application/json',
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as Plan;
}

const STORE = '/workspaces/acme/datastores/wells';
const type = (fields: Fields): Resource => ({ kind: 'featureType', path: `${STORE}/featuretypes/wells`, fields });
const rules = (family: string, entries: readonly (readonly [string, readonly string[]])[]): Resource => ({
  kind: 'accessRules',
  path: `/security/acl/${family}`,
  fields: { rules: entries.map(([rule, roles]) => ({ rule, roles })) },
});

beforeAll(async () => {
  await server.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
  await server.request('PUT', '/workspaces/acme/datastores/wells/file.shp', {
    type: 'application/zip',
    body: zipOf({ wells: pointShapefile(3) }),
  });
});

describe('the spelling of a document', () => {
  it.each<[string, Resource]>([
    [
      'attributes without their types',
      type({ attributes: { attribute: [{ name: 'the_geom' }, { name: 'name' }, { name: 'rank' }, { name: 'seen' }] } }),
    ],
    [
      'former names of the same types',
      type({
        attributes: {
          attribute: [
            { name: 'the_geom', binding: 'com.vividsolutions.jts.geom.Point' },
            { name: 'name' },
            { name: 'rank' },
            { name: 'seen', minOccurs: '0' },
          ],
        },
      }),
    ],
    ['a URN of the CRS', type({ srs: 'urn:x-ogc:def:crs:EPSG:4326' })],
    ['the CRS of the data', type({ nativeCRS: WGS84_PRJ })],
    [
      'the CRS of a box with its class',
      type({
        latLonBoundingBox: { minx: 10, maxx: 12, miny: 50, maxy: 52, crs: { '@class': 'geographic', $: WGS84_PRJ } },
      }),
    ],
    ['a layer at the root', { kind: 'layer', path: '/workspaces/acme/layers/wells', fields: { path: '/' } }],
    [
      'a style with the class of its element',
      {
        kind: 'layer',
        path: '/workspaces/acme/layers/wells',
        fields: { defaultStyle: { '@class': 'style', name: 'point' } },
      },
    ],
  ])('may contain %s', async (_, resource) => {
    expect((await send('diff', [resource])).steps).toEqual([]);
  });

  it('still contains the changes beside such values', async () => {
    const renamed = type({
      srs: 'EPSG:25833',
      attributes: { attribute: [{ name: 'the_geom' }, { name: 'name', description: 'The name' }, { name: 'rank' }] },
    });

    const { steps } = await send('diff', [renamed]);

    expect(steps).toMatchObject([
      { action: 'update', changes: [{ field: '/attributes/attribute' }, { field: '/srs' }] },
    ]);
  });

  it('states with EPSG:404000 that a type has no CRS', async () => {
    const plane = { ...type({ srs: 'EPSG:404000' }), path: `${STORE}/featuretypes/plane` };
    const named = { ...plane, fields: { ...plane.fields, nativeName: 'wells' } };

    await send('apply', [named]);

    expect((await send('diff', [named])).steps).toEqual([]);
    expect((await server.get(`${STORE}/featuretypes/plane.json`)).json()).not.toHaveProperty('featureType.srs');
  });

  it('may list rules of layers and services in any order, but those of REST only in theirs', async () => {
    const layers = [
      ['acme.*.r', ['ADMIN', 'GROUP_ADMIN']],
      ['*.*.r', ['*']],
      ['*.*.w', ['ADMIN']],
    ] as const;
    const services = [
      ['wfs.Transaction', ['ADMIN']],
      ['wms.*', ['*']],
    ] as const;
    const rest = [
      ['/rest/workspaces/**:GET', ['ADMIN']],
      ['/**:GET', ['ADMIN']],
      ['/**:POST,DELETE,PUT', ['ADMIN']],
    ] as const;
    await send('apply', [rules('layers', layers), rules('services', services), rules('rest', rest)]);

    const turned = await send('diff', [rules('layers', layers.toReversed()), rules('services', services.toReversed())]);
    const roles = await send('diff', [rules('layers', [['acme.*.r', ['GROUP_ADMIN', 'ADMIN']], ...layers.slice(1)])]);
    const others = await send('diff', [rules('rest', rest.toReversed())]);

    expect([turned.steps, roles.steps, others.steps.length]).toEqual([[], [], 1]);
  });

  it('may contain locations with or without a slash at the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-spellings-'));
    await mkdir(join(folder, 'tiles'));
    await writeFile(join(folder, 'tiles', 'a.tif'), granuleBytes({ left: 0, top: 10, pixel: 2.5 }));
    await writeFile(join(folder, 'a.properties'), '_=name:String\n');
    const store = (slash: string): readonly Resource[] => [
      {
        kind: 'coverageStore',
        path: '/workspaces/acme/coveragestores/tiles',
        fields: { type: 'ImageMosaic', url: `file:${folder}/tiles${slash}` },
      },
      {
        kind: 'dataStore',
        path: '/workspaces/acme/datastores/notes',
        fields: { connectionParameters: { directory: `${folder}${slash}` } },
      },
    ];
    await send('apply', store(''));

    expect((await send('diff', store('/'))).steps).toEqual([]);
    expect((await send('diff', store(''))).steps).toEqual([]);
  });

  it('may contain the CRS of a group box as code, URN or WKT', async () => {
    const group = (crs: unknown): Resource => ({
      kind: 'layerGroup',
      path: '/layergroups/all',
      fields: {
        publishables: { published: [{ '@type': 'layer', name: 'acme:wells' }] },
        bounds: { minx: 0, maxx: 20, miny: 40, maxy: 60, crs },
      },
    });
    await send('apply', [group('EPSG:4326')]);

    for (const crs of ['urn:ogc:def:crs:EPSG::4326', WGS84_PRJ, { '@class': 'geographic', $: 'EPSG:4326' }]) {
      expect((await send('diff', [group(crs)])).steps).toEqual([]);
    }
    expect((await send('diff', [group('EPSG:25833')])).steps).toHaveLength(1);
  });
});
