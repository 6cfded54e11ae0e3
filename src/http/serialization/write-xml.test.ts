import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { inputFromXml } from '../../../test/support/input.ts';
import { compat, ours, type SampleName, samples } from '../../../test/support/output-samples.ts';
import { writeXml } from './write-xml.ts';

function link(href: string, type = 'application/xml'): string {
  return `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="alternate" href="http://host/rest/${href}" type="${type}"/>`;
}

function listing(items: readonly (readonly [name: string, href: string])[], type: string): string {
  const lines = items.map(
    ([name, href]) => `  <thing>\n    <name>${name}</name>\n    ${link(href, type)}\n  </thing>\n`,
  );
  return `<things>\n${lines.join('')}</things>\n`;
}

/** The XML of each sample; if the dialects differ, ours and the reference server's. */
const golden: Readonly<Record<SampleName, string | readonly [ours: string, compat: string]>> = {
  values: `<thing>
  <text>plain</text>
  <empty></empty>
  <number>1.5</number>
  <flag>false</flag>
  <looksLikeNumber>5432</looksLikeNumber>
</thing>
`,
  markup: `<thing>
  <text>&lt;b a="1"&gt;'&amp;' ]]&gt;\ufffd&lt;/b&gt;</text>
</thing>
`,
  whitespace: '<thing>\n  <text> a\tb&#13;\nc </text>\n</thing>\n',
  underscore: '<thing>\n  <__default>true</__default>\n</thing>\n',
  emptyObject: '<thing/>\n',
  attributes: '<thing key="a &quot;&lt;&amp;&gt;&quot;" other=""/>\n',
  attributesAndText: '<thing key="port">5432</thing>\n',
  attributesAndMembers: '<thing class="dataStore">\n  <name>ws:roads</name>\n</thing>\n',
  reference: `<thing>
  <workspace>
    <name>a b</name>
    ${link('things/a%20b.xml')}
  </workspace>
</thing>
`,
  collectionLink: `<thing>
  <dataStores>
    ${link('workspaces/%C3%BC%26/datastores.xml')}
  </dataStores>
</thing>
`,
  listingOfNone: '<things/>\n',
  listingOfOne: [
    listing([['one', 'things/one.xml']], 'application/xml'),
    listing([['one', 'things/one.xml']], 'application/atom+xml'),
  ],
  listingOfTwo: [
    listing(
      [
        ['one', 'things/one.xml'],
        ['two', 'things/two.xml'],
      ],
      'application/xml',
    ),
    listing(
      [
        ['one', 'things/one.xml'],
        ['two', 'things/two.xml'],
      ],
      'application/atom+xml',
    ),
  ],
  listingOfTwins: [twins('application/xml'), twins('application/atom+xml')],
  nestedListOfNone: '<thing>\n  <keywords/>\n</thing>\n',
  nestedListOfOne: '<thing>\n  <keywords>\n    <string>a</string>\n  </keywords>\n</thing>\n',
  nestedListOfTwo: '<thing>\n  <keywords>\n    <string>a</string>\n    <string>b</string>\n  </keywords>\n</thing>\n',
  mapOfOne: '<thing>\n  <metadata>\n    <entry key="a&quot;b">1&lt;2</entry>\n  </metadata>\n</thing>\n',
  mapOfTwo: `<thing>
  <metadata>
    <entry key="port">5432</entry>
    <entry key="__proto__">x</entry>
  </metadata>
</thing>
`,
  sequence: `<thing>
  <first>a</first>
  <second>
    <name>b</name>
    ${link('things/b.xml')}
  </second>
</thing>
`,
  jsonWithoutRoot: '<thing>unused</thing>\n',
  jsonWithAnotherRoot: '<thing/>\n',
};

/** Four names, of which three equal the first one plus an extension: the first is linked with a slash. */
function twins(type: string): string {
  const items = ['a.html', 'a.json', 'a.xml'].map((name) => [name, `things/${name}.xml`] as const);
  return listing([['a', 'things/a/.xml'], ...items], type);
}

describe('XML', () => {
  it.each(Object.keys(golden) as SampleName[])('serializes %s', (name) => {
    const expected = golden[name];
    const [our, their] = typeof expected === 'string' ? [expected, expected] : expected;

    expect(writeXml(samples[name], ours)).toBe(our);
    expect(writeXml(samples[name], compat)).toBe(their);
  });

  it('preserves any text that XML allows', () => {
    const text = fc
      .string({ unit: codePoint })
      .filter((each) => !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(each));

    fc.assert(
      fc.property(text, text, (value, key) => {
        const xml = writeXml({ root: 'a', title: '', node: { kind: 'map', entries: [[key, value]] } }, ours);
        const entry = inputFromXml(xml, { maxDepth: 5, maxNodes: 10 }).members.get('a')?.[0]?.members.get('entry')?.[0];

        expect([entry?.attributes.get('key'), entry?.text]).toEqual([key, value]);
      }),
    );
  });
});
