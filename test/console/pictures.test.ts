/** The pictures of the console in `docs/console/`. They are looked at in reviews; their pixels are not compared here. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../console/routes.ts';
import { matchRoute } from '../../console/shell/match-route.ts';
import { formatIndex, INDEX_FILE } from '../../scripts/console-pictures/index-page.ts';
import { getFileName, listVariants, pictures } from '../../scripts/console-pictures/pictures.ts';

const folder = join(import.meta.dirname, '../../docs/console');
const MAX_TOTAL_BYTES = 3_000_000;

describe('the pictures of the console', () => {
  it('show every route', () => {
    const shown = new Set(pictures.map(({ route }) => route));

    expect(routes.map(({ path }) => path).filter((path) => !shown.has(path))).toEqual([]);
  });

  it('have addresses of their routes', () => {
    const wrong = pictures.filter(({ route, address, isSignedOut, prepare }) => {
      const found = matchRoute(routes, address.split('?')[0] ?? '')?.route.path;
      return isSignedOut !== true && prepare === undefined && found !== route;
    });

    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('exist in every variant, are on the index page, and are small', async () => {
    const expected = pictures.flatMap((picture) =>
      listVariants(picture).map((variant) => getFileName(picture, variant)),
    );
    const files = (await readdir(folder)).filter((name) => name !== INDEX_FILE);
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));

    expect(files.sort()).toEqual(expected.sort());
    expect(await readFile(join(folder, INDEX_FILE), 'utf8')).toBe(formatIndex());
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_TOTAL_BYTES);
  });
});
