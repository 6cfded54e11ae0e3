/** Boxes in another CRS than the data, partly outside the area of the data CRS. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'ports',
      attributes: [geometryColumn('Point', 'EPSG:3857'), column('name', 'string')],
      rows: [
        [wkt('POINT (1113194 6000000)'), 'east'],
        [wkt('POINT (-1113194 -6000000)'), 'south'],
      ],
    },
    {
      name: 'poles',
      attributes: [geometryColumn('Point', 'EPSG:3031'), column('name', 'string')],
      rows: [
        [wkt('POINT (0 1000000)'), 'south of Africa'],
        [wkt('POINT (0 0)'), 'pole'],
      ],
    },
  ]),
);

async function found(type: string, query: string, version = '2.0.0'): Promise<readonly unknown[]> {
  const reply = await server.get(
    `//geoserver/wfs?service=WFS&version=${version}&request=GetFeature&outputFormat=json&typeName=topo:${type}&typeNames=topo:${type}&${query}`,
    { as: null },
  );
  expect(reply.text).toMatch(/^\{"type":"FeatureCollection"/);
  const { features } = reply.json() as {
    readonly features: readonly { readonly properties: { readonly name: unknown } }[];
  };
  return features.map(({ properties }) => properties.name);
}

const world = '-180,-90,180,90';

describe('box with corners outside the area of the data CRS', () => {
  it.each(['1.0.0', '1.1.0', '2.0.0'])('matches features in the rest of the box in WFS %s', async (version) => {
    expect(await found('ports', `bbox=${world},EPSG:4326`, version)).toEqual(['east', 'south']);
    expect(await found('ports', 'bbox=-90,-180,0,180,urn:ogc:def:crs:EPSG::4326', version)).toEqual(['south']);
  });

  it('matches them in filters as well', async () => {
    const cql = encodeURIComponent("BBOX(the_geom, -180, 0, 180, 90, 'EPSG:4326')");
    const fes = encodeURIComponent(
      `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2"><fes:BBOX>
         <gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326"><gml:lowerCorner>-90 -180</gml:lowerCorner>
         <gml:upperCorner>0 180</gml:upperCorner></gml:Envelope></fes:BBOX></fes:Filter>`,
    );

    expect(await found('ports', `cql_filter=${cql}`)).toEqual(['east']);
    expect(await found('ports', `filter=${fes}`)).toEqual(['south']);
  });

  it('matches nothing if all of it is outside', async () => {
    expect(await found('ports', 'bbox=-180,89.999999,180,90,EPSG:4326')).toEqual([]);
    expect(await found('ports', 'bbox=10,90,10,90,EPSG:4326')).toEqual([]);
  });

  it('may be a single point, which matches itself', async () => {
    expect(await found('poles', 'bbox=0,0,0,0,EPSG:3031')).toEqual(['pole']);
    expect(await found('poles', 'bbox=50,-90,50,-90,EPSG:4326')).toEqual(['pole']);
  });

  it('matches features around a pole', async () => {
    expect(await found('poles', 'bbox=-180,-90,180,-60,EPSG:4326')).toEqual(['south of Africa', 'pole']);
    expect(await found('poles', 'bbox=-10,-85,10,-75,EPSG:4326')).toEqual(['south of Africa']);
  });
});
