import { expect, test } from 'vitest';
import { listBreakableParts } from './line-breaks.ts';

test.each([
  ['words at spaces', 'Frankfurt am Main', ['Frankfurt ', 'am ', 'Main']],
  ['hyphenated words not at all', 'Saint-Denis, Nord', ['Saint-Denis, ', 'Nord']],
  ['Chinese between words', '北京市（朝阳区）', ['北京市', '（朝阳', '区）']],
  ['Thai between words', 'ถนนสุขุมวิท', ['ถนน', 'สุขุมวิท']],
  ['nothing of an empty line', '', []],
])('breaks %s', (_what, line, parts) => {
  expect(listBreakableParts(line)).toEqual(parts);
});
