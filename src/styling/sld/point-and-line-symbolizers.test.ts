import { property } from '../../../test/support/property-name.ts';
import { describeSymbolizers } from '../../../test/support/sld-symbolizers.ts';
import { createLiteral } from '../../filter/model/literal.ts';

describeSymbolizers([
  [
    'a mark with all options',
    {
      kind: 'pointSymbolizer',
      graphic: {
        kind: 'graphic',
        symbols: [
          {
            kind: 'mark',
            wellKnownName: createLiteral('star'),
            fill: { kind: 'fill', color: createLiteral('#FF0000'), opacity: createLiteral(0.5) },
            stroke: { kind: 'stroke', color: createLiteral('#000000'), width: createLiteral(2) },
          },
        ],
        opacity: createLiteral(0.9),
        size: property('size'),
        rotation: createLiteral(45),
        anchorPoint: { x: createLiteral(0), y: createLiteral(1) },
        displacement: { x: createLiteral(-2), y: createLiteral(3) },
      },
    },
    `<PointSymbolizer>
  <Graphic>
    <Mark>
      <WellKnownName>star</WellKnownName>
      <Fill>
        <CssParameter name="fill">#FF0000</CssParameter>
        <CssParameter name="fill-opacity">0.5</CssParameter>
      </Fill>
      <Stroke>
        <CssParameter name="stroke">#000000</CssParameter>
        <CssParameter name="stroke-width">2</CssParameter>
      </Stroke>
    </Mark>
    <Opacity>0.9</Opacity>
    <Size><ogc:PropertyName>size</ogc:PropertyName></Size>
    <Rotation>45</Rotation>
    <AnchorPoint>
      <AnchorPointX>0</AnchorPointX>
      <AnchorPointY>1</AnchorPointY>
    </AnchorPoint>
    <Displacement>
      <DisplacementX>-2</DisplacementX>
      <DisplacementY>3</DisplacementY>
    </Displacement>
  </Graphic>
</PointSymbolizer>`,
  ],
  [
    'pictures at a computed position, in metres',
    {
      kind: 'pointSymbolizer',
      uom: 'metre',
      geometry: { kind: 'function', name: 'centroid', arguments: [property('geom')] },
      graphic: {
        kind: 'graphic',
        symbols: [
          { kind: 'externalGraphic', source: { kind: 'online', href: 'a.svg' }, format: 'image/svg+xml' },
          { kind: 'externalGraphic', source: { kind: 'inlineBase64', base64: 'AAAA' }, format: 'image/gif' },
        ],
      },
      vendorOptions: [{ name: 'labelObstacle', value: createLiteral('true') }],
    },
    `<PointSymbolizer uom="http://www.opengeospatial.org/se/units/metre">
  <Geometry>
    <ogc:Function name="centroid">
      <ogc:PropertyName>geom</ogc:PropertyName>
    </ogc:Function>
  </Geometry>
  <Graphic>
    <ExternalGraphic>
      <OnlineResource xlink:type="simple" xlink:href="a.svg"/>
      <Format>image/svg+xml</Format>
    </ExternalGraphic>
    <ExternalGraphic>
      <InlineContent encoding="base64">AAAA</InlineContent>
      <Format>image/gif</Format>
    </ExternalGraphic>
  </Graphic>
  <VendorOption name="labelObstacle">true</VendorOption>
</PointSymbolizer>`,
  ],
  [
    'a line with all options',
    {
      kind: 'lineSymbolizer',
      stroke: {
        kind: 'stroke',
        color: createLiteral('#0000FF'),
        opacity: createLiteral(1),
        width: { kind: 'arithmetic', operator: 'divide', left: property('lanes'), right: createLiteral(2) },
        lineJoin: createLiteral('bevel'),
        lineCap: createLiteral('round'),
        dashArray: [createLiteral(5), property('gap'), createLiteral(2)],
        dashOffset: createLiteral(1.5),
      },
      perpendicularOffset: createLiteral(-3),
    },
    `<LineSymbolizer>
  <Stroke>
    <CssParameter name="stroke">#0000FF</CssParameter>
    <CssParameter name="stroke-opacity">1</CssParameter>
    <CssParameter name="stroke-width">
      <ogc:Div>
        <ogc:PropertyName>lanes</ogc:PropertyName>
        <ogc:Literal>2</ogc:Literal>
      </ogc:Div>
    </CssParameter>
    <CssParameter name="stroke-linejoin">bevel</CssParameter>
    <CssParameter name="stroke-linecap">round</CssParameter>
    <CssParameter name="stroke-dasharray">5 <ogc:PropertyName>gap</ogc:PropertyName> 2</CssParameter>
    <CssParameter name="stroke-dashoffset">1.5</CssParameter>
  </Stroke>
  <PerpendicularOffset>-3</PerpendicularOffset>
</LineSymbolizer>`,
  ],
  [
    'a line of graphics',
    {
      kind: 'lineSymbolizer',
      stroke: {
        kind: 'stroke',
        graphicStroke: {
          graphic: {
            kind: 'graphic',
            symbols: [{ kind: 'mark', wellKnownName: createLiteral('shape://vertline') }],
            size: createLiteral(8),
          },
        },
      },
    },
    `<LineSymbolizer>
  <Stroke>
    <GraphicStroke>
      <Graphic>
        <Mark>
          <WellKnownName>shape://vertline</WellKnownName>
        </Mark>
        <Size>8</Size>
      </Graphic>
    </GraphicStroke>
  </Stroke>
</LineSymbolizer>`,
  ],
]);
