import { describe, expect, test } from 'vitest';
import { Problem } from '../problems/problem.ts';
import { readXml } from './reader.ts';

const limits = { maxDepth: 50, maxNodes: 1000 };

describe('XML reader', () => {
  test('keeps names, namespaces, attributes, mixed content and the positions of tags', () => {
    const text = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<sld:Rule xmlns:sld="http://www.opengis.net/sld" xmlns="urn:default">',
      '  <Title xml:lang="en">Roads &amp; <b>rail</b>ways</Title>',
      '  <sld:Mark sld:size="1"',
      '    shape="x"/></sld:Rule>',
    ].join('\n');

    expect(readXml(text, limits)).toEqual({
      kind: 'element',
      name: 'sld:Rule',
      local: 'Rule',
      uri: 'http://www.opengis.net/sld',
      attributes: [
        {
          name: 'xmlns:sld',
          local: 'sld',
          uri: 'http://www.w3.org/2000/xmlns/',
          value: 'http://www.opengis.net/sld',
        },
        { name: 'xmlns', local: 'xmlns', uri: 'http://www.w3.org/2000/xmlns/', value: 'urn:default' },
      ],
      line: 2,
      column: 1,
      children: [
        { kind: 'text', text: '\n  ' },
        {
          kind: 'element',
          name: 'Title',
          local: 'Title',
          uri: 'urn:default',
          attributes: [{ name: 'xml:lang', local: 'lang', uri: 'http://www.w3.org/XML/1998/namespace', value: 'en' }],
          line: 3,
          column: 3,
          children: [
            { kind: 'text', text: 'Roads & ' },
            {
              kind: 'element',
              name: 'b',
              local: 'b',
              uri: 'urn:default',
              attributes: [],
              line: 3,
              column: 36,
              children: [{ kind: 'text', text: 'rail' }],
            },
            { kind: 'text', text: 'ways' },
          ],
        },
        { kind: 'text', text: '\n  ' },
        {
          kind: 'element',
          name: 'sld:Mark',
          local: 'Mark',
          uri: 'http://www.opengis.net/sld',
          attributes: [
            { name: 'sld:size', local: 'size', uri: 'http://www.opengis.net/sld', value: '1' },
            { name: 'shape', local: 'shape', uri: '', value: 'x' },
          ],
          line: 4,
          column: 3,
          children: [],
        },
      ],
    });
  });

  test.each([
    ['CDATA as text', '<a>x<![CDATA[<b>&amp;]]>y</a>', 'x<b>&amp;y'],
    ['comments, which are omitted', '<a>x<!-- no -->y</a>', 'xy'],
    ['processing instructions, which are omitted', '<a>x<?xml-stylesheet href="http://example.org/x.xsl"?>y</a>', 'xy'],
    ['character references', '<a>&#233;&#x20AC;&#x1F600;</a>', 'é€😀'],
    ['the five entities', '<a>&lt;&gt;&amp;&quot;&apos;</a>', '<>&"\''],
    ['line ends, which become line feeds', '<a>1\r\n2\r3\n4</a>', '1\n2\n3\n4'],
    ['whitespace, which is kept', '<a>  x  </a>', '  x  '],
    ['a byte order mark, which is skipped', '\uFEFF<a>x</a>', 'x'],
    ['comments and instructions around the root', '<?p?><!-- x --> <a>x</a> <!-- y --><?p?>', 'x'],
    ['a declaration of XML 1.1', '<?xml version="1.1"?><a>x</a>', 'x'],
    ['a declaration of another encoding', '<?xml version="1.0" encoding="UTF-16" standalone="yes"?><a>x</a>', 'x'],
    ['a DOCTYPE within CDATA as text', '<a><![CDATA[<!DOCTYPE a>]]></a>', '<!DOCTYPE a>'],
  ])('handles %s', (_rule, text, content) => {
    expect(readXml(text, limits).children).toEqual([{ kind: 'text', text: content }]);
  });

  test('treats names such as __proto__ as ordinary names', () => {
    const root = readXml('<__proto__ constructor="1" __proto__="2"/>', limits);

    expect(root.name).toBe('__proto__');
    expect(root.attributes.map(({ name, value }) => [name, value])).toEqual([
      ['constructor', '1'],
      ['__proto__', '2'],
    ]);
  });

  test('treats XInclude and schema locations as content and fetches nothing', () => {
    const text =
      '<a xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
      'xsi:schemaLocation="urn:x http://127.0.0.1:9/x.xsd"><xi:include href="file:///etc/passwd"/></a>';

    expect(readXml(text, limits).children).toMatchObject([{ name: 'xi:include', children: [] }]);
  });
});

describe('XML with a DOCTYPE', () => {
  test.each([
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;]><a/>'],
    ['a DOCTYPE without a subset', '<!DOCTYPE html><html/>'],
    ['a DOCTYPE after the XML declaration', '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE a SYSTEM "a.dtd"><a/>'],
    ['an unfinished DOCTYPE', '<!DOCTYPE a ['],
    ['a DOCTYPE inside the root', '<a><!DOCTYPE a></a>'],
    ['a DOCTYPE after the root', '<a/><!DOCTYPE a>'],
  ])('is rejected: %s', (_kind, text) => {
    expect(() => readXml(text, limits)).toThrow(expect.objectContaining({ code: 'xml-doctype', status: 400 }));
  });
});

describe('malformed XML', () => {
  test.each([
    ['', '1:1 the root element is missing or incomplete'],
    [' \n ', '2:1 the root element is missing or incomplete'],
    ['<!-- x -->', '1:10 the root element is missing or incomplete'],
    ['<a', '1:2 the root element is missing or incomplete'],
    ['<a>\n  <b>\n  text', "3:7 the element 'b' that begins at line 2 is never closed"],
    ['<a><!-- ', "1:9 the element 'a' that begins at line 1 is never closed"],
    ['<a>\n<b></a>', "2:4 '</a>' was found where '</b>' was expected"],
    ['<a></a></a>', "1:8 '</a>' closes no open element"],
    ['<a></>', '1:4 this end tag has no name'],
    ['<a></a b>', "1:8 the end tag must be closed with '>' here"],
    ['<a></a\t!>', "1:8 the end tag must be closed with '>' here"],
    ['<a/><b/>', '1:5 a second root element begins here'],
    ['{"workspace":{"name":"x"}}', '1:1 there is text outside the root element'],
    ['<a/>\n  text', '2:3 there is text outside the root element'],
    ['<a/><![CDATA[x]]>', '1:5 there is text outside the root element'],
    ['<a/><!-- ', '1:9 the document ends inside a tag, a comment or an instruction'],
    ['<a>\n<b>Tom & Jerry</b></a>', "2:8 this '&' does not begin an entity; write &amp; for the character"],
    ['<a><b>x&y</b><c>&lt;</c></a>', "1:8 this '&' does not begin an entity; write &amp; for the character"],
    ['<a><b url="?x=1&y=2"/></a>', "1:16 this '&' does not begin an entity; write &amp; for the character"],
    ['<a>&lt;&;</a>', "1:8 this '&' does not begin an entity; write &amp; for the character"],
    ['<a>&nbsp;</a>', "1:4 the entity '&nbsp;' is not defined; DTDs are not supported"],
    ['<a>&constructor;</a>', "1:4 the entity '&constructor;' is not defined; DTDs are not supported"],
    ['<a>&#0;</a>', '1:4 this character reference names a character that XML does not allow'],
    ['<a>&#xD800;</a>', '1:4 this character reference names a character that XML does not allow'],
    ['<a b="1" b="2"/>', "1:1 the attribute 'b' is given twice"],
    ['<a xmlns:p="u" xmlns:q="u"><b p:x="" q:x=""/></a>', "1:28 the attribute 'x' is given twice"],
    ['<p:a/>', "1:1 the namespace prefix 'p' is not declared"],
    ['<a><b entity:x=""/></a>', "1:4 the namespace prefix 'entity' is not declared"],
    ['<a:b:c xmlns:a="u"/>', "1:1 'a:b:c' is not a name with one prefix"],
    ['<a xmlns:p=""/>', '1:1 this declaration of a prefix or namespace is not allowed'],
    ['<a xmlns:xml="u"/>', '1:1 this declaration of a prefix or namespace is not allowed'],
    ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', '1:1 this declaration of a prefix or namespace is not allowed'],
    [
      '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>',
      '1:1 this declaration of a prefix or namespace is not allowed',
    ],
    ['<xmlns:a/>', '1:1 this declaration of a prefix or namespace is not allowed'],
    ['<a>1 < 2</a>', "1:6 this '<' does not begin a tag; write &lt; for the character"],
    ['<a!/>', '1:3 this character is not allowed in the name of an element'],
    ['<a b/>', '1:5 an attribute or the end of the tag was expected here'],
    ['<a b>', '1:5 this attribute has no value'],
    ['<a b c="1"/>', '1:6 this attribute has no value'],
    ['<a b=c/>', '1:6 the value of an attribute must be quoted'],
    ['<a b="1"c="2"/>', '1:9 there must be a space between two attributes'],
    ['<a b="<"/>', '1:7 this character is not allowed here'],
    ['<a / >', "1:5 a '/' in a start tag must be followed by '>'"],
    ['<a>\u0001</a>', '1:4 this character is not allowed here'],
    ['<?xml version="1.1"?><a>&#1;</a>', '1:25 this character reference names a character that XML does not allow'],
    ['<a>\uFFFF</a>', '1:4 this character is not allowed here'],
    ['<a>\uD800<b></a>', '1:4 an unpaired surrogate is not allowed'],
    ['<a>😀]]></a>', "1:7 ']]>' must be written ]]&gt; in text"],
    ['<a><!-- -- --></a>', "1:11 a comment cannot contain '--'"],
    ['<!doctype a><a/>', "1:1 '<!' begins neither a comment nor a CDATA section"],
    ['<a><? x?></a>', '1:6 this processing instruction has no valid name'],
    ['<a><?1?></a>', '1:6 this processing instruction has no valid name'],
    [' <?xml version="1.0"?><a/>', '1:7 the XML declaration must be at the start of the document'],
    ['<a><?XML x?></a>', '1:12 the XML declaration must be at the start of the document'],
    ['<?xml?><a/>', '1:7 the XML declaration is not valid'],
    ['<?xml ver="1.0"?><a/>', '1:10 the XML declaration is not valid'],
    ['<?xml version="2"?><a/>', '1:17 the XML declaration is not valid'],
    ['<?xml version=1.0?><a/>', '1:15 the XML declaration is not valid'],
    ['<?xml version="1.0" encoding=""?><a/>', '1:31 the XML declaration is not valid'],
    ['<?xml version="1.0" standalone="maybe"?><a/>', '1:38 the XML declaration is not valid'],
    ['<?xml version="1.0"encoding="x"?><a/>', '1:20 the XML declaration is not valid'],
  ])('rejects %j with a position and a reason: %s', (text, complaint) => {
    expect(complaintAbout(text)).toBe(complaint);
  });

  test('truncates a name of a megabyte in the reason', () => {
    const name = 'x'.repeat(1_000_000);

    expect(complaintAbout(`<${name}></y>`)).toBe(
      `1:1000003 '</y>' was found where '</${'x'.repeat(40)}…>' was expected`,
    );
  });
});

describe('text from CDATA', () => {
  test.each([
    [
      '<a>x<![CDATA[ y ]]>z<![CDATA[w]]></a>',
      {
        kind: 'text',
        text: 'x y zw',
        cdata: [
          [1, 4],
          [5, 6],
        ],
      },
    ],
    ['<a><![CDATA[]]>x</a>', { kind: 'text', text: 'x', cdata: [[0, 0]] }],
    ['<a>x</a>', { kind: 'text', text: 'x' }],
  ])('is marked in %s with markCdata', (text, node) => {
    expect(readXml(text, limits, { markCdata: true }).children).toEqual([node]);
  });

  test('is not marked without markCdata, nor beyond its own range', () => {
    expect(readXml('<a><![CDATA[x]]></a>', limits).children).toEqual([{ kind: 'text', text: 'x' }]);
    expect(readXml('<a><b><![CDATA[]]></b>x</a>', limits, { markCdata: true }).children).toMatchObject([
      { children: [] },
      { text: 'x' },
    ]);
  });
});

function complaintAbout(text: string): string {
  try {
    readXml(text, limits);
  } catch (error) {
    if (error instanceof Problem && error.code === 'xml-malformed') {
      const { line, column, reason } = error.details;
      return `${line}:${column} ${reason}`;
    }
    throw error;
  }
  return 'none';
}
