import { describe, expect, test } from 'vitest';
import { drawRule, isLike, isPainted, nothing } from '../../../../test/styles/legend/drawn.ts';
import { listColorStops } from '../values/color-stops.ts';

const red = isLike(255, 0, 0);
const green = isLike(0, 255, 0);
const blue = isLike(0, 0, 255);

const colorMap = (type: string, words = ['', '', '']): string => `<RasterSymbolizer><ColorMap type="${type}">
  <ColorMapEntry color="#FF0000" quantity="10" ${words[0]}/>
  <ColorMapEntry color="#00FF00" quantity="20" ${words[1]}/>
  <ColorMapEntry color="#0000FF" quantity="30" ${words[2]}/>
</ColorMap></RasterSymbolizer>`;

describe('raster sample', () => {
  test('shows a ramp from the first colour to the last', async () => {
    const drawn = await drawRule(colorMap('ramp'), { width: 41, height: 20 });

    expect([red(drawn.at(0, 10)), green(drawn.at(20, 10)), blue(drawn.at(40, 10))]).toEqual([true, true, true]);
    const [r, g] = drawn.at(10, 10);
    expect([r, g].every((part) => part > 100 && part < 155)).toBe(true);
  });

  test.each(['intervals', 'values'])('shows stripes for %s', async (type) => {
    const drawn = await drawRule(colorMap(type), { width: 30, height: 20 });

    expect([drawn.at(1, 10), drawn.at(8, 10)].every(red)).toBe(true);
    expect([drawn.at(11, 10), drawn.at(18, 10)].every(green)).toBe(true);
    expect([drawn.at(21, 10), drawn.at(28, 10)].every(blue)).toBe(true);
  });

  test('has labels beside its colours if there is space', async () => {
    const drawn = await drawRule(colorMap('values', ['label="low"', '', 'label="high"']), { width: 90, height: 60 });

    expect([red(drawn.at(10, 10)), green(drawn.at(10, 30)), blue(drawn.at(10, 50))]).toEqual([true, true, true]);
    for (const row of [10, 30, 50]) {
      const words = Array.from({ length: 12 }, (_, index) => drawn.row(row - 6 + index).slice(22));
      expect(words.flat().filter(isPainted).length).toBeGreaterThan(10);
    }
    expect(drawn.column(21).some(isPainted)).toBe(false);
  });

  test('applies its opacity', async () => {
    const drawn = await drawRule(
      colorMap('values').replace('<ColorMap ', '<Opacity>0.5</Opacity><ColorMap ').replace('"20"', '"20" opacity="0"'),
    );

    expect(drawn.at(3, 20)[3]).toBeCloseTo(128, -1);
    expect(drawn.at(20, 20)).toEqual(nothing);
  });

  test('is grey without colours, and coloured with three bands', async () => {
    const plain = await drawRule('<RasterSymbolizer/>');
    const band = (name: string, number: number) =>
      `<${name}><SourceChannelName>${number}</SourceChannelName></${name}>`;
    const bands = await drawRule(
      `<RasterSymbolizer><ChannelSelection>${band('RedChannel', 1)}${band('GreenChannel', 2)}${band('BlueChannel', 3)}</ChannelSelection></RasterSymbolizer>`,
    );

    expect(plain.at(0, 20)[0]).toBeLessThan(10);
    expect(plain.at(39, 20)[0]).toBeGreaterThan(245);
    expect([red(bands.at(5, 20)), green(bands.at(20, 20)), blue(bands.at(35, 20))]).toEqual([true, true, true]);
  });
});

test('classes without labels are named by their limits', () => {
  const entry = (quantity: number) =>
    ({ color: { kind: 'literal', value: '#FFF' }, quantity: { kind: 'literal', value: String(quantity) } }) as const;

  const stops = listColorStops({
    kind: 'entries',
    type: 'intervals',
    entries: [entry(0.1), entry(1 / 3), entry(Number.MAX_VALUE)],
  });

  expect(stops.map(({ label }) => label)).toEqual(['< 0.1', '0.1 – 0.333333', '≥ 0.333333']);
});

test('a variable has its default value', () => {
  const variable = (ecql: string) => ({ kind: 'embedded', text: `\${${ecql}}` }) as const;

  const stops = listColorStops({
    kind: 'entries',
    type: 'ramp',
    entries: [
      { color: variable("env('low', '#00FF00')"), quantity: variable("env('min', 5)") },
      { color: variable('whatever'), quantity: variable('whatever') },
    ],
  });

  expect(stops).toEqual([
    { color: [0, 255, 0], opacity: 1, label: '5' },
    { color: [128, 128, 128], opacity: 1, label: '' },
  ]);
});
