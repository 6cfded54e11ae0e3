/** QGIS loads, counts, filters and pages the layers of a data set with the content of the source. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { featureSamples } from '../support/feature-samples.ts';
import { createGeopackage, type PublishedTable, publishTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { type AskedLayer, comparable, expectSamePlaces, type FoundLayer, readLayers } from './run-qgis.ts';

/** More features than QGIS requests per page. */
const grid: PublishedTable = {
  name: 'grid',
  attributes: [geometryColumn('Point'), column('rank', 'integer'), column('half', 'string')],
  rows: Array.from({ length: 2_500 }, (_, index) => [
    wkt(`POINT (${(index % 50) / 10} ${Math.floor(index / 50) / 10})`),
    index + 1,
    index < 1_250 ? 'south' : 'north',
  ]),
};

const tables = [...featureSamples, grid];

describeWithTool('qgis', 'QGIS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('qgis');
  const file = join(folder, 'source.gpkg');
  const asked: string[] = [];

  beforeAll(async () => {
    await publishTables(client.server, 'topo', tables);
    await writeFile(file, await createGeopackage(tables));
    client.server.server.app.server.prependListener('request', ({ url = '' }) => asked.push(url));
  });

  const read = (layers: readonly AskedLayer[]) => readLayers(folder, layers);
  const root = () => `http://127.0.0.1:${client.port}/geoserver`;
  const wfs = (version: string, name: string, more = '') =>
    `url='${root()}/wfs' version='${version}' typename='topo:${name}' pagingEnabled='true'${more}`;
  const layerIn = (version: string, name: string): AskedLayer =>
    version === 'OGC API'
      ? { provider: 'OAPIF', uri: `url='${root()}/ogc/features/v1' typename='topo:${name}'` }
      : { provider: 'WFS', uri: wfs(version, name) };
  const inSource = (name: string, crs: string): AskedLayer => ({
    provider: 'ogr',
    uri: `${file}|layername=${name}`,
    crs,
  });

  describe.each(['1.0.0', '1.1.0', '2.0.0', 'OGC API'])('layers of %s', (version) => {
    it('loads every layer with the content of the source', async () => {
      const names = featureSamples.map(({ name }) => name);

      const found = await read(names.map((name) => layerIn(version, name)));

      const sources = await read(names.map((name, index) => inSource(name, found[index]?.crs ?? '')));
      for (const [index, name] of names.entries()) {
        const [layer, source] = [found[index], sources[index]];
        expect([name, layer?.features.map(comparable)]).toEqual([name, source?.features.map(comparable)]);
        expect(layer?.count).toBe(source?.count);
        expectSamePlaces(layer?.features, source?.features);
      }
    });

    it('filters by attributes and by the visible extent', async () => {
      const layer = layerIn(version, 'grid');

      const [subset, expression, inView] = await read([
        ...(version === 'OGC API' ? [layer] : [{ ...layer, subset: `"half" = 'north' AND "rank" <= 1255` }]),
        { ...layer, expression: `"rank" IN (3, 2400)` },
        { ...layer, box: [0.05, 0.05, 0.25, 0.15] },
      ]);

      if (version !== 'OGC API') expect(ranksIn(subset)).toEqual([1_251, 1_252, 1_253, 1_254, 1_255]);
      expect(ranksIn(expression)).toEqual([3, 2_400]);
      expect(ranksIn(inView)).toEqual([52, 53]);
    });

    it('pages until it has all features', async () => {
      asked.length = 0;
      const paged: AskedLayer =
        version === 'OGC API'
          ? { provider: 'OAPIF', uri: `url='${root()}/ogc/features/v1' typename='topo:grid' pageSize='1000'` }
          : { provider: 'WFS', uri: wfs(version, 'grid', ` pageSize='1000'`) };

      const [layer] = await read([paged]);

      expect(layer?.count).toBe(2_500);
      expect(ranksIn(layer)).toEqual(grid.rows.map((_, index) => index + 1));
      const pages = asked.filter((url) => /STARTINDEX=(?:1000|2000)|[?&]after=/i.test(url));
      // Versions before 2.0.0 have no paging.
      expect(pages.length).toBeGreaterThanOrEqual(version.startsWith('1.') ? 0 : 2);
    });
  });
});

function ranksIn(layer: FoundLayer | undefined): readonly number[] | undefined {
  return layer?.features.map(({ properties }) => Number(properties['rank'])).sort((one, other) => one - other);
}
