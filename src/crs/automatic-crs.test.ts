import { describe, expect, it } from 'vitest';
import { parseAutomaticCrs } from './automatic-crs.ts';
import { createConversion } from './conversion.ts';

async function placed(text: string, longitude: number, latitude: number): Promise<readonly number[] | undefined> {
  const system = parseAutomaticCrs(text);
  const convert = system && (await createConversion({ code: 'EPSG:4326' }, system));
  return convert?.(longitude, latitude)?.map(Math.round);
}

describe('automatic CRS', () => {
  it('AUTO2:42001 selects the UTM zone that contains the position', async () => {
    const utm = await createConversion({ code: 'EPSG:4326' }, { code: 'EPSG:32632' });

    expect(await placed('AUTO2:42001,1,9.5,48', 8, 47)).toEqual(utm?.(8, 47)?.map(Math.round));
    expect(await placed('AUTO:42001,9.5,48', 8, 47)).toEqual(utm?.(8, 47)?.map(Math.round));
    expect(await placed('AUTO:42001,9001,9.5,48', 8, 47)).toEqual(utm?.(8, 47)?.map(Math.round));
  });

  it.each([
    ['AUTO2:42001,1,9.5,-1', 9, 0, [500_000, 10_000_000]],
    ['AUTO2:42002,1,9.5,48', 9.5, 0, [500_000, 0]],
    ['AUTO2:42003,1,9.5,48', 9.5, 48, [0, 0]],
    ['AUTO2:42004,1,9.5,48', 9.5, 0, [0, 0]],
    ['AUTO2:42005,1,9.5,48', 9.5, 0, [0, 0]],
    ['AUTO2:42002,0.3048,9.5,48', 9.5, 0, [1_640_420, 0]],
    ['AUTO:42002,9002,9.5,48', 9.5, 0, [1_640_420, 0]],
  ])('%s has its origin at the position that the standard defines', async (text, longitude, latitude, expected) => {
    expect(await placed(text, longitude, latitude)).toEqual(expected);
  });

  it.each([
    'AUTO2:42001',
    'AUTO2:42009,1,9,48',
    'AUTO2:42001,1,900,48',
    'AUTO2:42001,0,9,48',
    'AUTO:42001,1,9,48',
    'AUTO2:42001,a,b,c',
  ])('rejects %s as an automatic CRS', (text) => {
    expect(parseAutomaticCrs(text)).toBeUndefined();
  });
});
