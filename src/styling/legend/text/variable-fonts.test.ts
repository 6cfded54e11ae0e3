import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVariableFont, WEIGHT_UNITS, WIDTH_UNITS } from '../../../../test/support/variable-fonts.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { describeFont } from '../../fonts/font-file.ts';
import { loadCanvas } from '../canvas/canvas.ts';
import { useUploadedFonts } from '../canvas/use-fonts.ts';
import { createLettering, measureLine, readLetterStyle } from './fonts.ts';

/** The units of the font in a line of one pixel size. */
const UNITS_PER_EM = 2_048;

beforeAll(async () => {
  const bytes = await createVariableFont();
  await useUploadedFonts([{ hash: '7'.repeat(64), bytes, faces: describeFont(bytes).faces }]);
});
afterAll(() => useUploadedFonts([]));

/** Returns the units by which a letter of the font is wider than without a style. */
async function measureAdded(family: string, weight = '', variation = ''): Promise<number> {
  const library = await loadCanvas();
  const measure = (name: string, parts: { weight?: string; variation?: string }): number => {
    const options = parts.variation ? [{ name: 'font-variation', value: createLiteral(parts.variation) }] : [];
    const font = {
      kind: 'font' as const,
      families: [createLiteral(name)],
      ...(parts.weight ? { weight: createLiteral(parts.weight) } : {}),
    };
    return measureLine(createLettering(library, font, UNITS_PER_EM, readLetterStyle(options, 1)), 'l');
  };
  return measure(family, { weight, variation }) - measure('Survey1', {});
}

test('describeFont lists the axes and the named instances of a variable font', async () => {
  const {
    faces: [described],
  } = describeFont(await createVariableFont());

  expect(described?.face).toMatchObject({
    family: 'Survey1',
    weight: 400,
    widthPercent: 100,
    variations: {
      axes: [
        { tag: 'wght', min: 100, byDefault: 400, max: 900 },
        { tag: 'wdth', min: 75, byDefault: 100, max: 100 },
      ],
      instances: [
        {
          name: 'Heavy',
          values: [
            { tag: 'wght', value: 900 },
            { tag: 'wdth', value: 100 },
          ],
        },
        {
          name: 'Condensed Light',
          values: [
            { tag: 'wght', value: 300 },
            { tag: 'wdth', value: 75 },
          ],
        },
      ],
    },
  });
});

test.each([
  ['a weight', 'Survey1', '900', '', WEIGHT_UNITS],
  ['a weight between those of other fonts', 'Survey1', '650', '', WEIGHT_UNITS / 2],
  ['a word for a weight', 'Survey1', 'bold', '', WEIGHT_UNITS * 0.6],
  ['the name of an instance', 'Survey1 Heavy', '', '', WEIGHT_UNITS],
  ['the name of an instance with a width', 'Survey1 Condensed Light', '', '', WIDTH_UNITS],
  ['the name of an instance and a weight', 'Survey1 Condensed Light', '900', '', WEIGHT_UNITS + WIDTH_UNITS],
  ['an axis', 'Survey1', '', 'wdth 87.5', WIDTH_UNITS / 2],
  ['axes instead of a weight', 'Survey1', '900', "'wght' 650, wdth 75", WEIGHT_UNITS / 2 + WIDTH_UNITS],
  ['a value beyond the end of its axis', 'Survey1', '', 'wdth 10', WIDTH_UNITS],
  ['an axis that the font does not have', 'Survey1', '', 'slnt -10', 0],
  ['an invalid list of axes', 'Survey1', '', 'wdth', 0],
])('labels of a variable font have the width of %s', async (_what, family, weight, variation, units) => {
  expect(await measureAdded(family, weight, variation)).toBeCloseTo(units, -0.5);
});
