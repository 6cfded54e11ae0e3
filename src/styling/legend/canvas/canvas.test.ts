import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { renameFont } from '../../../../test/support/renamed-fonts.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { setFontFolders } from '../../fonts/font-registry.ts';
import { loadCanvas } from './canvas.ts';

const folder = useTemporaryFolder('fonts-of-folder');

async function listFamilies(): Promise<readonly string[]> {
  const { GlobalFonts } = await loadCanvas();
  return (GlobalFonts as unknown as { families: readonly { family: string }[] }).families.map(({ family }) => family);
}

test('the fonts of the renderer follow changes of the folders after it was loaded', async () => {
  onTestFinished(() => setFontFolders({ folders: [], hasSystemFonts: false }));
  const before = await listFamilies();
  await writeFile(join(folder, 'survey.ttf'), await renameFont());
  setFontFolders({ folders: [folder], hasSystemFonts: false });
  const during = await listFamilies();
  setFontFolders({ folders: [], hasSystemFonts: false });

  expect(before).toContain('DejaVu Sans');
  expect(during.filter((family) => !before.includes(family))).toEqual(['Survey1']);
  expect(new Set(await listFamilies())).toEqual(new Set(before));
});
