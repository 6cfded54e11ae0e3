import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rule, styleOf } from '../../../test/styles/legend/drawn.ts';
import { packCollection } from '../../../test/support/font-collections.ts';
import { renameFont } from '../../../test/support/renamed-fonts.ts';
import { describeWithTool } from '../../../test/support/with-tool.ts';
import { readContent } from '../content/read-content.ts';
import { describeFont } from '../fonts/font-file.ts';
import type { UploadedFont } from '../fonts/font-registry.ts';
import { useUploadedFonts } from './canvas/use-fonts.ts';
import { drawLegend } from './legend.ts';

function createFont(digit: string, bytes: Uint8Array): UploadedFont {
  return { hash: digit.repeat(64), bytes, faces: describeFont(bytes).faces };
}

async function drawTitle(title: string, fontName: string, fonts: readonly UploadedFont[] = []): Promise<string> {
  await useUploadedFonts(fonts);
  const picture = await drawLegend(
    readContent(Buffer.from(styleOf(rule('<PolygonSymbolizer><Fill/></PolygonSymbolizer>')))).model,
    { width: 20, height: 20, look: { title, fontName } },
    async () => undefined,
  );
  return Buffer.from(picture).toString('hex');
}

describeWithTool('noto', 'legends with several scripts', () => {
  test('characters that the font of a legend lacks are drawn with another font', async () => {
    const thai = createFont('6', await readFile('/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf'));

    const [first, second] = [await drawTitle('ก', 'sans', [thai]), await drawTitle('ข', 'sans', [thai])];

    // Without the font, both are the same box.
    expect(first === second).toBe(false);
    expect((await drawTitle('ก', 'sans')) === (await drawTitle('ข', 'sans'))).toBe(true);
  });
});

test('a legend uses the faces of a collection like fonts of their own', async () => {
  const first = await readFile('node_modules/@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf');
  const bold = await renameFont('700Bold');
  const collection = createFont('7', packCollection([first, bold]));

  const drawn = await drawTitle('Hill', 'Survey1', [collection]);

  expect(drawn === (await drawTitle('Hill', 'Survey1', [createFont('8', bold)]))).toBe(true);
  expect(drawn === (await drawTitle('Hill', 'Survey1'))).toBe(false);
});
