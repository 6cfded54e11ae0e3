import { describe, expect, it } from 'vitest';
import { listOffers, negotiateRead, negotiateWrite, parseAccept } from './negotiation.ts';

const all = ['xml', 'json', 'html'] as const;
const xmlFirst = listOffers(all, 'xml');
const jsonFirst = listOffers(all, 'json');

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const oldJava = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

describe('the format of a read', () => {
  it.each([
    // What the client says, what it gets from a family that prefers XML, and from one that prefers JSON.
    ['nothing', undefined, 'application/xml', 'application/json'],
    ['an empty header', '', 'application/xml', 'application/json'],
    ['*/*', '*/*', 'application/xml', 'application/json'],
    ['a bare star, as old Java does', '*', 'application/xml', 'application/json'],
    ['*/* with a low q', '*/*;q=0.1', 'application/xml', 'application/json'],
    ['application/xml', 'application/xml', 'application/xml', 'application/xml'],
    ['text/xml', 'text/xml', 'text/xml', 'text/xml'],
    ['application/json', 'application/json', 'application/json', 'application/json'],
    ['text/json', 'text/json', 'text/json', 'text/json'],
    ['text/html', 'text/html', 'text/html', 'text/html'],
    ['capital letters', 'Application/JSON', 'application/json', 'application/json'],
    ['a charset nobody looks at', 'text/xml; charset=utf-8', 'text/xml', 'text/xml'],
    ['a version nobody looks at', 'application/json;v=1;q=0.5', 'application/json', 'application/json'],
    ['two formats alike: the first', 'application/json, application/xml', 'application/json', 'application/json'],
    ['two formats alike: the first', 'text/html, application/json', 'text/html', 'text/html'],
    ['q-values', 'application/xml;q=0.5, application/json;q=0.9', 'application/json', 'application/json'],
    ['q-values with spaces', 'text/html ; q=0.1 , application/json ; q=0.2', 'application/json', 'application/json'],
    ['a q without a leading zero', 'text/html;q=.9, application/json;q=.2', 'text/html', 'text/html'],
    ['a q above one', 'application/json;q=7, application/xml', 'application/json', 'application/json'],
    ['something unknown first', 'image/png, application/json;q=0.1', 'application/json', 'application/json'],
    ['application/*', 'application/*', 'application/xml', 'application/json'],
    ['text/*', 'text/*', 'text/xml', 'text/json'],
    ['a browser', browser, 'text/html', 'text/html'],
    ['a page script (axios)', 'application/json, text/plain, */*', 'application/json', 'application/json'],
    ['an old Java client', oldJava, 'text/html', 'text/html'],
    ['a named type beside */*', 'text/xml, */*', 'text/xml', 'text/xml'],
    ['a named type beside */*, the other way round', '*/*, application/json', 'application/json', 'application/json'],
    ['a type that is liked less than the rest', 'application/xml;q=0.5, */*', 'application/json', 'application/json'],
    ['no XML', 'application/xml;q=0, */*', 'application/json', 'application/json'],
    ['no XML by its other name', 'text/xml;q=0, */*', 'application/json', 'application/json'],
    ['no JSON', 'application/json;q=0, */*', 'application/xml', 'application/xml'],
    ['neither XML nor JSON', 'text/xml;q=0, text/json;q=0, */*', 'text/html', 'text/html'],
    ['stray commas', ', application/json,,', 'application/json', 'application/json'],
    ['nothing but the format of errors', 'application/problem+json', 'application/xml', 'application/json'],
    ['errors and JSON', 'application/problem+json, application/json;q=0.5', 'application/json', 'application/json'],
  ])('for %s (%s) is %s, or %s', (_case, accept, fromXmlFamily, fromJsonFamily) => {
    expect(negotiateRead(xmlFirst, undefined, accept).mediaType).toBe(fromXmlFamily);
    expect(negotiateRead(jsonFirst, undefined, accept).mediaType).toBe(fromJsonFamily);
  });

  it.each([
    ['image/png'],
    ['text/plain'],
    ['application/xml;q=0'],
    ['*/*;q=0'],
    ['*/*;q=0.0, text/plain'],
    ['application/problem+json;q=0'],
    ['xml'],
    ['application/json;q=nonsense'],
  ])('does not exist for %s: 406, with what there is', (accept) => {
    expect(() => negotiateRead(xmlFirst, undefined, accept)).toThrow(
      expect.objectContaining({
        code: 'not-acceptable',
        status: 406,
        message: `This resource is not available as '${accept}'. Available formats: application/xml, text/xml, application/json, text/json, text/html.`,
      }),
    );
  });

  it.each([
    ['xml', 'application/xml'],
    ['json', 'application/json'],
    ['html', 'text/html'],
  ] as const)('follows the extension .%s whatever Accept says', (extension, mediaType) => {
    for (const accept of [undefined, '*/*', 'image/png', 'text/xml', 'application/json', 'text/html;q=1', '*/*;q=0']) {
      expect(negotiateRead(xmlFirst, extension, accept)).toEqual({ format: extension, mediaType });
    }
  });

  it('is never one that the family does not have', () => {
    const offers = listOffers(['json', 'xml'], 'html');

    expect(negotiateRead(offers, undefined, browser).format).toBe('xml');
    expect(offers.map((offer) => offer.format)).toEqual(['json', 'json', 'xml', 'xml']);
    expect(() => negotiateRead(offers, undefined, 'text/html')).toThrow(/application\/json/);
  });
});

describe('the format of a reply to a write', () => {
  it.each([
    ['the extension', 'json', 'text/xml', 'xml', 'json'],
    ['Accept', undefined, 'text/html', 'xml', 'html'],
    ['Accept, best first', undefined, 'text/html;q=0.1, application/json', 'xml', 'json'],
    ['the body, when Accept says nothing', undefined, undefined, 'json', 'json'],
    ['the body, when Accept says */*', undefined, '*/*', 'json', 'json'],
    ['the body, when Accept names nothing we have', undefined, 'text/plain', 'json', 'json'],
    ['the default, when nothing else is said', undefined, undefined, undefined, 'xml'],
    ['the default, when nothing fits', undefined, 'image/png', undefined, 'xml'],
    ['the default, when everything is refused', undefined, '*/*;q=0', undefined, 'xml'],
  ] as const)('follows %s', (_case, extension, accept, bodyFormat, expected) => {
    expect(negotiateWrite(xmlFirst, extension, accept, bodyFormat).format).toBe(expected);
  });
});

it('reads an Accept header into ranges', () => {
  expect(parseAccept('Text/HTML;Level=1;Q=0.4, */*;q=nonsense, application/json;q=-3')).toEqual([
    { type: 'text', subtype: 'html', quality: 0.4, position: 0 },
    { type: '*', subtype: '*', quality: 0, position: 1 },
    { type: 'application', subtype: 'json', quality: 0, position: 2 },
  ]);
});
