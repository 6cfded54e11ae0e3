import { describe, expect, it } from 'vitest';
import { listOffers, negotiateRead, negotiateWrite, parseAccept } from './negotiation.ts';

const all = ['xml', 'json', 'html'] as const;
const xmlFirst = listOffers(all, 'xml');
const jsonFirst = listOffers(all, 'json');

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const oldJava = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

describe('format of a read', () => {
  it.each([
    // The Accept header, then the result for a family that prefers XML and for one that prefers JSON.
    ['nothing', undefined, 'application/xml', 'application/json'],
    ['an empty header', '', 'application/xml', 'application/json'],
    ['*/*', '*/*', 'application/xml', 'application/json'],
    ['a bare star, as old Java clients send', '*', 'application/xml', 'application/json'],
    ['*/* with a low q', '*/*;q=0.1', 'application/xml', 'application/json'],
    ['application/xml', 'application/xml', 'application/xml', 'application/xml'],
    ['text/xml', 'text/xml', 'text/xml', 'text/xml'],
    ['application/json', 'application/json', 'application/json', 'application/json'],
    ['text/json', 'text/json', 'text/json', 'text/json'],
    ['text/html', 'text/html', 'text/html', 'text/html'],
    ['capital letters', 'Application/JSON', 'application/json', 'application/json'],
    ['an ignored charset', 'text/xml; charset=utf-8', 'text/xml', 'text/xml'],
    ['an ignored version', 'application/json;v=1;q=0.5', 'application/json', 'application/json'],
    ['two equal formats: the first', 'application/json, application/xml', 'application/json', 'application/json'],
    ['two equal formats: the first', 'text/html, application/json', 'text/html', 'text/html'],
    ['q-values', 'application/xml;q=0.5, application/json;q=0.9', 'application/json', 'application/json'],
    ['q-values with spaces', 'text/html ; q=0.1 , application/json ; q=0.2', 'application/json', 'application/json'],
    ['a q without a leading zero', 'text/html;q=.9, application/json;q=.2', 'text/html', 'text/html'],
    ['a q above one', 'application/json;q=7, application/xml', 'application/json', 'application/json'],
    ['an unknown type first', 'image/png, application/json;q=0.1', 'application/json', 'application/json'],
    ['application/*', 'application/*', 'application/xml', 'application/json'],
    ['text/*', 'text/*', 'text/xml', 'text/json'],
    ['a browser', browser, 'text/html', 'text/html'],
    ['a page script (axios)', 'application/json, text/plain, */*', 'application/json', 'application/json'],
    ['an old Java client', oldJava, 'text/html', 'text/html'],
    ['a named type beside */*', 'text/xml, */*', 'text/xml', 'text/xml'],
    ['a named type after */*', '*/*, application/json', 'application/json', 'application/json'],
    ['a type with a lower quality than the rest', 'application/xml;q=0.5, */*', 'application/json', 'application/json'],
    ['no XML', 'application/xml;q=0, */*', 'application/json', 'application/json'],
    ['no XML by its synonym', 'text/xml;q=0, */*', 'application/json', 'application/json'],
    ['no JSON', 'application/json;q=0, */*', 'application/xml', 'application/xml'],
    ['neither XML nor JSON', 'text/xml;q=0, text/json;q=0, */*', 'text/html', 'text/html'],
    ['stray commas', ', application/json,,', 'application/json', 'application/json'],
    ['only the format of errors', 'application/problem+json', 'application/xml', 'application/json'],
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
  ])('does not exist for %s: 406 with the available formats', (accept) => {
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
  ] as const)('follows the extension .%s regardless of Accept', (extension, mediaType) => {
    for (const accept of [undefined, '*/*', 'image/png', 'text/xml', 'application/json', 'text/html;q=1', '*/*;q=0']) {
      expect(negotiateRead(xmlFirst, extension, accept)).toEqual({ format: extension, mediaType });
    }
  });

  it('is never one that the family does not support', () => {
    const offers = listOffers(['json', 'xml'], 'html');

    expect(negotiateRead(offers, undefined, browser).format).toBe('xml');
    expect(offers.map((offer) => offer.format)).toEqual(['json', 'json', 'xml', 'xml']);
    expect(() => negotiateRead(offers, undefined, 'text/html')).toThrow(/application\/json/);
  });
});

describe('format of the response to a write', () => {
  it.each([
    ['the extension', 'json', 'text/xml', 'xml', 'json'],
    ['Accept', undefined, 'text/html', 'xml', 'html'],
    ['Accept, best first', undefined, 'text/html;q=0.1, application/json', 'xml', 'json'],
    ['the body, without Accept', undefined, undefined, 'json', 'json'],
    ['the body, if Accept is */*', undefined, '*/*', 'json', 'json'],
    ['the body, if Accept names no supported format', undefined, 'text/plain', 'json', 'json'],
    ['the default, without any information', undefined, undefined, undefined, 'xml'],
    ['the default, if nothing matches', undefined, 'image/png', undefined, 'xml'],
    ['the default, if every format is rejected', undefined, '*/*;q=0', undefined, 'xml'],
  ] as const)('follows %s', (_case, extension, accept, bodyFormat, expected) => {
    expect(negotiateWrite(xmlFirst, extension, accept, bodyFormat).format).toBe(expected);
  });
});

it('parses an Accept header into ranges', () => {
  expect(parseAccept('Text/HTML;Level=1;Q=0.4, */*;q=nonsense, application/json;q=-3')).toEqual([
    { type: 'text', subtype: 'html', quality: 0.4, position: 0 },
    { type: '*', subtype: '*', quality: 0, position: 1 },
    { type: 'application', subtype: 'json', quality: 0, position: 2 },
  ]);
});
