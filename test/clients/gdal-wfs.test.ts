/** The WFS driver of GDAL reads every layer with the content of the source, in every version. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { featureSamples } from '../support/feature-samples.ts';
import { runGdal } from '../support/gdal.ts';
import { createGeopackage, publishTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeWithTool } from '../support/with-tool.ts';

interface ReadFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: unknown;
}

/** GDAL exposes GML ids as columns, and some of its drivers omit nulls. */
const notOfTheSource = new Set(['gml_id', 'fid']);

async function readLayer(args: readonly string[]): Promise<readonly ReadFeature[]> {
  const text = await runGdal('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', ...args, '-lco', 'COORDINATE_PRECISION=9'], {
    env: { GDAL_HTTP_TIMEOUT: '120', OGR_WFS_PAGE_SIZE: '2', OGR_WFS_PAGING_ALLOWED: 'ON' },
  });
  const { features } = JSON.parse(text) as { readonly features: readonly ReadFeature[] };
  return features
    .map(({ properties, geometry }) => ({ geometry, properties: plain(properties) }))
    .sort((one, other) => Number(one.properties['rank']) - Number(other.properties['rank']));
}

function plain(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = Object.entries(properties).filter(([name, value]) => !notOfTheSource.has(name) && value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name.replaceAll('_x0020_', ' '), comparable(value)]));
}

/** Some formats store booleans as numbers and write timestamps with or without zone and fractions. */
function comparable(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return value;
  return value
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
    .replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d).*$/, '$1T$2');
}

describeWithTool('gdal', 'GDAL as a WFS client', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('gdal-wfs');
  const file = join(folder, 'source.gpkg');

  beforeAll(async () => {
    await publishTables(client.server, 'topo', featureSamples);
    await writeFile(file, await createGeopackage(featureSamples));
  });

  describe.each(['1.0.0', '1.1.0', '2.0.0'])('WFS version %s', (version) => {
    const source = () => `WFS:http://127.0.0.1:${client.port}/geoserver/wfs?version=${version}`;

    it('GDAL lists every layer', async () => {
      const text = await runGdal('ogrinfo', ['-ro', '-q', source()]);

      for (const { name } of featureSamples) expect(text).toContain(`topo:${name}`);
    });

    it.each(featureSamples.map(({ name }) => name))('GDAL reads %s unchanged', async (name) => {
      // GDAL reads empty strings as null unless this option is set.
      const found = await readLayer(['-oo', 'EMPTY_AS_NULL=NO', source(), `topo:${name}`]);

      expect(found).toEqual(await readLayer([file, name]));
    });

    it('GDAL filters by bounding box and by attributes on the server', async () => {
      const inBox = await readLayer([source(), 'topo:places', '-spat', '-80', '-40', '10', '50']);
      const byName = await readLayer([source(), 'topo:places', '-where', "name = '東京'"]);

      expect(inBox.map(({ properties }) => properties['rank'])).toEqual([1, 3]);
      expect(byName.map(({ properties }) => properties['rank'])).toEqual([2]);
    });
  });
});
