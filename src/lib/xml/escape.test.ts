import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeAttribute, escapeHtml, escapeText } from './escape.ts';
import { readXml } from './reader.ts';

const limits = { maxDepth: 10, maxNodes: 10 };

describe('XML escaping', () => {
  test.each([
    ['plain text', 'plain text', 'plain text'],
    ['', '', ''],
    ['é € 😀', 'é € 😀', 'é € 😀'],
    ['a & b', 'a &amp; b', 'a &amp; b'],
    ['&amp;', '&amp;amp;', '&amp;amp;'],
    ['<script>', '&lt;script&gt;', '&lt;script&gt;'],
    [']]>', ']]&gt;', ']]&gt;'],
    [`"it's"`, `"it's"`, `&quot;it's&quot;`],
    ['a\tb\nc', 'a\tb\nc', 'a&#9;b&#10;c'],
    ['a\r\nb', 'a&#13;\nb', 'a&#13;&#10;b'],
    ['nul\u0000 bell\u0007 escape\u001B', 'nul\uFFFD bell\uFFFD escape\uFFFD', 'nul\uFFFD bell\uFFFD escape\uFFFD'],
    ['high\uD800 low\uDC00', 'high\uFFFD low\uFFFD', 'high\uFFFD low\uFFFD'],
    ['\uFFFE\uFFFF', '\uFFFD\uFFFD', '\uFFFD\uFFFD'],
    ['\u007F\u0085', '\u007F\u0085', '\u007F\u0085'],
  ])('escapes %j', (original, asText, asAttribute) => {
    expect(escapeText(original)).toBe(asText);
    expect(escapeAttribute(original)).toBe(asAttribute);
  });

  test('writes any string, and preserves everything that XML allows', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']',
        '\t',
        '\n',
        '\r',
        ' ',
        '\u0000',
        '\uD800',
        '\uDC00',
        '\uFFFE',
        '😀',
      ),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    );
    const anyString = fc.array(unit, { minLength: 1 }).map((units) => units.join(''));

    fc.assert(
      fc.property(anyString, anyString, (value, text) => {
        const element = readXml(`<a b="${escapeAttribute(value)}">${escapeText(text)}</a>`, limits);

        expect(element.attributes[0]?.value).toBe(withoutIllegal(value));
        expect(element.children).toEqual([{ kind: 'text', text: withoutIllegal(text) }]);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([65_534, 65_535, 65_536, 65_537, 131_072])(
    'escapes texts of more than 65,536 characters like short ones: %i',
    (length) => {
      const text = `${'"'.repeat(length)}😀\ud800<${"'".repeat(70_000)}\udc00`;

      expect(escapeHtml(text) === `${'&quot;'.repeat(length)}😀\ufffd&lt;${'&#39;'.repeat(70_000)}\ufffd`).toBe(true);
      expect(escapeText(text) === `${'"'.repeat(length)}😀\ufffd&lt;${"'".repeat(70_000)}\ufffd`).toBe(true);
    },
  );
});

/** The same rule as in the XML recommendation, spelled out character by character. */
function withoutIllegal(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isControl = code < 0x20 && !'\t\n\r'.includes(character);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return isControl || isSurrogate || code === 0xfffe || code === 0xffff ? '\uFFFD' : character;
  }).join('');
}
