/** Lesson 4: two entries that are one file on some system are refused. */
import { describe, expect, it } from 'vitest';
import { trial } from '../support/archives.ts';
import { rawZip } from '../support/raw-zip.ts';

describe('lesson 4: an archive with', () => {
  it.each([
    ['the same name twice', 'a.shp', 'a.shp', 'it occurs twice'],
    ['the same folder twice', 'a/', 'a/', 'it occurs twice'],
    ['other capitals', 'Roads.shp', 'roads.SHP', "conflicts with 'Roads.shp'"],
    ['other capitals in a folder', 'Data/a.shp', 'data/b.shp', "conflicts with 'Data'"],
    ['other capitals of other scripts', 'ДОРОГИ.shp', 'дороги.shp', 'it conflicts with'],
    ['a special small letter', 'straße', 'STRASSE', 'it conflicts with'],
    ['another spelling of an accent', 'caf\u00e9', 'cafe\u0301', 'it conflicts with'],
    ['another width', 'abc', 'ａｂｃ', 'it conflicts with'],
    ['a character that nobody sees', 'roads.shp', 'ro\u200dads.shp', 'it conflicts with'],
    ['a file that is a folder', 'a', 'a/b', 'a file and a folder'],
    ['a folder that is a file', 'a/b', 'a', 'a file and a folder'],
    ['a file and a folder by entry', 'a/', 'a', 'a file and a folder'],
    ['a detour', 'a/b', './a/b', 'it occurs twice'],
  ])('%s is refused', async (_case, first, second, reason) => {
    const { unpack, listing } = await trial(rawZip([{ name: first }, { name: second }, { name: 'good', data: 'x' }]));

    const outcome = unpack();

    await expect(outcome).rejects.toMatchObject({ code: 'archive-refused', status: 400 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('a folder before, after or between its files is taken', async () => {
    const archive = rawZip([
      { name: 'a/b/x', data: '1' },
      { name: 'a/' },
      { name: 'a/b/' },
      { name: 'a/b/y', data: '2' },
    ]);

    expect((await (await trial(archive)).unpack()).map(({ name }) => name)).toEqual(['a/b/x', 'a/b/y']);
  });
});
