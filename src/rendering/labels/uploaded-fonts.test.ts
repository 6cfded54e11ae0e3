import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { createDrawnLayer, createUserStyle, never, wideBudget } from '../../../test/support/drawn-layers.ts';
import { packCollection } from '../../../test/support/font-collections.ts';
import { renameFont } from '../../../test/support/renamed-fonts.ts';
import { packWoff } from '../../../test/support/woff-fonts.ts';
import { describeFont } from '../../styling/fonts/font-file.ts';
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

function createFont(digit: string, bytes: Uint8Array): UploadedFont {
  return { hash: digit.repeat(64), bytes, faces: describeFont(bytes).faces };
}

test('labels use the regular and the bold face of an uploaded family, and no deleted ones', async () => {
  const regular = createFont('a', await renameFont());
  const bold = createFont('b', await renameFont('700Bold'));
  const isBold = '<CssParameter name="font-weight">bold</CssParameter>';

  const [plain, heavy] = [await drawText('', [regular, bold]), await drawText(isBold, [regular, bold])];
  const substitute = await drawText('', []);

  expect(heavy).toBeGreaterThan(plain * 1.15);
  expect(substitute).not.toBe(plain);
  expect(await drawText('', [regular])).toBe(plain);
});

test('labels use the faces of an uploaded collection like fonts of their own, until it is deleted', async () => {
  const other = await readFile('node_modules/@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf');
  const fonts = [await renameFont(), await renameFont('700Bold')];
  const collection = createFont('9', packCollection([other, ...fonts]));
  const separate = fonts.map((font, index) => createFont(String(index), font));
  const isBold = '<CssParameter name="font-weight">bold</CssParameter>';
  const substitute = await drawText('', []);

  const drawn = [await drawText('', [collection]), await drawText(isBold, [collection])];

  expect(drawn).toEqual([await drawText('', separate), await drawText(isBold, separate)]);
  expect(drawn).not.toContain(substitute);
  expect(await drawText('', [])).toBe(substitute);
});

test('labels use another font instead of a damaged one', async () => {
  const bytes = await renameFont();
  const damaged = { ...createFont('e', bytes), bytes: packWoff(bytes, { damaged: 'glyf' }) };
  const unusable = { ...createFont('f', bytes), bytes: Buffer.from('This is not a font.') };
  const substitute = await drawText('', []);

  expect(await drawText('', [damaged])).toBe(substitute);
  expect(await drawText('', [unusable])).toBe(substitute);
});

test('fonts that are no longer uploaded are removed from the library', async () => {
  const { GlobalFonts } = await loadCanvas();
  await useUploadedFonts([]);
  const [register, remove] = [vi.spyOn(GlobalFonts, 'registerFromPath'), vi.spyOn(GlobalFonts, 'remove')];
  const font = createFont('c', await renameFont());

  await useUploadedFonts([font]);
  await useUploadedFonts([font]);
  expect([register.mock.calls.length, remove.mock.calls.length]).toEqual([1, 0]);
  await useUploadedFonts([]);

  expect(remove.mock.results).toEqual([{ type: 'return', value: true }]);
  expect(remove.mock.calls[0]?.[0]).toBe(register.mock.results[0]?.value);
});

test.runIf(existsSync('/proc/self/status'))('fonts that come and go do not stay in memory', async () => {
  const readMegabytes = (): number => {
    const [, kilobytes = '0'] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  };
  const small = await renameFont();
  const font = createFont('d', Buffer.concat([small, Buffer.alloc(5 * 1_048_576)]));
  await useUploadedFonts([font]);
  const before = readMegabytes();

  for (let upload = 0; upload < 20; upload += 1)
    await useUploadedFonts([{ ...font, hash: upload.toString(16).padStart(64, '0') }]);
  await useUploadedFonts([]);

  expect(readMegabytes() - before).toBeLessThan(30);
});
