import { describe, expect, it } from 'vitest';
import { negotiateRead, offersOf } from './negotiation.ts';
import { documentFormat, type Rendition, withRenditions } from './rendition.ts';

const renditions: readonly Rendition[] = [
  { name: 'tar', extension: 'tar', mediaTypes: ['application/x-tar'] },
  { name: 'picture', mediaTypes: ['image/png'], isNamedBy: (type) => /^image\/vnd\.\w+\.png$/.test(type) },
];
const documents = offersOf(['xml', 'json'], 'json');

function chosen(accept?: string, extension?: string): string {
  return negotiateRead(withRenditions(documents, renditions, accept), extension, accept).format;
}

describe('what can also be had as a file', () => {
  it.each([
    [undefined, undefined, 'json'],
    ['*/*', undefined, 'json'],
    ['image/png', undefined, 'picture'],
    ['image/*', undefined, 'picture'],
    ['image/vnd.acme.png', undefined, 'picture'],
    ['image/png;q=0.1, application/xml', undefined, 'xml'],
    ['application/xml', 'tar', 'tar'],
    ['image/png', 'xml', 'xml'],
  ])('with Accept %s and the extension %s comes as %s', (accept, extension, expected) => {
    expect(chosen(accept, extension)).toBe(expected);
  });

  it('is refused in what nobody offers', () => {
    expect(() => chosen('image/vnd.acme.jpg')).toThrow('image/png');
  });

  it('is told from documents by name', () => {
    expect(['xml', 'tar', 'constructor', undefined].map(documentFormat)).toEqual(['xml', ...Array(3).fill(undefined)]);
  });
});
