import { describe, expect, test } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { Expression, TextSymbolizer } from '../model/model.ts';
import { readSld } from './reader.ts';

const joined = (...parts: readonly Expression[]): Expression => ({ kind: 'concatenation', parts });

function documentOf(rule: string, root = 'version="1.0.0" xmlns="http://www.opengis.net/sld"'): string {
  return `<StyledLayerDescriptor ${root} xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>a</Name><UserStyle>
<FeatureTypeStyle><Rule>${rule}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}

function labelOf(content: string): Expression | undefined {
  return textOf(`<Label>${content}</Label>`).label;
}

function textOf(content: string): TextSymbolizer {
  const { model } = readSld(documentOf(`<TextSymbolizer>${content}</TextSymbolizer>`));
  const [style] = model.layers[0]?.styles ?? [];
  const found = style?.kind === 'userStyle' ? style.featureTypeStyles[0]?.rules[0]?.symbolizers[0] : undefined;
  if (found?.kind !== 'textSymbolizer') throw new Error('The text symbolizer is missing.');
  return found;
}

describe('label', () => {
  const a = '<ogc:PropertyName>a</ogc:PropertyName>';
  const b = '<ogc:PropertyName> b </ogc:PropertyName>';

  test.each([
    ['text', 'Hello', createLiteral('Hello')],
    ['nothing', '', createLiteral('')],
    ['text on separate lines', '\n  Good\n   day\n', createLiteral('Good day')],
    ['a no-break space', '\u00A0', createLiteral('\u00A0')],
    ['one expression', `\n ${a}\n`, property('a')],
    ['expressions side by side', `${a}${b}`, joined(property('a'), property('b'))],
    ['expressions on two lines', `\n ${a}\n ${b}\n`, joined(property('a'), createLiteral(' '), property('b'))],
    [
      'text around an expression',
      ` No. ${a} (m) `,
      joined(createLiteral('No. '), property('a'), createLiteral(' (m)')),
    ],
    ['a line end in CDATA', `${a}<![CDATA[\n]]>${b}`, joined(property('a'), createLiteral('\n'), property('b'))],
    ['spaces at the borders of CDATA', '<![CDATA[  x ]]>', createLiteral('  x ')],
    ['CDATA beside text', ' a <![CDATA[ b ]]> c ', createLiteral('a  b  c')],
    ['a literal beside text', '<ogc:Literal>x </ogc:Literal>y', createLiteral('x y')],
    ['a comment', 'a<!-- not this -->b', createLiteral('ab')],
  ])('is read with %s', (_, content, expected) => {
    expect(labelOf(content)).toEqual(expected);
  });
});

describe('literal', () => {
  test.each([
    ['spaces', ', ', ', '],
    ['indentation removed', '\n    five\n  ', 'five'],
    ['inner line ends', '\n  a\n  b\n', 'a\n  b'],
    ['a single line end', '\n', '\n'],
    ['everything in CDATA', '<![CDATA[\n  a\n]]>', '\n  a\n'],
    ['everything in CDATA, without the indentation around it', '\n  <![CDATA[ a ]]>\n ', ' a '],
    ['nothing', '', ''],
  ])('is read with %s', (_, content, expected) => {
    const label = labelOf(`<ogc:Function name="f"><ogc:Literal>${content}</ogc:Literal></ogc:Function>`);

    expect(label).toEqual({ kind: 'function', name: 'f', arguments: [createLiteral(expected)] });
  });
});

describe('parameter', () => {
  test.each([
    ['white space around it', '\n  #FF0000 ', createLiteral('#FF0000')],
    ['a literal element', '\n  <ogc:Literal>#FF0000</ogc:Literal>\n', createLiteral('#FF0000')],
    [
      'text before an expression',
      '\n #<ogc:PropertyName>c</ogc:PropertyName>\n ',
      joined(createLiteral('#'), property('c')),
    ],
    ['a short colour', '#f00', createLiteral('#f00')],
    ['a colour by name', 'DarkSlateGray', createLiteral('DarkSlateGray')],
    ['a colour in hexadecimal notation of C', '0xFF0000', createLiteral('0xFF0000')],
  ])('is read with %s', (_, content, expected) => {
    const { fill } = textOf(`<Fill><CssParameter name="fill">${content}</CssParameter></Fill>`);

    expect(fill?.color).toEqual(expected);
  });

  test('may have any case and any order', () => {
    const { font } = textOf(`<Font><CssParameter name="Font-Size">9</CssParameter>
      <CssParameter name="font-family">A</CssParameter></Font>`);

    expect(font).toEqual({ kind: 'font', families: [createLiteral('A')], size: createLiteral(9) });
  });
});

describe('version', () => {
  const symbols = 'xmlns="http://www.opengis.net/sld"';

  test.each([
    ['the declared one', `version="1.0.0" ${symbols}`, '1.0.0'],
    ['the declared one, with white space', `version=" 1.0.0 " ${symbols}`, '1.0.0'],
    ['1.0.0 without a declaration', symbols, '1.0.0'],
    ['1.0.0 without a namespace', '', '1.0.0'],
    ['1.1.0 if Symbology Encoding is declared', `${symbols} xmlns:se="http://www.opengis.net/se"`, '1.1.0'],
    [
      'the declared one, even if Symbology Encoding is declared',
      `version="1.0.0" xmlns:se="http://www.opengis.net/se"`,
      '1.0.0',
    ],
  ])('is %s', (_, root, version) => {
    expect(readSld(documentOf('<LineSymbolizer/>', root)).version).toBe(version);
  });
});

describe('documents that are rejected before validation', () => {
  test.each([
    [
      'a DOCTYPE',
      `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${documentOf('<Name>&b;</Name>')}`,
      'xml-doctype',
    ],
    ['text that is not XML', 'fill: red', 'xml-malformed'],
    ['nothing', '', 'xml-malformed'],
    ['endlessly nested functions', documentOf(`<Name/>${'<ogc:Not>'.repeat(300)}`), 'document-too-deep'],
  ])('include %s', (_, text, code) => {
    expect(() => readSld(text)).toThrow(expect.objectContaining({ code, status: 400 }));
  });

  test('include documents with more nodes than the limit', () => {
    expect(() => readSld(documentOf(''), { limits: { maxDepth: 100, maxNodes: 5 } })).toThrow(
      expect.objectContaining({ code: 'document-too-busy' }),
    );
  });
});

describe('errors', () => {
  test('are reported in one sentence, with all positions', () => {
    const rule =
      '<Nmae/><LineSymbolizer><Stroke><CssParameter name="stroke">x</CssParameter></Stroke></LineSymbolizer>';

    expect(() => readSld(documentOf(rule), { strict: true })).toThrow(
      "The style is not valid SLD. Line 2, column 25: 'Nmae' is not expected in Rule. Expected: Name, Title, Abstract, " +
        'LegendGraphic, Filter, ElseFilter, MinScaleDenominator, MaxScaleDenominator, a symbolizer or VendorOption; ' +
        "line 2, column 56: CssParameter 'stroke' is 'x', but a colour such as #FF8800 was expected.",
    );
  });

  test('are listed up to a hundred times, and counted beyond', () => {
    const caught = expect.objectContaining({
      message: expect.stringMatching(/; and 50 more\.$/),
      details: expect.objectContaining({ count: 150, complaints: expect.objectContaining({ length: 100 }) }),
    });

    expect(() => readSld(documentOf('<Nmae/>'.repeat(150)), { strict: true })).toThrow(caught);
    expect(readSld(documentOf('<Nmae/>'.repeat(150))).warnings.at(-1)).toBe(
      'And 140 more deviations from the SLD schema.',
    );
  });

  test('quote values at a limited length', () => {
    const long = 'x'.repeat(10_000);

    try {
      const rule = `<${long}/><Name ${long}="1">a</Name><MinScaleDenominator>${long}</MinScaleDenominator>`;
      readSld(documentOf(rule), { strict: true });
      expect.unreachable();
    } catch (error) {
      expect(String(error).length).toBeLessThan(1000);
    }
  });

  test.each(['__proto__', 'constructor', 'toString'])('report names like %s as unknown only', (name) => {
    const rule = `<LineSymbolizer><Stroke><CssParameter name="${name}">1</CssParameter></Stroke></LineSymbolizer>
      <RasterSymbolizer><OverlapBehavior>${name}</OverlapBehavior></RasterSymbolizer>`;

    expect(() => readSld(documentOf(rule), { strict: true })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ count: 2 }) }),
    );
  });
});

test('an element of one version is not cached for the other', () => {
  const size =
    '<PointSymbolizer><Graphic><Size><concatenate><StringValue>4</StringValue></concatenate></Size></Graphic></PointSymbolizer>';
  const newer = 'version="1.1.0" xmlns="http://www.opengis.net/sld"';

  expect(() => readSld(documentOf(size), { strict: true })).toThrow(/'concatenate' is not expected in Size/);
  expect(readSld(documentOf(size, newer)).warnings).toEqual([
    expect.stringContaining("'concatenate' is read as 'Concatenate'"),
  ]);
});

test('a hundred thousand pieces of text are merged', () => {
  expect(labelOf('<![CDATA[a]]>'.repeat(100_000))).toEqual(createLiteral('a'.repeat(100_000)));
});

test('a million digits with an invalid suffix are ignored quickly', () => {
  const size = `<PointSymbolizer><Graphic><Size>${'1'.repeat(1_000_000)}x</Size></Graphic></PointSymbolizer>`;

  expect(readSld(documentOf(size)).warnings).toEqual([
    expect.stringMatching(/Size is '1{40}…', but a non-negative number .*: the default is used/),
  ]);
});

describe('entities of the document', () => {
  const text = `<!DOCTYPE StyledLayerDescriptor [\n<!ENTITY water "95C5DD">\n]>\n${documentOf(
    '<PolygonSymbolizer><Fill><CssParameter name="fill">#&water;</CssParameter></Fill></PolygonSymbolizer>',
  )}`;

  test('are read with a warning', () => {
    const { model, warnings } = readSld(text);

    expect(JSON.stringify(model)).toContain('#95C5DD');
    expect(warnings).toEqual(['Line 1, column 1: the DOCTYPE is read for its entities only.']);
  });

  test('are rejected in strict handling', () => {
    expect(() => readSld(text, { strict: true })).toThrow(expect.objectContaining({ code: 'xml-doctype' }));
  });
});
