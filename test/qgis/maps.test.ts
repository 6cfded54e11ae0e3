/** QGIS draws maps, tiles and vector tiles of the same layer at the same position. */
import { beforeAll, expect, it } from 'vitest';
import { offerGridSets, publishSwissSquares } from '../support/grid-sets.ts';
import { publishSquares } from '../support/maps.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { runQgis } from './run-qgis.ts';

interface Asked {
  readonly provider: 'wms' | 'vectortile';
  readonly uri: string;
  readonly crs: string;
  readonly box: readonly number[];
}

interface Drawn {
  readonly complaint?: string;
  readonly colours: readonly string[];
}

/** The layer is red from 0 to 5 degrees east and empty from 5 to 10; the one near Bern has its border at 7.44. */
const degrees = { crs: 'EPSG:4326', box: [0, 0, 10, 10] } as const;
const mercator = { crs: 'EPSG:3857', box: [0, 0, 1_113_194.9, 1_118_889.97] } as const;
const utm = { crs: 'EPSG:32631', box: [521_753, 353_002, 921_753, 753_002] } as const;
const gaussKrueger = { crs: 'EPSG:31466', box: [2_603_668, 5_196_256, 2_615_668, 5_208_256] } as const;
const swiss = { crs: 'EPSG:2056', box: [2_594_000, 1_194_000, 2_606_000, 1_206_000] } as const;

describeWithTool('qgis', 'QGIS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('qgis-maps');
  beforeAll(async () => {
    await publishSquares(client.server);
    await publishSwissSquares(client.server);
    await offerGridSets(client.server);
  });

  /** The center of the left half and of the right half. */
  async function draw(layers: readonly Asked[]): Promise<readonly (readonly string[])[]> {
    const asked = layers.map((layer) => ({
      ...layer,
      size: [200, 200],
      pixels: [
        [50, 60],
        [150, 60],
      ],
    }));
    const drawn = await runQgis<Drawn>(folder, 'draw_layers.py', asked);
    expect(drawn.map(({ complaint }) => complaint)).toEqual(layers.map(() => undefined));
    return drawn.map(({ colours }) => colours);
  }

  const root = () => `http://127.0.0.1:${client.port}/geoserver`;
  const wms = (more: string) =>
    `contextualWMSLegend=0&dpiMode=7&format=image/png&layers=topo:west&styles=&${more}&url=${root()}/wms`;
  const wmts = (set: string, crs: string, workspace = 'topo') =>
    `contextualWMSLegend=0&dpiMode=7&format=image/png&layers=${workspace}:west&styles=${workspace}:red&crs=${crs}&tileMatrixSet=${set}&url=${root()}/gwc/service/wmts?SERVICE%3DWMTS%26REQUEST%3DGetCapabilities`;
  const tiles = () =>
    `type=xyz&zmin=0&zmax=14&url=${encodeURIComponent(`${root()}/gwc/service/xyz/topo:west@WebMercatorQuad@pbf/`)}{z}/{x}/{y}.pbf`;

  it('draws a WMS in both versions and in two coordinate systems', async () => {
    const drawn = await draw([
      { provider: 'wms', uri: wms('crs=EPSG:4326'), ...degrees },
      { provider: 'wms', uri: wms('crs=EPSG:3857'), ...mercator },
      { provider: 'wms', uri: wms('crs=EPSG:4326&version=1.1.1'), ...degrees },
    ]);

    expect(drawn).toEqual(drawn.map(() => ['#ff0000', '#ffffff']));
  });

  it('draws the tiles of a WMTS in both grids', async () => {
    const drawn = await draw([
      { provider: 'wms', uri: wmts('EPSG:900913', 'EPSG:3857'), ...mercator },
      { provider: 'wms', uri: wmts('WebMercatorQuad', 'EPSG:3857'), ...mercator },
      { provider: 'wms', uri: wmts('EPSG:4326', 'EPSG:4326'), ...degrees },
    ]);

    expect(drawn).toEqual(drawn.map(() => ['#ff0000', '#ffffff']));
  });

  it('draws the tiles of a WMTS in custom and national grid sets', async () => {
    const drawn = await draw([
      { provider: 'wms', uri: wmts('utm', 'EPSG:32631'), ...utm },
      { provider: 'wms', uri: wmts('gk2', 'EPSG:31466', 'swiss'), ...gaussKrueger },
      { provider: 'wms', uri: wmts('EPSG:2056', 'EPSG:2056', 'swiss'), ...swiss },
    ]);

    expect(drawn).toEqual(drawn.map(() => ['#ff0000', '#ffffff']));
  });

  it('draws vector tiles', async () => {
    const [drawn] = await draw([{ provider: 'vectortile', uri: tiles(), ...mercator }]);

    expect(drawn).toEqual(['#00ff00', '#ffffff']);
  });
});
