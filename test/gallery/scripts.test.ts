/**
 * Draws the documents below `scripts/` as the gallery does, with fonts of many scripts: those that the styles name, and
 * others for characters that these lack.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { setFontFolders } from '../../src/styling/fonts/font-registry.ts';
import { notoFonts } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { testDocuments } from './test-documents.ts';

describeWithTool('noto', 'the gallery of scripts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graticule-noto-'));
    for (const font of notoFonts) await symlink(font, join(folder, basename(font)));
    setFontFolders({ folders: [folder], hasSystemFonts: false });
  });
  afterAll(async () => {
    setFontFolders({ folders: [], hasSystemFonts: false });
    await rm(folder, { recursive: true, force: true });
  });

  testDocuments(new URL('scripts/', import.meta.url));
});
