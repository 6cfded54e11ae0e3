/** Lesson 4: two entries that would be the same file on some operating system are rejected. */
import { describe, expect, it } from 'vitest';
import { trial } from '../support/archives.ts';
import { rawZip } from '../support/raw-zip.ts';

describe('lesson 4: colliding names in archives', () => {
  it.each([
    ['the same name twice', 'a.shp', 'a.shp', 'it occurs twice'],
    ['the same folder twice', 'a/', 'a/', 'it occurs twice'],
    ['names that differ in case', 'Roads.shp', 'roads.SHP', "conflicts with 'Roads.shp'"],
    ['folder names that differ in case', 'Data/a.shp', 'data/b.shp', "conflicts with 'Data'"],
    ['non-Latin names that differ in case', 'ДОРОГИ.shp', 'дороги.shp', 'it conflicts with'],
    ['names that are equal after case folding', 'straße', 'STRASSE', 'it conflicts with'],
    ['names that differ in Unicode normalization', 'caf\u00e9', 'cafe\u0301', 'it conflicts with'],
    ['names that differ in character width', 'abc', 'ａｂｃ', 'it conflicts with'],
    ['names that differ in an invisible character', 'roads.shp', 'ro\u200dads.shp', 'it conflicts with'],
    ['a file, then a folder with its name', 'a', 'a/b', 'a file and a folder'],
    ['a folder, then a file with its name', 'a/b', 'a', 'a file and a folder'],
    ['a folder entry and a file entry with the same name', 'a/', 'a', 'a file and a folder'],
    ['a path with a redundant dot segment', 'a/b', './a/b', 'it occurs twice'],
  ])('rejects an archive with %s', async (_case, first, second, reason) => {
    const { unpack, listing } = await trial(rawZip([{ name: first }, { name: second }, { name: 'good', data: 'x' }]));

    const outcome = unpack();

    await expect(outcome).rejects.toMatchObject({ code: 'archive-refused', status: 400 });
    await expect(outcome).rejects.toThrow(reason);
    expect(await listing()).toEqual(['spooled.zip']);
  });

  it('accepts a folder entry before, after or between its files', async () => {
    const archive = rawZip([
      { name: 'a/b/x', data: '1' },
      { name: 'a/' },
      { name: 'a/b/' },
      { name: 'a/b/y', data: '2' },
    ]);

    expect((await (await trial(archive)).unpack()).map(({ name }) => name)).toEqual(['a/b/x', 'a/b/y']);
  });
});
