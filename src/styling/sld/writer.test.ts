import { describe, expect, test } from 'vitest';
import { lossesIn } from '../../../test/support/styles.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { FunctionCall, Rule, StyledLayerDescriptor, Symbolizer } from '../model/model.ts';
import { writeSld } from './writer.ts';

function modelOf(...symbolizers: readonly Symbolizer[]): StyledLayerDescriptor {
  return modelOfRule({ kind: 'rule', symbolizers });
}

function modelOfRule(rule: Rule): StyledLayerDescriptor {
  return {
    kind: 'styledLayerDescriptor',
    layers: [
      {
        kind: 'namedLayer',
        name: 'roads',
        styles: [{ kind: 'userStyle', featureTypeStyles: [{ kind: 'featureTypeStyle', rules: [rule] }] }],
      },
    ],
  };
}

const whole: StyledLayerDescriptor = {
  kind: 'styledLayerDescriptor',
  name: 'atlas',
  title: 'Roads & rails',
  layers: [
    {
      kind: 'namedLayer',
      name: 'roads',
      featureConstraints: [{ featureTypeName: 'road', extents: [{ name: 'time', value: '2020' }] }],
      styles: [
        { kind: 'namedStyle', name: 'plain' },
        {
          kind: 'userStyle',
          name: 'wide',
          isDefault: true,
          background: { kind: 'fill', color: createLiteral('#FFFFFF') },
          featureTypeStyles: [
            {
              kind: 'featureTypeStyle',
              featureTypeName: 'road',
              semanticTypeIdentifiers: ['generic:line'],
              transformation: { kind: 'function', name: 'vec:Simplify', arguments: [] },
              rules: [
                {
                  kind: 'rule',
                  name: 'all',
                  title: 'All roads',
                  translations: [{ of: 'title', language: 'de', text: 'Alle Straßen' }],
                  filter: { kind: 'else' },
                  minScaleDenominator: 1000,
                  maxScaleDenominator: 1e21,
                  symbolizers: [{ kind: 'lineSymbolizer', stroke: { kind: 'stroke' } }],
                },
              ],
              vendorOptions: [{ name: 'sortBy', value: createLiteral('rank') }],
            },
          ],
        },
      ],
    },
  ],
};

test('writes a whole document as SLD 1.0.0', () => {
  expect(writeSld(whole, '1.0.0')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Name>atlas</Name>
  <Title>Roads &amp; rails</Title>
  <NamedLayer>
    <Name>roads</Name>
    <LayerFeatureConstraints>
      <FeatureTypeConstraint>
        <FeatureTypeName>road</FeatureTypeName>
        <Extent>
          <Name>time</Name>
          <Value>2020</Value>
        </Extent>
      </FeatureTypeConstraint>
    </LayerFeatureConstraints>
    <NamedStyle>
      <Name>plain</Name>
    </NamedStyle>
    <UserStyle>
      <Name>wide</Name>
      <IsDefault>1</IsDefault>
      <Background>
        <CssParameter name="fill">#FFFFFF</CssParameter>
      </Background>
      <FeatureTypeStyle>
        <FeatureTypeName>road</FeatureTypeName>
        <SemanticTypeIdentifier>generic:line</SemanticTypeIdentifier>
        <Transformation>
          <ogc:Function name="vec:Simplify"/>
        </Transformation>
        <Rule>
          <Name>all</Name>
          <Title>All roads<Localized lang="de">Alle Straßen</Localized></Title>
          <ElseFilter/>
          <MinScaleDenominator>1000</MinScaleDenominator>
          <MaxScaleDenominator>1e+21</MaxScaleDenominator>
          <LineSymbolizer>
            <Stroke/>
          </LineSymbolizer>
        </Rule>
        <VendorOption name="sortBy">rank</VendorOption>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
`);
});

test('writes the same document as SLD 1.1.0', () => {
  expect(writeSld(whole, '1.1.0')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink">
  <se:Name>atlas</se:Name>
  <se:Description>
    <se:Title>Roads &amp; rails</se:Title>
  </se:Description>
  <NamedLayer>
    <se:Name>roads</se:Name>
    <LayerFeatureConstraints>
      <FeatureTypeConstraint>
        <se:FeatureTypeName>road</se:FeatureTypeName>
        <Extent>
          <se:Name>time</se:Name>
          <Value>2020</Value>
        </Extent>
      </FeatureTypeConstraint>
    </LayerFeatureConstraints>
    <NamedStyle>
      <se:Name>plain</se:Name>
    </NamedStyle>
    <UserStyle>
      <se:Name>wide</se:Name>
      <IsDefault>1</IsDefault>
      <Background>
        <se:SvgParameter name="fill">#FFFFFF</se:SvgParameter>
      </Background>
      <se:FeatureTypeStyle>
        <se:FeatureTypeName>road</se:FeatureTypeName>
        <se:SemanticTypeIdentifier>generic:line</se:SemanticTypeIdentifier>
        <se:Transformation>
          <ogc:Function name="vec:Simplify"/>
        </se:Transformation>
        <se:Rule>
          <se:Name>all</se:Name>
          <se:Description>
            <se:Title>All roads<se:Localized lang="de">Alle Straßen</se:Localized></se:Title>
          </se:Description>
          <se:ElseFilter/>
          <se:MinScaleDenominator>1000</se:MinScaleDenominator>
          <se:MaxScaleDenominator>1e+21</se:MaxScaleDenominator>
          <se:LineSymbolizer>
            <se:Stroke/>
          </se:LineSymbolizer>
        </se:Rule>
        <se:VendorOption name="sortBy">rank</se:VendorOption>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
`);
});

describe('losses in SLD 1.0.0', () => {
  const graphic = { kind: 'graphic', symbols: [] } as const;
  const categorize: FunctionCall = {
    kind: 'function',
    name: 'Categorize',
    arguments: [
      createLiteral('Rasterdata'),
      createLiteral('#000000'),
      createLiteral(1),
      createLiteral('#FFFFFF'),
      createLiteral('preceding'),
    ],
  };

  test.each<readonly [string, Symbolizer]>([
    ["the Name 'x' of this element", { kind: 'pointSymbolizer', name: 'x' }],
    ["the Title 'x' of this element", { kind: 'polygonSymbolizer', title: 'x' }],
    ["the Abstract 'x' of this element", { kind: 'textSymbolizer', abstract: 'x' }],
    ["the BaseSymbolizer 'x' of this element", { kind: 'rasterSymbolizer', baseSymbolizer: 'x' }],
    [
      'the spacing of graphics along a line (InitialGap, Gap)',
      { kind: 'lineSymbolizer', stroke: { kind: 'stroke', graphicStroke: { graphic, gap: createLiteral(1) } } },
    ],
    [
      'a Mark with an external shape',
      {
        kind: 'pointSymbolizer',
        graphic: {
          kind: 'graphic',
          symbols: [{ kind: 'mark', externalMark: { source: { kind: 'online', href: 'a' }, format: 'ttf' } }],
        },
      },
    ],
    [
      'a ColorMap with computed colours; only entries with fixed colours are supported',
      { kind: 'rasterSymbolizer', colorMap: { kind: 'colorFunction', function: categorize } },
    ],
  ])('%s', (what, symbolizer) => {
    const losses = lossesIn(modelOf(symbolizer), '1.0.0');

    expect(losses).toEqual([
      {
        field: expect.stringMatching(
          /^StyledLayerDescriptor\/NamedLayer\[1\]\/UserStyle\[1\]\/FeatureTypeStyle\[1\]\/Rule\[1\]\/\w+Symbolizer\[1\]$/,
        ),
        message: `SLD 1.0.0 cannot express ${what}`,
      },
    ]);
  });

  test('are all named in the error', () => {
    const model = modelOf({ kind: 'pointSymbolizer', name: 'x' }, { kind: 'lineSymbolizer', name: 'y' });

    expect(() => writeSld(model, '1.0.0')).toThrow(
      expect.objectContaining({
        code: 'style-not-convertible',
        status: 406,
        message: expect.stringMatching(
          /cannot be converted to SLD 1\.0\.0 without loss: .*'x' of this element; .*'y' of this element\.$/,
        ),
      }),
    );
    expect(lossesIn(model, '1.1.0')).toEqual([]);
  });
});

describe('text that XML normalises', () => {
  test.each([
    ['spaces at the borders', ' a ', '<ogc:Literal> a </ogc:Literal>'],
    ['two spaces', 'a  b', '<ogc:Literal>a  b</ogc:Literal>'],
    ['a line end at the border', '\na', '<ogc:Literal><![CDATA[\na]]></ogc:Literal>'],
    ['the end of CDATA in CDATA', '\na]]>b', '<ogc:Literal><![CDATA[\na]]]]><![CDATA[>b]]></ogc:Literal>'],
    ['a carriage return in CDATA', '\na\rb', '<ogc:Literal><![CDATA[\na]]>&#13;<![CDATA[b]]></ogc:Literal>'],
    ['markup', '<b> & ]]>', '&lt;b&gt; &amp; ]]&gt;'],
  ])('is preserved: %s', (_, value, written) => {
    expect(writeSld(modelOf({ kind: 'textSymbolizer', label: createLiteral(value) }), '1.0.0')).toContain(
      `<Label>${written}</Label>`,
    );
  });
});

test('a mixed value in a function becomes a function, because text is not allowed there', () => {
  const label: FunctionCall = {
    kind: 'function',
    name: 'strTrim',
    arguments: [{ kind: 'concatenation', parts: [{ kind: 'property', name: 'a' }, createLiteral('!')] }],
  };

  expect(writeSld(modelOf({ kind: 'textSymbolizer', label }), '1.0.0')).toContain('<ogc:Function name="Concatenate">');
});
