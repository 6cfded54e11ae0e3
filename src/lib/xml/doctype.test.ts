import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasDoctype } from './doctype.ts';

const prolog = fc
  .array(
    fc.constantFrom(' ', '\r\n', '<!-- <a> -->', '<!---->', '<!-->-->', '<?p ?>', '<?p <!-- ?>', '<?xml-stylesheet?>'),
  )
  .map((parts) => parts.join(''));

test('finds a DOCTYPE after comments, instructions and white space', () => {
  fc.assert(fc.property(prolog, (before) => hasDoctype(`${before}<!DOCTYPE a [`)));
});

test('finds no DOCTYPE in a document without one', () => {
  fc.assert(fc.property(prolog, (before) => !hasDoctype(`${before}<a><![CDATA[<!DOCTYPE a>]]></a>`)));
});

test.each(['', ' ', '<!-- <!DOCTYPE a> --><a/>', '<?p <!DOCTYPE a> ?><a/>', '<!-- <!DOCTYPE a>', '<?p <!DOCTYPE a>'])(
  'finds no DOCTYPE in %j',
  (text) => {
    expect(hasDoctype(text)).toBe(false);
  },
);
