import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { TextBuffer } from './text-buffer.ts';

const folder = useTemporaryFolder('texts');

it('returns, compares and copies texts in memory and in its file alike', () => {
  const texts = Array.from({ length: 30 }, (_, index) => `${index} é `.repeat(200_000));
  const spilling = new TextBuffer(folder);
  const resident = new TextBuffer();

  const pairs = texts.map((text) => [spilling.append(text), resident.append(text)] as const);

  for (const [index, [one, other]] of pairs.entries()) {
    const copy = Buffer.alloc(one.size + 1);
    expect(one.toString() === texts[index] && one.isSame(other) && other.isSame(one)).toBe(true);
    expect(one.copyTo(copy, 1)).toBe(copy.length);
    expect(copy.toString('utf8', 1) === texts[index]).toBe(true);
  }
  const [[first] = [], , [third] = []] = pairs;
  expect(first !== undefined && third?.isSame(first)).toBe(false);
  spilling.close();
  expect(() => pairs.at(-1)?.[0].toString()).toThrow('This spill file is closed.');
});
