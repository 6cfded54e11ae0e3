import { describe, expect, test } from 'vitest';
import { readXml } from './reader.ts';

const limits = { maxDepth: 100, maxNodes: 10_000 };
const tooDeep = expect.objectContaining({ code: 'document-too-deep', status: 400 });
const tooBusy = expect.objectContaining({ code: 'document-too-busy', status: 400 });

describe('XML limits', () => {
  test('accepts documents up to the depth limit', () => {
    const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

    expect(readXml(nested(100), limits).name).toBe('a');
    expect(() => readXml(nested(101), limits)).toThrow(tooDeep);
  });

  test('accepts documents up to the node limit, including attributes', () => {
    const wide = (elements: number): string => `<a>${'<b c="1"/>'.repeat(elements)}</a>`;

    expect(readXml(wide(4_999), limits).children).toHaveLength(4_999);
    expect(() => readXml(wide(5_000), limits)).toThrow(tooBusy);
  });

  test('rejects more than 10,000 attributes of one element regardless of the node limit', () => {
    const generous = { maxDepth: 100, maxNodes: 1_000_000 };

    expect(readXml(`<a ${attributes(10_000)}><b ${attributes(10_000)}/></a>`, generous).attributes).toHaveLength(
      10_000,
    );
    expect(() => readXml(`<a ${attributes(10_001)}/>`, generous)).toThrow(tooBusy);
  });

  test('rejects a document as soon as a limit is exceeded', () => {
    const malformedBehind = '<<<';

    expect(() => readXml('<a>'.repeat(101) + malformedBehind, limits)).toThrow(tooDeep);
    expect(() => readXml(`<a>${'<b/>'.repeat(10_000)}${malformedBehind}`, limits)).toThrow(tooBusy);
    expect(() => readXml(`<a ${attributes(10_001)} ${malformedBehind}`, limits)).toThrow(tooBusy);
  });

  test('rejects a million nested elements', () => {
    expect(() => readXml('<a>'.repeat(1_000_000), limits)).toThrow(tooDeep);
  });

  test('rejects 200,000 attributes of one element', () => {
    expect(() => readXml(`<a ${attributes(200_000)}/>`, limits)).toThrow(tooBusy);
  });

  test('rejects 200,000 namespace declarations of one element', () => {
    expect(() => readXml(`<a ${attributes(200_000, 'xmlns:')}/>`, limits)).toThrow(tooBusy);
  });

  test('reads ten megabytes of text', () => {
    const text = 'x'.repeat(10_000_000);

    const [child] = readXml(`<a>${text}</a>`, limits).children;

    expect(child?.kind === 'text' && child.text.length).toBe(10_000_000);
  });

  test('rejects ten megabytes after a bare ampersand', () => {
    expect(() => readXml(`<a>&${'x'.repeat(10_000_000)}</a>`, limits)).toThrow(/this '&' does not begin an entity/);
  });

  test('rejects an entity expansion attack (billion laughs)', () => {
    const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    const text = `<!DOCTYPE lolz [<!ENTITY l0 "lol">${entities}]><lolz>&l9;</lolz>`;

    expect(() => readXml(text, limits)).toThrow(expect.objectContaining({ code: 'xml-doctype' }));
  });
});

function attributes(count: number, prefix = ''): string {
  return Array.from({ length: count }, (_, i) => `${prefix}a${i}="x"`).join(' ');
}
