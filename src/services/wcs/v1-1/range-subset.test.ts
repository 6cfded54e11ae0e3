/** RangeSubset of WCS 1.1.1. */
import { describe, expect, it } from 'vitest';
import { rangeSubset } from './range-subset.ts';

describe('RangeSubset', () => {
  it.each([
    ['contents', 'nearest', undefined],
    [' Contents : linear ', 'bilinear', undefined],
    ['contents:urn:ogc:def:interpolation:OGC:1:cubic[Bands[1,red]]', 'bicubic', ['1', 'red']],
    ['contents[ band [2]]', 'nearest', ['2']],
  ] as const)('reads %s', (text, interpolation, bands) => {
    expect(rangeSubset.parse(text)).toEqual({ interpolation, bands });
  });

  it.each(['', 'contents[Bands]', 'contents[Bands[1]', 'contents;contents', 'contents[Bands[1]][Bands[2]]'])(
    'rejects %s',
    (text) => {
      expect(rangeSubset.parse(text)).toBeUndefined();
    },
  );

  it.each(['other', 'contents[Rows[1]]', 'contents:magic'])('names the unknown part of %s', (text) => {
    expect(() => rangeSubset.parse(text)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'rangeSubset' }) }),
    );
  });

  it('rejects long texts of spaces in linear time', () => {
    const spaces = ' '.repeat(1_000_000);

    expect(rangeSubset.parse(`contents${spaces}]`)).toBeUndefined();
  });
});
