/** Many named, winding lines, like the roads of a country, as a shapefile. */
import { join } from 'node:path';
import { createRandom } from './gazetteer.ts';
import { type Position, writeShapefile } from './shapefile.ts';

export const ROADS = 'roads';

const [WEST, SOUTH, EAST, NORTH] = [4, 46, 16, 54] as const;
const CORNERS = 30;

/** In degrees: a corner every few pixels of a map of the country, and turns of a few degrees. */
const STEP = 0.08;
const MAX_TURN = 0.3;

const fields = [
  { name: 'name', type: 'C', width: 40, decimals: 0, value: (index: number) => `Road number ${index}` },
  { name: 'class', type: 'N', width: 4, decimals: 0, value: (index: number) => String(index % 5) },
];

/** In the data directory of a server, which can read it there; returns the path of the .shp file. */
export function writeRoads(dataDir: string, count: number): Promise<string> {
  const random = createRandom();
  return writeShapefile(join(dataDir, 'data', ROADS), {
    name: ROADS,
    count,
    kind: 'lines',
    bounds: [WEST - 3, SOUTH - 3, EAST + 3, NORTH + 3],
    fields,
    positions: CORNERS,
    createShape: () => createRoad(random),
  });
}

function createRoad(random: () => number): readonly Position[] {
  let [x, y] = [WEST + random() * (EAST - WEST), SOUTH + random() * (NORTH - SOUTH)];
  let angle = random() * 2 * Math.PI;
  return Array.from({ length: CORNERS }, () => {
    x += STEP * Math.cos(angle);
    y += STEP * Math.sin(angle);
    angle += (random() - 0.5) * 2 * MAX_TURN;
    return [x, y] as const;
  });
}
