/** Published tile matrix sets have the numbers of their publications. */
import { describe, expect, it } from 'vitest';
import { defaultSets } from '../default-sets.ts';
import { computeScaleDenominator, computeTileBounds, getMatrix, type TileMatrixSet } from '../tile-matrix-set.ts';
import { findGridCrs } from './create-set.ts';
import { findGridFaults } from './grid-definition.ts';
import { listReadyGrids } from './ready-grids.ts';
import { findReadySet } from './ready-sets.ts';

async function getSet(name: string): Promise<TileMatrixSet> {
  const set = await findReadySet(name);
  if (set === undefined) throw new Error(`no set ${name}`);
  return set;
}

describe('ready tile matrix sets', () => {
  // Name, number of levels, and of one level: number, name, scale denominator, columns, rows, corner in documents.
  it.each([
    ['EPSG:2056', 29, [17, '17', 357_142.857_142_857, 19, 13, [2_420_000, 1_350_000]]],
    ['EPSG:25832', 16, [15, '15', 533.182_395_962_444, 32_768, 32_768, [-46_133.17, 6_301_219.54]]],
    ['EPSG:27700', 14, [0, '0', 3_200_000, 5, 6, [-238_375, 1_376_256]]],
    ['EPSG:28992', 17, [14, '14', 750, 16_384, 16_384, [-285_401.92, 903_401.92]]],
    ['EPSG:3006', 14, [0, '0', 14_628_571.428_571_4, 4, 4, [8_500_000, -1_200_000]]],
    ['EPSG:3067', 16, [0, '0', 29_257_142.857_142_9, 1, 1, [-548_576, 8_388_608]]],
    ['EPSG:25833', 19, [0, '0', 77_371_428.571_428_6, 1, 1, [-2_500_000, 9_045_984]]],
    ['EuropeanETRS89_LAEAQuad', 16, [1, '1', 31_389_508.928_571_4, 2, 2, [5_500_000, 2_000_000]]],
    ['UTM31WGS84Quad', 24, [0, '1', 279_072_704.500_914, 1, 2, [-9_501_965.729_312_76, 20_003_931.458_625_5]]],
    ['UPSArcticWGS84Quad', 25, [0, '0', 458_726_544.370_871, 1, 1, [-14_440_759.350_252, 18_440_759.350_252]]],
    ['CanadianNAD83_LCC', 26, [1, '1', 80_320_101.116_392_7, 8, 8, [-34_655_800, 39_310_000]]],
    ['GlobalCRS84Pixel', 18, [0, '0', 795_139_219.951_954, 1, 1, [-180, 90]]],
    ['GlobalCRS84Scale', 21, [20, '20', 100, 5_590_823, 2_795_412, [-180, 90]]],
    ['GoogleCRS84Quad', 19, [18, '18', 2_132.729_583_849_784, 262_144, 131_072, [-180, 90]]],
    [
      'WorldMercatorWGS84Quad',
      25,
      [0, '0', 559_082_264.028_718, 1, 1, [-20_037_508.342_789_244, 20_037_508.342_789_244]],
    ],
  ] as const)('have the levels of %s', async (name, levels, [level, levelName, scale, columns, rows, corner]) => {
    const set = await getSet(name);
    const matrix = getMatrix(set, level);

    expect(set.matrices).toHaveLength(levels);
    expect(matrix).toMatchObject({ name: levelName, columns, rows });
    expect(computeScaleDenominator(set, matrix) / scale).toBeCloseTo(1, 9);
    expect(set.isNorthFirst ? matrix.origin.toReversed() : matrix.origin).toEqual(corner);
  });

  it('have twins with the same tiles of 512 pixels', async () => {
    for (const name of ['WebMercatorQuad', 'CanadianNAD83_LCC']) {
      const [set, twin] = [await getSet(name), await getSet(`${name}x2`)];
      const address = { level: 3, row: 2, column: 4 };

      expect(computeTileBounds(twin, address)).toEqual(computeTileBounds(set, address));
      expect(getMatrix(twin, 3)).toMatchObject({ tileWidth: 512, tileHeight: 512, name: '3' });
    }
  });

  it('have no faults, and unique names and keys', async () => {
    const names: string[] = [];
    const keys: string[] = [];
    for (const { definition } of listReadyGrids()) {
      const crs = await findGridCrs(definition.epsg);
      if (crs === undefined) throw new Error(`unknown CRS of ${definition.name}`);
      expect([definition.name, findGridFaults(definition, crs.metresPerUnit)]).toEqual([definition.name, []]);
      names.push(definition.name);
      keys.push((await getSet(definition.name)).key);
    }

    expect(names.length).toBe(142);
    expect(new Set([...names, ...defaultSets.map(({ id }) => id)]).size).toBe(144);
    expect(new Set(keys).size).toBe(142);
  });
});
