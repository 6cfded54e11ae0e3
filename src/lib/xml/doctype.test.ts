import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDoctype } from './doctype.ts';

const prolog = fc
  .array(
    fc.constantFrom(' ', '\r\n', '<!-- <a> -->', '<!---->', '<!-->-->', '<?p ?>', '<?p <!-- ?>', '<?xml-stylesheet?>'),
  )
  .map((parts) => parts.join(''));

test('a DOCTYPE is found behind any comments, instructions and spaces', () => {
  fc.assert(fc.property(prolog, (before) => hasDoctype(`${before}<!DOCTYPE a [`)));
});

test('a document without a DOCTYPE has none', () => {
  fc.assert(fc.property(prolog, (before) => !hasDoctype(`${before}<a><![CDATA[<!DOCTYPE a>]]></a>`)));
});

test.each(['', ' ', '<!-- <!DOCTYPE a> --><a/>', '<?p <!DOCTYPE a> ?><a/>', '<!-- <!DOCTYPE a>', '<?p <!DOCTYPE a>'])(
  '%j has no DOCTYPE',
  (text) => {
    expect(hasDoctype(text)).toBe(false);
  },
);
