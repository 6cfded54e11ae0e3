/** Granules of a mosaic that are clipped to footprints in sidecar files. */
import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const store = '/workspaces/acme/coveragestores/snow';

const MAP =
  'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,8,4&width=8&height=4&format=image/png&styles=&transparent=true&layers=acme:snow';

describe('sidecar footprints', () => {
  const server = useTestServer();
  let warning: string | undefined;

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const body = zipOfFiles({
      'west.tif': granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326 }),
      'west.wkt': Buffer.from('POLYGON ((0 0, 2 0, 2 4, 0 4, 0 0))'),
      'east.tif': granuleBytes({ left: 4, top: 4, pixel: 1, epsg: 4326 }),
      'footprints.properties': Buffer.from('footprint_inset=1'),
    });
    const made = await server.request('PUT', `${store}/file.imagemosaic`, { type: 'application/zip', body });
    expect(made.status, made.text).toBe(200);
    warning = made.headers['warning'];
  });

  async function shown(): Promise<readonly boolean[]> {
    const map = await askMap(server, MAP);
    const colours = await Promise.all([1, 3, 5, 7].map((x) => colourAt(map, x, 2)));
    return colours.map((colour) => !(colour.length === 9 && colour.endsWith('00')));
  }

  it('belong to their granules, and no combined footprint file does', () => {
    expect(warning).toContain('footprints.properties is not read');
    expect(warning).not.toContain('west.wkt');
  });

  it('clip the granules if the coverage is configured so', async () => {
    const cut = JSON.stringify({ coverage: { parameters: { entry: [{ string: ['FootprintBehavior', 'Cut'] }] } } });

    expect(await shown()).toEqual([true, true, true, true]);
    expect((await server.put(`${store}/coverages/snow`, cut)).status).toBe(200);
    expect(await shown()).toEqual([true, false, true, true]);
  });
});
