import { describe, expect, test } from 'vitest';
import { css, drawRule, isLike, isPainted } from '../../../../test/styles/legend/drawn.ts';
import { fontFamilies } from '../../fonts/font-registry.ts';
import { selectFonts } from '../text/fonts.ts';
import { createSampleLabel } from '../values/sample-label.ts';

const red = isLike(255, 0, 0);
const blue = isLike(0, 0, 255);

const label = (text: string, more = ''): string =>
  `<TextSymbolizer><Label>${text}</Label>
    <Font>${css({ 'font-family': 'Arial', 'font-size': 16, 'font-weight': 'bold' })}</Font>
    ${more}<Fill>${css({ fill: '#FF0000' })}</Fill></TextSymbolizer>`;
const halo = (radius: number): string =>
  `<Halo><Radius>${radius}</Radius><Fill>${css({ fill: '#0000FF' })}</Fill></Halo>`;

describe('label sample', () => {
  test('is drawn in its colour, centred', async () => {
    const drawn = await drawRule(label('Hill'), { width: 80, height: 40 });

    expect(drawn.count(red)).toBeGreaterThan(40);
    expect(drawn.row(4).some(isPainted)).toBe(false);
    expect(drawn.row(36).some(isPainted)).toBe(false);
    const columns = drawn.row(0).map((_, x) => drawn.column(x).some(isPainted));
    expect(Math.abs(columns.indexOf(true) - (79 - columns.lastIndexOf(true)))).toBeLessThanOrEqual(2);
  });

  test('shows the name of an attribute', async () => {
    const named = await drawRule(label('<ogc:PropertyName>Hill</ogc:PropertyName>'));
    const written = await drawRule(label('Hill'));

    expect(named.row(20)).toEqual(written.row(20));
    expect(named.count(isPainted)).toBe(written.count(isPainted));
  });

  test('has a halo around it', async () => {
    const drawn = await drawRule(label('l', halo(3)), { width: 40, height: 40 });

    // A stem with the halo on both sides.
    const across = drawn.row(20);
    const stem = across.findIndex(red);
    expect(stem).toBeGreaterThan(0);
    expect(across.slice(stem - 3, stem - 1).every(blue)).toBe(true);
    expect(across.slice(across.findLastIndex(red) + 2).some(blue)).toBe(true);
  });

  test('shrinks to fit its swatch', async () => {
    const short = await drawRule(label('ref'), { width: 60, height: 30 });
    const long = await drawRule(label('reference'), { width: 60, height: 30 });

    const rows = (drawn: typeof short) => drawn.column(0).filter((_, y) => drawn.row(y).some(isPainted)).length;
    expect(rows(long)).toBeLessThan(rows(short));
    expect(long.column(59).some(isPainted)).toBe(false);
  });

  test('is larger with a larger font size', async () => {
    const small = await drawRule(label('A').replace('>16<', '>10<'));
    const large = await drawRule(label('A').replace('>16<', '>30<'));

    expect(large.count(isPainted)).toBeGreaterThan(4 * small.count(isPainted));
  });

  test('has thicker letters in bold', async () => {
    const bold = await drawRule(label('A'));
    const normal = await drawRule(label('A').replace('bold', 'normal'));

    expect(bold.count(red)).toBeGreaterThan(normal.count(red));
  });

  test('uses a bundled font for an unknown one', async () => {
    const unknown = await drawRule(label('Hill').replace('Arial', 'No Such Font'));
    const known = await drawRule(label('Hill').replace('Arial', 'DejaVu Sans'));

    expect(unknown.count(red)).toBe(known.count(red));
    expect(unknown.count(red)).toBeGreaterThan(40);
  });

  test('keeps its placement beside a point', async () => {
    const above = `<LabelPlacement><PointPlacement>
      <AnchorPoint><AnchorPointX>0.5</AnchorPointX><AnchorPointY>0</AnchorPointY></AnchorPoint>
      <Displacement><DisplacementX>0</DisplacementX><DisplacementY>6</DisplacementY></Displacement>
    </PointPlacement></LabelPlacement>`;
    const point = `<PointSymbolizer><Graphic><Mark><Fill>${css({ fill: '#0000FF' })}</Fill></Mark></Graphic></PointSymbolizer>`;

    const drawn = await drawRule(point + label('on', above), { width: 60, height: 60 });

    const rows = (isWanted: typeof red) => drawn.column(0).flatMap((_, y) => (drawn.row(y).some(isWanted) ? [y] : []));
    expect(Math.max(...rows(red))).toBeLessThan(Math.min(...rows(blue)));
  });

  test('is drawn in front of its shield', async () => {
    const shield = `<Graphic><Mark><WellKnownName>square</WellKnownName><Fill>${css({ fill: '#0000FF' })}</Fill></Mark><Size>30</Size></Graphic>`;

    const drawn = await drawRule(label('l').replace('</TextSymbolizer>', `${shield}</TextSymbolizer>`));

    expect(drawn.at(8, 8)).toEqual([0, 0, 255, 255]);
    expect(drawn.row(20).some(red)).toBe(true);
  });
});

describe('sample text', () => {
  const name = { kind: 'property', name: 'app:place/app:name' } as const;

  test.each([
    ['is the last step of a path', name, ['name']],
    ['is the value of a literal', { kind: 'literal', value: 'A\n  B ' } as const, ['A', 'B']],
    [
      'combines texts and attribute names',
      { kind: 'concatenation', parts: [name, { kind: 'literal', value: ' m' }] } as const,
      ['name m'],
    ],
    [
      'is the argument of a function',
      { kind: 'function', name: 'strToUpperCase', arguments: [name] } as const,
      ['name'],
    ],
    ['is empty without a label', undefined, []],
  ])('%s', (_, expression, lines) => {
    expect(createSampleLabel(expression)).toEqual(lines);
  });

  test('has a limited length', () => {
    const lines = createSampleLabel({ kind: 'literal', value: 'long line\n'.repeat(100_000) });

    expect(lines).toHaveLength(4);
  });
});

test.each([
  [[], fontFamilies.serif],
  [['Times New Roman'], 'Tinos'],
  [['Arial', 'Times'], 'Arimo'],
  [['Unknown', 'Calibri'], 'Carlito'],
  [['DejaVu Sans Mono Bold'], fontFamilies.mono],
  [['sans-serif'], fontFamilies.sans],
  [['Courier New'], 'Cousine'],
  [['Whatever'], fontFamilies.sans],
])('uses the font for %j: %s', (names, family) => {
  expect(selectFonts(names).families[0]).toBe(family);
});
