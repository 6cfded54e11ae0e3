import { describe, expect, test } from 'vitest';
import { expandInternalEntities } from './internal-entities.ts';

const expand = (declarations: string, body: string): string =>
  expandInternalEntities(`<!DOCTYPE a [${declarations}]>${body}`).text.trim();

describe('internal entities', () => {
  test('are replaced in text and attributes, with nested ones', () => {
    const declarations = `<!ENTITY water "95C5DD"> <!-- a comment --> <!ENTITY fill '#&water;'>`;

    expect(expand(declarations, '<a b="&fill;">#&water;</a>')).toBe('<a b="#95C5DD">#95C5DD</a>');
  });

  test('leave lines and the columns before the first entity unchanged', () => {
    const text = '<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY b "c\nd">\n]>\n<a>&b;</a>';

    const { text: expanded, doctypeOffset } = expandInternalEntities(text);

    expect(expanded.split('\n')).toHaveLength(text.split('\n').length);
    expect(expanded.split('\n').at(-1)).toBe('<a>c d</a>');
    expect(doctypeOffset).toBe(22);
  });

  test('may contain elements', () => {
    expect(expand('<!ENTITY b "<c d=\'e\'/>">', '<a>&b;</a>')).toBe("<a><c d='e'/></a>");
  });

  test('cannot end an attribute', () => {
    expect(expand(`<!ENTITY b '" c="'>`, '<a b="&b;"/>')).toBe('<a b="&quot; c=&quot;"/>');
  });

  test('are text in comments and CDATA sections', () => {
    const body = '<a><!-- &b; --><![CDATA[&b;]]>&lt;&amp;&#65;&unknown;</a>';

    expect(expand('<!ENTITY b "c">', body)).toBe(body);
  });

  test('are absent in a document without a DOCTYPE', () => {
    expect(expandInternalEntities('<a>&b;</a>')).toEqual({ text: '<a>&b;</a>' });
  });

  test.each([
    ['an external DTD', '<!DOCTYPE a SYSTEM "http://localhost/a.dtd"><a/>'],
    ['a public DTD', '<!DOCTYPE a PUBLIC "-//A" "a.dtd" [<!ENTITY b "c">]><a/>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % b "<!ENTITY c \'d\'>"> %b;]><a/>'],
    ['a reference to a parameter entity', '<!DOCTYPE a [<!ENTITY b "%c;">]><a/>'],
    ['an element declaration', '<!DOCTYPE a [<!ELEMENT a ANY>]><a/>'],
    ['an incomplete declaration', '<!DOCTYPE a [<!ENTITY b "c"'],
    ['too many entities', `<!DOCTYPE a [${manyEntities()}]><a/>`],
  ])('are rejected with %s', (_, text) => {
    expect(() => expandInternalEntities(text)).toThrow(expect.objectContaining({ code: 'xml-doctype' }));
  });

  test('are rejected if they are nested too deeply or refer to themselves', () => {
    expect(() => expand('<!ENTITY b "&c;"><!ENTITY c "&b;">', '<a>&b;</a>')).toThrow(/nested deeper than 8 levels/);
    const chain = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at} "&e${at + 1};">`).join('');
    expect(() => expand(`${chain}<!ENTITY e9 "x">`, '<a>&e0;</a>')).toThrow(/nested deeper than 8 levels/);
  });

  test('are rejected quickly if they expand to more than a megabyte', () => {
    const laughs = Array.from({ length: 7 }, (_, at) => `<!ENTITY e${at} "${`&e${at + 1};`.repeat(30)}">`).join('');
    const start = performance.now();

    expect(() => expand(`${laughs}<!ENTITY e7 "haha">`, '<a>&e0;</a>')).toThrow(/more than 1048576 characters/);
    // Many references to one long entity.
    expect(() => expand(`<!ENTITY b "${'x'.repeat(50_000)}">`, `<a>${'&b;'.repeat(50_000)}</a>`)).toThrow(
      /more than 1048576 characters/,
    );
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

function manyEntities(): string {
  return Array.from({ length: 10_010 }, (_, at) => `<!ENTITY e${at} "x">`).join('');
}
