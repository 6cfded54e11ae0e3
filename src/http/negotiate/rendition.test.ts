import { describe, expect, it } from 'vitest';
import type { Rendition } from '../routes/route.ts';
import { addRenditionOffers, findDocumentFormat, listOffers, negotiateRead } from './negotiation.ts';

const renditions: readonly Rendition[] = [
  { name: 'tar', extension: 'tar', mediaTypes: ['application/x-tar'] },
  { name: 'older', mediaTypes: ['application/x-map'], version: '1.0.0' },
  { name: 'newer', mediaTypes: ['application/x-chart', 'application/x-map'], version: '1.1.0' },
  { name: 'picture', mediaTypes: ['image/png'], isNamedBy: (type) => /^image\/vnd\.\w+\.png$/.test(type) },
];
const documents = listOffers(['xml', 'json'], 'json');

function chosen(accept?: string, extension?: string): string {
  return negotiateRead(addRenditionOffers(documents, renditions, accept), extension, accept).format;
}

describe('renditions of a resource', () => {
  it.each([
    [undefined, undefined, 'json'],
    ['*/*', undefined, 'json'],
    ['image/png', undefined, 'picture'],
    ['image/*', undefined, 'picture'],
    ['image/vnd.acme.png', undefined, 'picture'],
    ['image/png;q=0.1, application/xml', undefined, 'xml'],
    ['application/x-map', undefined, 'older'],
    ['application/x-map;version=1.0.0', undefined, 'older'],
    ['application/x-map;version=1.1.0', undefined, 'newer'],
    ['application/x-map; Version = "1.1"', undefined, 'newer'],
    ["application/x-map;q=0.9;version='1.1.0'", undefined, 'newer'],
    ['application/x-chart', undefined, 'newer'],
    ['application/x-chart;version=1.1.0', undefined, 'newer'],
    ['application/x-map;version=1.1.0;q=0.5, application/x-map;version=1.0.0;q=0.6', undefined, 'older'],
    ['application/x-map;version=1.1.0, application/x-map;version=1.0.0;q=0.6', undefined, 'newer'],
    ['application/x-map;version=2.0.0, application/x-map;version=1.1.0;q=0.1', undefined, 'newer'],
    ['application/x-map;version=2.0.0, application/json;q=0.1', undefined, 'json'],
    ['application/x-map;version=1.0.0;q=0, application/x-map', undefined, 'newer'],
    ['image/png;version=7', undefined, 'picture'],
    ['application/xml', 'tar', 'tar'],
    ['image/png', 'xml', 'xml'],
  ])('are chosen by Accept %s and extension %s: %s', (accept, extension, expected) => {
    expect(chosen(accept, extension)).toBe(expected);
  });

  it('return 406 for an unknown type or an unsupported version', () => {
    expect(() => chosen('image/vnd.acme.jpg')).toThrow('image/png');
    expect(() => chosen('application/x-map;version=2.0.0')).toThrow('application/x-map;version=1.1.0');
    expect(() => chosen('application/x-chart;version=1.0.0')).toThrow('application/x-chart;version=1.1.0');
  });

  it('are distinguished from documents by name', () => {
    expect(['xml', 'tar', 'constructor', undefined].map(findDocumentFormat)).toEqual([
      'xml',
      ...Array(3).fill(undefined),
    ]);
  });
});
