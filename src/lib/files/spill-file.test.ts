import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { SpillFile } from './spill-file.ts';

const folder = useTemporaryFolder('spill');

it('returns texts of any size unchanged and leaves no file in the folder', () => {
  const file = new SpillFile(folder);
  const texts = Array.from({ length: 40 }, (_, index) => `${index} é😀 `.repeat(index % 10 === 0 ? 60_000 : 1_000));

  const places = texts.map((text) => file.append(text));

  expect(places.map((place) => file.read(place).toString() === texts[places.indexOf(place)])).toEqual(
    texts.map(() => true),
  );
  expect(places.map((place) => file.readText(place) === texts[places.indexOf(place)])).toEqual(texts.map(() => true));
  expect(file.readText(file.append(''))).toBe('');
  expect(readdirSync(folder)).toEqual([]);
  file.close();
});

it('rejects further use once it is closed', () => {
  const file = new SpillFile(folder);
  const place = file.append('x'.repeat(1_000_000));
  file.close();
  file.close();

  expect(() => file.read(place)).toThrow('This spill file is closed.');
});
