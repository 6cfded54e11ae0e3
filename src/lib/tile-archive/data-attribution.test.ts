/** Attributions of data become plain text and a safe link. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { parseAttribution } from './data-attribution.ts';

describe('the attribution of data', () => {
  it.each([
    ['Survey of Norway', { text: 'Survey of Norway' }],
    [
      '<a href="https://www.openstreetmap.org/copyright" target="_blank">&copy; OpenStreetMap contributors</a>',
      { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
    ],
    [
      `<a href='https://one.example/?a=1&amp;b=2'>One</a>, <a href=https://two.example/>Two</a>`,
      { text: 'One, Two', href: 'https://one.example/?a=1&b=2' },
    ],
    ['Roads &#169; Smith &#x26; Sons\n\t2024', { text: 'Roads © Smith & Sons 2024' }],
    ['a &lt;b&gt; &unknown; &#99999999;', { text: 'a <b> &unknown; &#99999999;' }],
  ])('is its text and its first link: %s', (html, expected) => {
    expect(parseAttribution(html)).toEqual(expected);
  });

  it.each([
    ['<a href="javascript:alert(1)">Maps</a>', { text: 'Maps' }],
    ['<a href="java&#10;script:alert(1)">Maps</a>', { text: 'Maps' }],
    ['<a href="//one.example">Maps</a>', { text: 'Maps' }],
    ['<a href="https://user:secret@one.example">Maps</a>', { text: 'Maps' }],
    ['<img src=x onerror=alert(1)>Maps<script>alert(1)</script>', { text: 'Maps' }],
    ['<style>p { color: red }</style><p onclick="x">Maps</p>', { text: 'Maps' }],
    ['Maps\u0000\u0007\ud800', { text: 'Maps \ufffd' }],
  ])('has no scripts, no other links and no control characters: %s', (html, expected) => {
    expect(parseAttribution(html)).toEqual(expected);
  });

  it('is absent if nothing readable remains', () => {
    expect(['', ' ', '<br>', '<script>a</script>', '&nbsp;'].map(parseAttribution)).toEqual(Array(5).fill(undefined));
  });

  it('has a limited length, also if tags are never closed', () => {
    const long = ['<', '<a href="', '<script>', '<script><', '&', '&#'].map((part) =>
      part.repeat(10_000 / part.length),
    );

    expect(long.every((each) => [...(parseAttribution(each)?.text ?? '')].length <= 1_000)).toBe(true);
  });

  it('never contains characters that XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const found = parseAttribution(`<a href="${text}">${text}</a>`);
        expect(found?.text ?? '').not.toMatch(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u);
        expect(found?.href ?? 'https://').toMatch(/^https?:\/\//);
      }),
    );
  });
});
