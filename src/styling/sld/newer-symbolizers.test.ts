import { describe, expect, test } from 'vitest';
import { documentWith, symbolizersIn, writtenWith } from '../../../test/support/sld-symbolizers.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { Symbolizer } from '../model/model.ts';

/** Symbolizers that only SLD 1.1.0 can express. */
const rows: readonly (readonly [string, Symbolizer, string])[] = [
  [
    'a named line with spaced graphics',
    {
      kind: 'lineSymbolizer',
      name: 'chain',
      title: 'Chain',
      abstract: 'Link by link',
      baseSymbolizer: 'base.xml',
      stroke: {
        kind: 'stroke',
        graphicStroke: {
          graphic: { kind: 'graphic', symbols: [] },
          initialGap: createLiteral(3),
          gap: createLiteral(9),
        },
      },
    },
    `<se:LineSymbolizer>
  <se:Name>chain</se:Name>
  <se:Description>
    <se:Title>Chain</se:Title>
    <se:Abstract>Link by link</se:Abstract>
  </se:Description>
  <se:BaseSymbolizer>
    <se:OnlineResource xlink:type="simple" xlink:href="base.xml"/>
  </se:BaseSymbolizer>
  <se:Stroke>
    <se:GraphicStroke>
      <se:Graphic/>
      <se:InitialGap>3</se:InitialGap>
      <se:Gap>9</se:Gap>
    </se:GraphicStroke>
  </se:Stroke>
</se:LineSymbolizer>`,
  ],
  [
    'a repeated label',
    {
      kind: 'textSymbolizer',
      placement: {
        kind: 'linePlacement',
        isRepeated: true,
        initialGap: createLiteral(1),
        gap: createLiteral(2),
        isAligned: false,
        generalizeLine: true,
      },
    },
    `<se:TextSymbolizer>
  <se:LabelPlacement>
    <se:LinePlacement>
      <se:IsRepeated>true</se:IsRepeated>
      <se:InitialGap>1</se:InitialGap>
      <se:Gap>2</se:Gap>
      <se:IsAligned>false</se:IsAligned>
      <se:GeneralizeLine>true</se:GeneralizeLine>
    </se:LinePlacement>
  </se:LabelPlacement>
</se:TextSymbolizer>`,
  ],
  [
    'external shapes and pictures with options',
    {
      kind: 'pointSymbolizer',
      graphic: {
        kind: 'graphic',
        symbols: [
          { kind: 'mark', externalMark: { source: { kind: 'online', href: 'a.ttf' }, format: 'ttf', index: 7 } },
          {
            kind: 'externalGraphic',
            source: {
              kind: 'inlineXml',
              element: {
                kind: 'element',
                name: 'svg',
                namespace: 'http://www.w3.org/2000/svg',
                attributes: [{ name: 'width', namespace: '', value: '9' }],
                children: [{ kind: 'text', text: 'a & b' }],
              },
            },
            format: 'image/svg+xml',
            colorReplacements: [
              {
                kind: 'function',
                name: 'Recode',
                arguments: [createLiteral('#00FF00'), createLiteral('1'), createLiteral('#0000FF')],
                fallback: '#000000',
              },
            ],
          },
        ],
      },
    },
    `<se:PointSymbolizer>
  <se:Graphic>
    <se:Mark>
      <se:OnlineResource xlink:type="simple" xlink:href="a.ttf"/>
      <se:Format>ttf</se:Format>
      <se:MarkIndex>7</se:MarkIndex>
    </se:Mark>
    <se:ExternalGraphic>
      <se:InlineContent encoding="xml">
        <svg xmlns="http://www.w3.org/2000/svg" width="9">a &amp; b</svg>
      </se:InlineContent>
      <se:Format>image/svg+xml</se:Format>
      <se:ColorReplacement>
        <se:Recode fallbackValue="#000000">
          <se:LookupValue>#00FF00</se:LookupValue>
          <se:MapItem>
            <se:Data>1</se:Data>
            <se:Value>#0000FF</se:Value>
          </se:MapItem>
        </se:Recode>
      </se:ColorReplacement>
    </se:ExternalGraphic>
  </se:Graphic>
</se:PointSymbolizer>`,
  ],
  [
    'colours by categories',
    {
      kind: 'rasterSymbolizer',
      colorMap: {
        kind: 'colorFunction',
        function: {
          kind: 'function',
          name: 'Categorize',
          arguments: [
            createLiteral('Rasterdata'),
            createLiteral('#000000'),
            createLiteral('5'),
            createLiteral('#FFFFFF'),
            createLiteral('succeeding'),
          ],
          fallback: '#FF0000',
        },
      },
    },
    `<se:RasterSymbolizer>
  <se:ColorMap>
    <se:Categorize fallbackValue="#FF0000" threshholdsBelongTo="succeeding">
      <se:LookupValue>Rasterdata</se:LookupValue>
      <se:Value>#000000</se:Value>
      <se:Threshold>5</se:Threshold>
      <se:Value>#FFFFFF</se:Value>
    </se:Categorize>
  </se:ColorMap>
</se:RasterSymbolizer>`,
  ],
];

describe.each(rows)('%s', (_, symbolizer, text) => {
  test('is read from SLD 1.1.0 and written to it', () => {
    expect(symbolizersIn(documentWith(text, '1.1.0'))).toEqual([symbolizer]);
    expect(writtenWith(symbolizer, '1.1.0')).toBe(text);
  });
});
