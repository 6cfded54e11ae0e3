import { expect, test } from 'vitest';
import { formatColor, parseColor } from './parse-color.ts';

test.each([
  ['#FF8800', '#FF8800'],
  ['#f80', '#FF8800'],
  ['0xFF8800', '#FF8800'],
  ['FF8800', '#FF8800'],
  ['##ff8800', '#FF8800'],
  ['#0xff8800', '#FF8800'],
  ['"#FF8800"', '#FF8800'],
  ['#FF880080', '#FF8800'],
  ['#F808', '#FF8800'],
  ['#12345', '#012345'],
  ['#1234567', '#234567'],
  ['DarkOrange', '#FF8C00'],
  ['rgb(255, 136, 0)', '#FF8800'],
  ['rgba(100%,50%,0%,0.5)', '#FF8000'],
  ['rgb(255 136 0 / 0.5)', '#FF8800'],
])('reads %s as %s', (written, expected) => {
  expect(formatColor(parseColor(written) ?? [1, 1, 1])).toBe(expected);
});

test.each(['', '#', 'bleu', '#GG0000', 'rgb(1,2)', 'rgb(300,0,0)', '12', '#123456789'])('rejects %j', (written) => {
  expect(parseColor(written)).toBeUndefined();
});
