import { expect, test, vi } from 'vitest';
import { createDrawnLayer, createUserStyle, never, wideBudget } from '../../../test/support/drawn-layers.ts';
import { renameFont } from '../../../test/support/renamed-fonts.ts';
import type { UploadedFont } from '../../styling/fonts/font-registry.ts';
import { loadCanvas } from '../../styling/legend/canvas/canvas.ts';
import { useUploadedFonts } from '../../styling/legend/canvas/use-fonts.ts';
import { drawMap } from '../draw-map.ts';

async function drawText(parameters: string, fonts: readonly UploadedFont[]): Promise<number> {
  const style = createUserStyle(
    `<Rule><TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><Font>
     <CssParameter name="font-family">Survey1</CssParameter><CssParameter name="font-size">20</CssParameter>${parameters}</Font></TextSymbolizer></Rule>`,
  );
  const layers = [createDrawnLayer([{ wkt: 'POINT (2 10)', name: 'Illi' }], style)];
  const box = { minX: 0, minY: 0, maxX: 40, maxY: 20 };
  const request = { width: 160, height: 80, box, system: { code: 'EPSG:4326' }, layers, fonts };
  const { bytes } = await drawMap(request, wideBudget, never);
  return bytes.reduce((ink, value) => ink + 255 - value, 0);
}

test('labels use the regular and the bold face of an uploaded family, and no deleted ones', async () => {
  const regular = { hash: 'a'.repeat(64), bytes: await renameFont() };
  const bold = { hash: 'b'.repeat(64), bytes: await renameFont('700Bold') };
  const isBold = '<CssParameter name="font-weight">bold</CssParameter>';

  const [plain, heavy] = [await drawText('', [regular, bold]), await drawText(isBold, [regular, bold])];
  const substitute = await drawText('', []);

  expect(heavy).toBeGreaterThan(plain * 1.15);
  expect(substitute).not.toBe(plain);
  expect(await drawText('', [regular])).toBe(plain);
});

test('fonts that are no longer uploaded are removed from the library', async () => {
  const { GlobalFonts } = await loadCanvas();
  await useUploadedFonts([]);
  const [register, remove] = [vi.spyOn(GlobalFonts, 'register'), vi.spyOn(GlobalFonts, 'remove')];
  const font = { hash: 'c'.repeat(64), bytes: await renameFont() };

  await useUploadedFonts([font]);
  await useUploadedFonts([font]);
  expect([register.mock.calls.length, remove.mock.calls.length]).toEqual([1, 0]);
  await useUploadedFonts([]);

  expect(remove.mock.results).toEqual([{ type: 'return', value: true }]);
  expect(remove.mock.calls[0]?.[0]).toBe(register.mock.results[0]?.value);
});
