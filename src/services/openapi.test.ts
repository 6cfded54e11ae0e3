import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { withoutReferences } from '../../test/support/openapi.ts';
import { useTestServer } from '../../test/support/test-server.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: object;
}

interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
}

const server = useTestServer();

describe('GET /geoserver/ows/openapi.json', () => {
  const read = () => server.get('//geoserver/ows/openapi.json', { as: null, headers: { host: 'maps.test' } });
  const readParameters = async (path: string) =>
    withoutReferences<OpenApi>((await read()).text).paths[path]?.get.parameters ?? [];

  it('returns valid OpenAPI 3.1 without linter findings', async () => {
    const reply = await read();
    const config = await createConfig({ extends: ['recommended'] });

    const complaints = await lintFromString({ source: reply.text, config });

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(complaints.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('describes the parameters of each service with the operations that they apply to', async () => {
    const find = async (path: string, name: string) => (await readParameters(path)).find((each) => each.name === name);

    expect(await find('/geoserver/wms', 'bbox')).toEqual({
      name: 'bbox',
      in: 'query',
      description: 'GetMap, GetFeatureInfo, GetLegendGraphic: The extent of the map: lower corner, upper corner.',
      schema: { type: 'string' },
    });
    expect(await find('/geoserver/{workspace}/wfs', 'typeNames')).toEqual({
      name: 'typeNames',
      in: 'query',
      description:
        'DescribeFeatureType, GetFeature, GetPropertyValue, LockFeature, GetFeatureWithLock: The names of feature types; in parentheses for several queries. In 2.0.0, names separated by commas are a join. Older versions name it typeName. Alias: typeName.',
      schema: { type: 'string' },
    });
    expect(await find('/geoserver/wcs', 'coverageId')).toMatchObject({
      description:
        '2.0.1 DescribeCoverage: The ids of coverages, separated by commas. 2.0.1 GetCoverage: The id of the coverage.',
    });
    expect(await find('/geoserver/gwc/service/wmts', 'TileRow')).toMatchObject({
      description: 'GetTile, GetFeatureInfo: The row of the tile, counted from the north.',
    });
    expect(await find('/geoserver/ows', 'cql_filter')).toMatchObject({
      description: expect.stringContaining('WFS GetFeature'),
    });
  });

  it('lists the addresses of the server, of workspaces and of layers with the same parameters', async () => {
    const names = async (path: string) =>
      (await readParameters(path)).filter((each) => each.in === 'query').map(({ name }) => name);

    expect(await names('/wms')).toEqual(await names('/geoserver/{workspace}/{layer}/wms'));
    expect(await names('/geoserver/gwc/service/tms/1.0.0')).toEqual([]);
    expect(withoutReferences<OpenApi>((await read()).text).servers).toEqual([{ url: 'http://maps.test' }]);
  });
});
