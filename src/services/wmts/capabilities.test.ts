/** Limits of tiles are long: they are told where they say something, as long as the document stays readable. */
import { describe, expect, it } from 'vitest';
import { type ListedTiles, writeWmtsCapabilities } from './capabilities.ts';

const WHOLE = { minX: -180, minY: -90, maxX: 180, maxY: 90 };
const NORTH = { ...WHOLE, minY: 0 };

function capabilitiesOf(boxes: readonly ListedTiles['geographic'][]): string {
  const layers = boxes.map((geographic, index) => ({
    ...{ name: `layer${index}`, title: '', abstract: '', keywords: [], geographic },
    ...{ styles: [], formats: ['image/png'], infoFormats: [], dimensions: [] },
  }));
  const service = { title: 'Tiles', abstract: '', keywords: [], fees: '', accessConstraints: '', onlineResource: '' };
  const contact = {
    ...{ person: '', position: '', organization: '', deliveryPoint: '', city: '', administrativeArea: '' },
    ...{ postalCode: '', country: '', addressType: '', phone: '', facsimile: '', email: '', onlineResource: '' },
  };
  const content = { service, contact, address: 'http://maps.example.org/wmts', updateSequence: 1, layers };
  return [...writeWmtsCapabilities(content)].join('');
}

function limitsIn(text: string): readonly number[] {
  const layers = text.split('<Layer>').slice(1);
  return layers.map((layer) => layer.split('<TileMatrixLimits>').length - 1);
}

describe('Limits of tiles', () => {
  it('are told of a layer that does not cover a grid: of each level, so that clients miss none', () => {
    // Two grids under two names each, from level 0 to 24.
    expect(limitsIn(capabilitiesOf([NORTH]))).toEqual([4 * 25]);
  });

  it('are not told of a layer that covers the grid, or lies nobody knows where', () => {
    expect(limitsIn(capabilitiesOf([WHOLE, undefined, NORTH]))).toEqual([0, 0, 4 * 25]);
    // All of one grid, and not of the other, which ends before the poles.
    expect(limitsIn(capabilitiesOf([{ ...WHOLE, minY: -88 }]))).toEqual([2 * 25]);
  });

  it('are told beside any number of layers that need none', () => {
    const limits = limitsIn(capabilitiesOf([...Array.from({ length: 300 }, () => WHOLE), NORTH]));

    expect(limits.filter((count) => count > 0)).toEqual([4 * 25]);
  });

  it('are not told of more layers than a document can hold', () => {
    const north = (count: number) => limitsIn(capabilitiesOf(Array.from({ length: count }, () => NORTH)));

    expect(new Set(north(200))).toEqual(new Set([4 * 25]));
    expect(new Set(north(201))).toEqual(new Set([0]));
  });
});
