/** Unknown parameters of OGC services are ignored with a warning. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../test/support/feature-collections.ts';
import { publishTables } from '../../test/support/published-features.ts';
import { type Reply, useTestServer } from '../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() =>
  publishTables(server, 'topo', [
    {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('name', 'string')],
      rows: [[wkt('POINT (7.5 47)'), 'Bern']],
    },
  ]),
);

const MAP = 'layers=topo:towns&styles=&bbox=0,0,10,10&width=20&height=20&format=image/png';
const WMS = 'wms?service=WMS&version=1.1.1&request';
const WFS = 'wfs?service=WFS&version=2.0.0&request';
const TILE = 'layer=topo:towns&format=image/png&tilematrixset=EPSG:900913&tilematrix=EPSG:900913:0&tilerow=0&tilecol=0';
const WMTS = 'gwc/service/wmts?service=WMTS&version=1.0.0&request';
const BOX = 'bbox=-20037508.34,-20037508.34,20037508.34,20037508.34';

const requests = [
  [`${WMS}=GetCapabilities`],
  [`${WMS}=GetMap&${MAP}&srs=EPSG:4326`],
  [`${WMS}=GetFeatureInfo&${MAP}&srs=EPSG:4326&query_layers=topo:towns&x=5&y=5`],
  [`${WMS}=GetLegendGraphic&layer=topo:towns&format=image/png`],
  [`${WMS}=DescribeLayer&layers=topo:towns`],
  [`${WMS}=GetStyles&layers=topo:towns`],
  [`wms/reflect?${MAP}`],
  [`ows?service=WFS&version=1.1.0&request=GetFeature&typeName=topo:towns`],
  [`${WFS}=GetCapabilities`],
  [`${WFS}=DescribeFeatureType&typeNames=topo:towns`],
  [`${WFS}=GetFeature&typeNames=topo:towns`],
  [`${WFS}=GetPropertyValue&typeNames=topo:towns&valueReference=name`],
  [`${WFS}=ListStoredQueries`],
  [`${WFS}=DescribeStoredQueries`],
  ['wcs?service=WCS&version=2.0.1&request=GetCapabilities'],
  [`${WMTS}=GetCapabilities`],
  [`${WMTS}=GetTile&${TILE}`],
  [`${WMTS}=GetFeatureInfo&${TILE}&i=5&j=5`],
  ['gwc/service/wmts/rest/topo:towns/EPSG:900913/EPSG:900913:0/0/0?format=image/png'],
  ['gwc/service/tms/1.0.0?'],
  ['gwc/service/tms/1.0.0/topo:towns?'],
  ['gwc/service/tms/1.0.0/topo:towns@EPSG:900913@png/0/0/0.png?'],
  ['gwc/service/xyz/topo:towns@EPSG:900913@png/0/0/0.png?'],
  [`gwc/service/wms?request=GetMap&layers=topo:towns&srs=EPSG:900913&${BOX}&width=256&height=256`],
  [`gwc/service/wms?request=GetFeatureInfo&layers=topo:towns&srs=EPSG:900913&${BOX}&x=5&y=5`],
  ['gwc/service/wms?request=GetCapabilities&tiled=true'],
  ['gwc/service/gmaps?layers=topo:towns&zoom=0&x=0&y=0&format=image/png'],
] as const;

function ask(request: string): Promise<Reply> {
  return server.get(`//geoserver/${request}`, { as: null });
}

function warnings({ headers }: Reply): readonly string[] {
  return [headers['warning'] ?? []].flat().map(String);
}

describe('request', () => {
  it.each(requests)('has no warning with known parameters: %s', async (request) => {
    const reply = await ask(`${request}&_=1699999999`);

    expect([reply.status, warnings(reply), reply.text.includes('ExceptionReport')]).toEqual([200, [], false]);
  });

  it.each(requests)('has a warning for an unknown parameter, also from a cache: %s', async (request) => {
    for (const _ of [1, 2, 3]) {
      const reply = await ask(`${request}&maxFeature=1`);

      expect(reply.status).toBe(200);
      expect(warnings(reply)).toEqual([`199 - "Unknown parameter 'maxfeature'. It is ignored."`]);
    }
  });
});

describe('WFS format option', () => {
  it('has a warning if it is unknown', async () => {
    const reply = await ask(`${WFS}=GetFeature&typeNames=topo:towns&format_options=filename:a.gml;layout:b`);

    expect(warnings(reply)).toEqual([`199 - "Unknown format option 'layout'. It is ignored."`]);
  });
});
