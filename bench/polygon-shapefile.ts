/** Writes a deterministic shapefile of many polygons with typical attributes. */
import { type Field, type Position, writeShapefile } from './shapefile.ts';

const VERTICES = 20;

const fields: readonly Field[] = [
  { name: 'id', type: 'N', width: 9, decimals: 0, value: (index) => String(index) },
  { name: 'name', type: 'C', width: 40, decimals: 0, value: (index) => `Parcel number ${index}` },
  {
    name: 'class',
    type: 'C',
    width: 12,
    decimals: 0,
    value: (index) => ['meadow', 'forest', 'field'][index % 3] ?? '',
  },
  { name: 'area', type: 'N', width: 24, decimals: 15, value: (index) => (index * 1.618_033_988).toFixed(15) },
  { name: 'people', type: 'N', width: 18, decimals: 0, value: (index) => String(index * 7_919) },
  {
    name: 'seen',
    type: 'D',
    width: 8,
    decimals: 0,
    value: (index) => `2020${String((index % 12) + 1).padStart(2, '0')}15`,
  },
];

/** Returns the path of the .shp file. */
export function writePolygonShapefile(directory: string, name: string, count: number): Promise<string> {
  const columns = Math.ceil(Math.sqrt(count));
  const cell = 160 / columns;
  return writeShapefile(directory, {
    name,
    count,
    kind: 'polygons',
    bounds: [-80, -80, 80, 80],
    fields,
    positions: VERTICES + 1,
    createShape: (index) => {
      const x = -80 + (index % columns) * cell + cell / 2;
      const y = -80 + Math.floor(index / columns) * cell + cell / 2;
      return createPolygon(x, y, cell * 0.45);
    },
  });
}

function createPolygon(x: number, y: number, radius: number): readonly Position[] {
  return Array.from({ length: VERTICES + 1 }, (_, vertex) => {
    const angle = (-2 * Math.PI * (vertex % VERTICES)) / VERTICES;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
  });
}
