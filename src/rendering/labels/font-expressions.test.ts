import { expect, test } from 'vitest';
import { createDrawnLayer, createUserStyle, never, smallMap, wideBudget } from '../../../test/support/drawn-layers.ts';
import { drawMap } from '../draw-map.ts';

const property = (name: string) => `<ogc:PropertyName>${name}</ogc:PropertyName>`;
const style = createUserStyle(
  `<Rule><TextSymbolizer><Label>Hill</Label><Font><CssParameter name="font-family">${property('family')}</CssParameter><CssParameter name="font-size">20</CssParameter><CssParameter name="font-weight">${property('weight')}</CssParameter><CssParameter name="font-style">${property('slant')}</CssParameter></Font></TextSymbolizer></Rule>`,
);

const plain = { family: 'DejaVu Sans', weight: 'normal', slant: 'normal' };

/** Draws two labels below each other, and returns the pixels of each. */
async function drawPair(second: Partial<typeof plain>): Promise<readonly [string, string]> {
  const rows = [
    { wkt: 'POINT (2 15)', ...plain },
    { wkt: 'POINT (2 5)', ...plain, ...second },
  ];
  const { bytes } = await drawMap(
    { ...smallMap, width: 100, height: 100, layers: [createDrawnLayer(rows, style)] },
    wideBudget,
    never,
  );
  return [Buffer.from(bytes.subarray(0, 20_000)).toString('hex'), Buffer.from(bytes.subarray(20_000)).toString('hex')];
}

test('labels of equal fonts are equal', async () => {
  const [first, second] = await drawPair({});

  expect(first).toBe(second);
});

test.each([{ weight: 'bold' }, { slant: 'italic' }, { family: 'DejaVu Serif' }])(
  'each feature has its own font: %o',
  async (font) => {
    const [first, second] = await drawPair(font);

    expect(second === first).toBe(false);
    expect([first, second]).toEqual([(await drawPair({}))[0], expect.any(String)]);
  },
);
