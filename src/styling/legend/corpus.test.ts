import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPainted, plainPng, readPixels } from '../../../test/styles/legend/drawn.ts';
import { descriptor } from '../../../test/support/style-models/descriptors.ts';
import { readCss } from '../css/reader.ts';
import { readSld } from '../sld/reader.ts';
import { drawLegend } from './legend.ts';

const readers = { sld: readSld, css: readCss };

const accepted = (['sld', 'css'] as const).flatMap((language) => {
  const folder = new URL(`../../../test/styles/${language}/accepted/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(`.${language}`));
  return files.map((name) => [name, readers[language], readFileSync(new URL(name, folder), 'utf8')] as const);
});

/** Named styles and external rules. */
const nothingToDraw = ['named-styles.sld', 'se-libraries.sld'];

const load = async (href: string) => (/\.(png|gif)$/.test(href) ? plainPng(12, 12, 'red') : undefined);

describe.each([
  [20, 20],
  [120, 60],
])('legend of %i by %i pixels', (width, height) => {
  test.each(accepted)('shows %s visibly', async (name, read, text) => {
    const drawn = await readPixels(await drawLegend(read(text).model, { width, height }, load));

    expect(drawn.count(isPainted) > 0).toBe(!nothingToDraw.includes(name));
  });
});

test.each(['1.0.0', '1.1.0'] as const)(
  'any style of SLD %s can be drawn at any size',
  async (version) => {
    const size = fc.integer({ min: 1, max: 64 });
    const kind = fc.constantFrom('point' as const, 'line' as const, 'polygon' as const, 'raster' as const);
    await fc.assert(
      fc.asyncProperty(descriptor(version), size, size, kind, async (model, width, height, sampleKind) => {
        const drawn = await readPixels(await drawLegend(model, { width, height, kind: sampleKind }, load));

        expect(drawn.width).toBeGreaterThanOrEqual(width);
        expect(drawn.height).toBeGreaterThanOrEqual(height);
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);
