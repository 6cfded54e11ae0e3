/** Coverage names are arbitrary; their ids are XML names. */
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readXml } from '../../lib/xml/reader.ts';

const names = ['rain', 'rain,mm', 'rain_x002C_mm', '雨 (mm)', '7 days', 'a&<"b', 'µm'];

/** Valid XML ids in letters of any script. */
const fit = /^(?!.*[ªµº])[\p{L}_][\p{L}\p{N}_.-]*$/u;

describe('coverage ids', () => {
  const server = useTestServer();
  const ask = (query: string) => server.get(`//geoserver/wcs?service=WCS&version=2.0.1&${query}`, { as: null });
  const idsIn = (text: string) => [...text.matchAll(/(?:gml:id="|<wcs:CoverageId>)([^"<]*)/g)].map(([, id = '']) => id);

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>1950</name></workspace>');
    for (const [index, name] of names.entries()) {
      await putTiff(server, `/workspaces/1950/coveragestores/store${index}/file.geotiff`);
      const coverage = `/workspaces/1950/coveragestores/store${index}/coverages/store${index}`;
      expect((await server.put(coverage, JSON.stringify({ coverage: { name } }))).status).toBe(200);
    }
  });

  it('are XML names in the capabilities, unique for each coverage', async () => {
    const ids = idsIn((await ask('request=GetCapabilities')).text);

    expect(ids.filter((id) => !fit.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(names.length);
  });

  it('select their coverages, in documents with valid and unique ids', async () => {
    for (const id of idsIn((await ask('request=GetCapabilities')).text)) {
      const described = await ask(`request=DescribeCoverage&coverageId=${encodeURIComponent(id)}`);
      const given = await ask(`request=GetCoverage&format=application/gml%2Bxml&coverageId=${encodeURIComponent(id)}`);
      for (const { text } of [described, given]) {
        const ids = [...text.matchAll(/gml:id="([^"]*)/g)].map(([, each = '']) => each);
        expect([ids[0], ids.filter((each) => !fit.test(each)), new Set(ids).size]).toEqual([id, [], ids.length]);
        expect(readXml(text, { maxDepth: 50, maxNodes: 10_000 }).local).toMatch(/^CoverageDescriptions|GridCoverage$/);
      }
    }
  });

  it.each([
    ['a__b', 'c'],
    ['a', 'b__c'],
    ['a_', '_b'],
    ['a', '__b'],
    ['a__', 'b_x0020_'],
  ])('denote one coverage for any names of coverage and workspace: %s, %s', async (workspace, name) => {
    await server.post('/workspaces', JSON.stringify({ workspace: { name: workspace } }));
    await putTiff(server, `/workspaces/${workspace}/coveragestores/${name}/file.geotiff`);
    const ids = idsIn((await ask('request=GetCapabilities')).text);

    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(idsIn((await ask(`request=DescribeCoverage&coverageId=${encodeURIComponent(id)}`)).text)[0]).toBe(id);
    }
    const plain = await ask(`request=GetCoverage&coverageId=${encodeURIComponent(`${workspace}:${name}`)}`);
    expect(plain.headers['content-disposition']).toBe(`attachment; filename=${workspace}__${name}.tif`);
  });

  it.each(names)('are not required to request %s', async (name) => {
    const reply = await ask(`request=DescribeCoverage&coverageId=${encodeURIComponent(`1950__${name}`)}`);

    expect([reply.status, idsIn(reply.text).length]).toEqual([200, 4]);
  });

  it('describe a coverage once, even if repeated', async () => {
    const { text } = await ask('request=DescribeCoverage&coverageId=1950__rain,_x0031_950__rain,1950__rain,mm');
    const ids = [...text.matchAll(/gml:id="([^"]*)/g)].map(([, each = '']) => each);

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.startsWith('_'))).toEqual(['_x0031_950__rain', '_x0031_950__rain_x002C_mm']);
  });

  it('do not change file names', async () => {
    const { headers } = await ask('request=GetCoverage&coverageId=1950__rain');

    expect(headers['content-disposition']).toContain('1950__rain.tif');
  });
});
