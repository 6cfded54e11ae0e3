/** Grid sets for tests of tile clients: custom ones and the published one of Switzerland, with layers within them. */
import { column, geometryColumn, wkt } from './feature-collections.ts';
import { setFill } from './maps.ts';
import { publishTables } from './published-features.ts';
import type { TestServer } from './test-server.ts';

/** One with square tiles and one with other tiles and northings first. */
const gridSets = {
  utm: {
    srs: { number: 32_631 },
    extent: { coords: [0, -300_000, 1_600_000, 1_300_000] },
    alignTopLeft: true,
    resolutions: [10_000, 5000, 2500],
  },
  gk2: {
    srs: { number: 31_466 },
    extent: { coords: [2_500_000, 5_100_000, 2_700_000, 5_300_000] },
    resolutions: [120, 50, 10],
    tileWidth: 200,
    tileHeight: 150,
  },
};

/** Creates the grid sets and makes WMTS offer them, and the one of Switzerland. */
export async function offerGridSets(server: TestServer): Promise<void> {
  for (const [name, gridSet] of Object.entries(gridSets)) {
    const created = await server.put(`/gridsets/${name}`, JSON.stringify({ gridSet }));
    if (created.status !== 201) throw new Error(created.text);
  }
  const string = [...Object.keys(gridSets), 'EPSG:2056'];
  const offered = await server.put('/services/wmts/settings', JSON.stringify({ wmts: { gridSets: { string } } }));
  if (offered.status !== 200) throw new Error(offered.text);
}

/** Two layers near Bern; the border between them is at 7.44 degrees. */
export async function publishSwissSquares(server: TestServer): Promise<void> {
  const attributes = [geometryColumn('Polygon'), column('kind', 'string')];
  const square = (west: number, east: number) =>
    wkt(`POLYGON ((${west} 46.88, ${east} 46.88, ${east} 47.02, ${west} 47.02, ${west} 46.88))`);
  await publishTables(server, 'swiss', [
    { name: 'west', attributes, rows: [[square(7.34, 7.44), 'west']] },
    { name: 'east', attributes, rows: [[square(7.44, 7.54), 'east']] },
  ]);
  await setFill(server, 'swiss', 'west', 'red', '#ff0000');
  await setFill(server, 'swiss', 'east', 'blue', '#0000ff');
}
