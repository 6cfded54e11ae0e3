/** Tile limits are long: they are listed if they restrict a layer and the document stays readable. */
import { describe, expect, it } from 'vitest';
import { defaultSets } from '../../tiles/default-sets.ts';
import { createGridConversion } from '../tiles/grid-extent.ts';
import { createOfferedSet } from '../tiles/tile-offer.ts';
import { type ListedTiles, writeWmtsCapabilities } from './capabilities.ts';

const WHOLE = { minX: -180, minY: -90, maxX: 180, maxY: 90 };
const NORTH = { ...WHOLE, minY: 0 };

const grids = await Promise.all(
  defaultSets.map(async (set) => ({ set, convertToGrid: await createGridConversion(set) })),
);

function capabilitiesOf(boxes: readonly ListedTiles['geographic'][]): string {
  const layers = boxes.map((geographic, index) => ({
    ...{ name: `layer${index}`, title: '', abstract: '', keywords: [], geographic },
    ...{
      styles: [],
      formats: ['image/png'],
      infoFormats: [],
      dimensions: [],
      sets: defaultSets.map((set) => createOfferedSet(set)),
    },
  }));
  const service = { title: 'Tiles', abstract: '', keywords: [], fees: '', accessConstraints: '', onlineResource: '' };
  const contact = {
    ...{ person: '', position: '', organization: '', deliveryPoint: '', city: '', administrativeArea: '' },
    ...{ postalCode: '', country: '', addressType: '', phone: '', facsimile: '', email: '', onlineResource: '' },
  };
  const content = { service, contact, address: 'http://maps.example.org/wmts', updateSequence: 1, layers, grids };
  return [...writeWmtsCapabilities(content)].join('');
}

function limitsIn(text: string): readonly number[] {
  const layers = text.split('<Layer>').slice(1);
  return layers.map((layer) => layer.split('<TileMatrixLimits>').length - 1);
}

describe('tile limits', () => {
  it('are listed for every level of a layer that does not cover a grid', () => {
    // Two grids under two names each, from level 0 to 24.
    expect(limitsIn(capabilitiesOf([NORTH]))).toEqual([4 * 25]);
  });

  it('are omitted for a layer that covers the grid or has no known extent', () => {
    expect(limitsIn(capabilitiesOf([WHOLE, undefined, NORTH]))).toEqual([0, 0, 4 * 25]);
    // Covers one grid completely, but not the other, which ends before the poles.
    expect(limitsIn(capabilitiesOf([{ ...WHOLE, minY: -88 }]))).toEqual([2 * 25]);
  });

  it('are listed beside any number of layers without limits', () => {
    const limits = limitsIn(capabilitiesOf([...Array.from({ length: 300 }, () => WHOLE), NORTH]));

    expect(limits.filter((count) => count > 0)).toEqual([4 * 25]);
  });

  it('are omitted if too many layers have limits', () => {
    const north = (count: number) => limitsIn(capabilitiesOf(Array.from({ length: count }, () => NORTH)));

    expect(new Set(north(200))).toEqual(new Set([4 * 25]));
    expect(new Set(north(201))).toEqual(new Set([0]));
  });
});
