/** Tests how raster symbolizers paint samples. */
import { describe, expect, it } from 'vitest';
import { createLiteral } from '../../filter/model/literal.ts';
import type { Band } from '../../raster/port/port.ts';
import type { Samples } from '../../raster/port/samples.ts';
import type { ColorMap, RasterSymbolizer } from '../../styling/model/model.ts';
import type { DrawnBand } from '../request/map-request.ts';
import { listBandIndexes, selectBands } from './band-selection.ts';
import { paintRaster } from './paint-raster.ts';

const band = (name: string, more: Partial<Band & DrawnBand> = {}): Band & DrawnBand => ({
  name,
  type: 'uint8',
  colorInterpretation: 'undefined',
  ...more,
});

it('selects a channel by the name of a band in the catalog or in the data', () => {
  const bands = [band('Band1', { publishedName: 'GRAY_INDEX' }), band('Band2', { publishedName: 'Band1' })];
  const select = (name: string) =>
    selectBands(
      {
        kind: 'rasterSymbolizer',
        channelSelection: { kind: 'grayChannel', gray: { sourceName: createLiteral(name) } },
      },
      bands,
    );

  expect(select('gray_index')).toMatchObject({ value: { bandIndex: 0 } });
  expect(select('Band1')).toMatchObject({ value: { bandIndex: 1 } });
  expect(select('Band2')).toMatchObject({ value: { bandIndex: 1 } });
});

/** Returns the pixels of one row as hexadecimal text: red, green, blue, opacity. */
function painted(
  symbolizer: Partial<RasterSymbolizer>,
  bands: readonly (readonly [Band, Samples, Uint8Array?])[],
  variables: Readonly<Record<string, string>> = {},
): readonly string[] {
  const whole: RasterSymbolizer = { kind: 'rasterSymbolizer', ...symbolizer };
  const shown = selectBands(
    whole,
    bands.map(([described]) => described),
  );
  if (shown === undefined) return [];
  const read = listBandIndexes(shown).map((place) => {
    const [described, samples = new Uint8Array(), mask] = bands[place] ?? [];
    return [place, { described, samples, ...(mask === undefined ? {} : { mask }) }] as const;
  });
  const raster = { width: bands[0]?.[1].length ?? 0, height: 1, bands: new Map(read) };
  const hex = Buffer.from(paintRaster({ raster, symbolizer: whole, shown, variables })).toString('hex');
  return hex.match(/.{8}/g) ?? [];
}

const entries = (type: 'ramp' | 'intervals' | 'values', ...stops: readonly (readonly [string, number, number?])[]) =>
  ({
    kind: 'entries',
    type,
    entries: stops.map(([color, quantity, opacity]) => ({
      color: createLiteral(color),
      quantity: createLiteral(quantity),
      ...(opacity === undefined ? {} : { opacity: createLiteral(opacity) }),
    })),
  }) satisfies ColorMap;

describe('single band', () => {
  const heights = band('heights', { type: 'float32' });

  it('lightens slopes towards the upper left and darkens others', () => {
    const ridge: readonly [Band, Samples] = [heights, Float32Array.of(0, 10, 20, 10, 0)];
    const colorMap = entries('intervals', ['#808080', 1_000]);
    const shades = (shadedRelief: RasterSymbolizer['shadedRelief']) => painted({ colorMap, shadedRelief }, [ridge]);

    const [, rising = '', top, falling = ''] = shades({ kind: 'shadedRelief', reliefFactor: createLiteral(5.5) });
    expect([rising > '9', top, falling < '5']).toEqual([true, '808080ff', true]);

    const [, light = '', none, dark = ''] = shades({
      kind: 'shadedRelief',
      reliefFactor: createLiteral(5.5),
      brightnessOnly: true,
    });
    expect([light.slice(0, 6), none?.slice(6), dark.slice(0, 6)]).toEqual(['ffffff', '00', '000000']);
  });

  it('is painted in shades of grey, and transparent without data', () => {
    expect(painted({}, [[band('gray'), Uint8Array.of(0, 128, 255), Uint8Array.of(255, 255, 0)]])).toEqual([
      '000000ff',
      '808080ff',
      '00000000',
    ]);
  });

  it('is stretched between the declared minimum and maximum', () => {
    const declared = band('heights', { type: 'int16', minimum: 0, maximum: 1000 });

    expect(painted({}, [[declared, Int16Array.of(-5, 500, 2000)]])).toEqual(['000000ff', '808080ff', 'ffffffff']);
  });

  it('uses the palette of the data', () => {
    const palette = Uint8Array.of(1, 2, 3, 255, 10, 20, 30, 128);

    expect(painted({}, [[band('classes', { palette }), Uint8Array.of(1, 0)]])).toEqual(['0a141e80', '010203ff']);
  });

  it('gives a value of a ramp the same colour among many samples as among few', () => {
    const colorMap = entries('ramp', ['#102030', -5], ['#FF0000', 0.3], ['#00FF80', 0.3], ['#FFFFFF', 90, 0.5]);
    const samples = Float32Array.from({ length: 40_000 }, (_, at) => (at === 7 ? Number.NaN : (at % 1_009) / 9 - 10));
    const paint = (some: Float32Array) => painted({ colorMap }, [[band('a', { type: 'float32' }), some]]);

    const many = paint(samples);

    expect(many).toEqual([...paint(samples.slice(0, 20_000)), ...paint(samples.slice(20_000))]);
    expect(new Set(many).size).toBeGreaterThan(300);
  });

  it('interpolates a colour ramp, and extends the first and last colours', () => {
    const colorMap = entries('ramp', ['#000000', 0], ['#FF0000', 10], ['#FFFFFF', 20, 0]);

    expect(painted({ colorMap }, [[heights, Float32Array.of(-3, 5, 10, 15, 99)]])).toEqual([
      '000000ff',
      '800000ff',
      'ff0000ff',
      'ff808080',
      'ffffff00',
    ]);
  });

  it('paints intervals in one colour below each quantity, and nothing beyond the last', () => {
    const colorMap = entries('intervals', ['#FF0000', 10], ['#00FF00', 20]);

    expect(painted({ colorMap }, [[heights, Float32Array.of(9.9, 10, 19, 20)]])).toEqual([
      'ff0000ff',
      '00ff00ff',
      '00ff00ff',
      '00000000',
    ]);
  });

  it('paints only exact values with a colour map of values', () => {
    const colorMap = entries('values', ['#FF0000', 1], ['#00FF00', 2]);

    expect(painted({ colorMap }, [[band('classes'), Uint8Array.of(1, 2, 3)]])).toEqual([
      'ff0000ff',
      '00ff00ff',
      '00000000',
    ]);
  });

  it('reads quantities from request variables', () => {
    const text = ['$', "{env('low', 10)}"].join('');
    const colorMap: ColorMap = {
      kind: 'entries',
      type: 'intervals',
      entries: [{ color: createLiteral('#FF0000'), quantity: { kind: 'embedded', text } }],
    };

    expect(painted({ colorMap }, [[heights, Float32Array.of(12)]])).toEqual(['00000000']);
    expect(painted({ colorMap }, [[heights, Float32Array.of(12)]], { low: '15' })).toEqual(['ff0000ff']);
  });

  it('computes quantities, and colours by a function', () => {
    const text = ['$', "{env('low', 10) * 2 + 1}"].join('');
    const computed: ColorMap = {
      kind: 'entries',
      type: 'intervals',
      entries: [{ color: createLiteral('#FF0000'), quantity: { kind: 'embedded', text } }],
    };
    const parts = ['Rasterdata', 1, '#FF0000', 2, '#00FF00'].map(createLiteral);
    const recoded: ColorMap = {
      kind: 'colorFunction',
      function: { kind: 'function', name: 'Recode', arguments: parts },
    };

    expect(painted({ colorMap: computed }, [[heights, Float32Array.of(20, 21)]])).toEqual(['ff0000ff', '00000000']);
    expect(painted({ colorMap: computed }, [[heights, Float32Array.of(29)]], { low: '15' })).toEqual(['ff0000ff']);
    expect(painted({ colorMap: recoded }, [[band('classes'), Uint8Array.of(2, 1, 3)]])).toEqual([
      '00ff00ff',
      'ff0000ff',
      '00000000',
    ]);
  });

  it('applies the opacity of the symbolizer', () => {
    expect(painted({ opacity: createLiteral(0.5) }, [[band('gray'), Uint8Array.of(255)]])).toEqual(['ffffff80']);
  });
});

describe('contrast enhancement', () => {
  it('is applied to the colors of a color map', () => {
    const colorMap = entries('values', ['#400000', 1], ['#800000', 2]);
    const contrastEnhancement = { kind: 'contrastEnhancement', method: 'normalize' } as const;

    expect(painted({ colorMap, contrastEnhancement }, [[band('classes'), Uint8Array.of(1, 2, 3)]])).toEqual([
      '000000ff',
      'ff0000ff',
      '00000000',
    ]);
  });

  it('brightens with a gamma above 1', () => {
    const contrastEnhancement = { kind: 'contrastEnhancement', gamma: createLiteral(2) } as const;

    expect(painted({ contrastEnhancement }, [[band('gray'), Uint8Array.of(64)]])).toEqual(['808080ff']);
  });

  it.each([
    ['logarithmic', 255 * Math.log1p((2 * 100) / 255)],
    ['exponential', 255 * Math.expm1((2 * 100) / 255)],
  ] as const)('uses the factors of a %s curve', (method, value) => {
    const contrastEnhancement = {
      kind: 'contrastEnhancement',
      method,
      vendorOptions: [
        { kind: 'vendorOption', name: 'normalizationFactor', value: createLiteral(255) },
        { kind: 'vendorOption', name: 'correctionFactor', value: createLiteral(2) },
      ],
    } as const;
    const [pixel = ''] = painted({ contrastEnhancement }, [[band('gray'), Uint8Array.of(100)]]);

    expect(Number.parseInt(pixel.slice(0, 2), 16)).toBe(Math.min(255, Math.round(value)));
  });

  it('omits outliers of values of 16 bits without a declared range', () => {
    const samples = Uint16Array.from({ length: 101 }, (_, index) => (index === 100 ? 60_000 : index));
    const pixels = painted({}, [[band('radar', { type: 'uint16' }), samples]]);

    expect([pixels[0], pixels[50], pixels[99], pixels[100]]).toEqual(['000000ff', '808080ff', 'ffffffff', 'ffffffff']);
  });

  const values = Uint8Array.of(50, 75, 100);
  const stretched = (method: 'normalize' | 'histogram' | 'logarithmic' | 'exponential', gamma?: number) =>
    painted(
      {
        contrastEnhancement: {
          kind: 'contrastEnhancement',
          method,
          ...(gamma === undefined ? {} : { gamma: createLiteral(gamma) }),
        },
      },
      [[band('gray'), values]],
    ).map((pixel) => Number.parseInt(pixel.slice(0, 2), 16));

  it('stretches to the range of the visible values', () => {
    expect(stretched('normalize')).toEqual([0, 128, 255]);
    expect(stretched('normalize', 2)).toEqual([0, 180, 255]);
  });

  it('stretches to the declared range of a band', () => {
    const contrastEnhancement = { kind: 'contrastEnhancement', method: 'normalize' } as const;
    const declared = band('gray', { minimum: 50, maximum: 150 });

    expect(painted({ contrastEnhancement }, [[declared, values]])).toEqual(['000000ff', '404040ff', '808080ff']);
  });

  it('stretches along a curve', () => {
    expect(stretched('logarithmic')).toEqual([0, 158, 255]);
    expect(stretched('exponential')).toEqual([0, 96, 255]);
  });

  it('equalizes the histogram', () => {
    expect(stretched('histogram')).toEqual([85, 170, 255]);
  });
});

describe('several bands', () => {
  const named = (color: Band['colorInterpretation'], value: number) =>
    [band(color, { colorInterpretation: color }), Uint8Array.of(value)] as const;

  it('are assigned to red, green and blue by their colour interpretation', () => {
    expect(painted({}, [named('blue', 3), named('green', 2), named('red', 1)])).toEqual(['010203ff']);
  });

  it('default to the first three bands', () => {
    const plain = [1, 2, 3, 4].map((value) => [band(`b${value}`), Uint8Array.of(value)] as const);

    expect(painted({}, plain)).toEqual(['010203ff']);
  });

  it('apply the opacity of the alpha band', () => {
    expect(painted({}, [named('red', 1), named('green', 2), named('blue', 3), named('alpha', 51)])).toEqual([
      '01020333',
    ]);
  });

  it('are selected by number or name', () => {
    const channel = (name: string | number) => ({ sourceName: createLiteral(name) });
    const bands = [10, 20, 30].map((value, index) => [band(`b${index}`), Uint8Array.of(value)] as const);

    const channelSelection = { kind: 'rgbChannels', red: channel(3), green: channel('B0'), blue: channel(2) } as const;
    expect(painted({ channelSelection }, bands)).toEqual(['1e0a14ff']);
    const gray = { kind: 'grayChannel', gray: channel(2) } as const;
    expect(painted({ channelSelection: gray }, bands)).toEqual(['141414ff']);
    expect(painted({ channelSelection: { kind: 'grayChannel', gray: channel(9) } }, bands)).toEqual([]);
  });
});
