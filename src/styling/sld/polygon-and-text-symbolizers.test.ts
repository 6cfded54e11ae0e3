import { property } from '../../../test/support/property-name.ts';
import { describeSymbolizers } from '../../../test/support/sld-symbolizers.ts';
import { createLiteral } from '../../filter/model/literal.ts';

describeSymbolizers([
  [
    'a hatched polygon with a computed outline',
    {
      kind: 'polygonSymbolizer',
      fill: {
        kind: 'fill',
        graphicFill: {
          kind: 'graphic',
          symbols: [{ kind: 'mark', wellKnownName: createLiteral('shape://slash'), stroke: { kind: 'stroke' } }],
        },
        opacity: createLiteral(0.4),
      },
      stroke: {
        kind: 'stroke',
        color: {
          kind: 'function',
          name: 'Recode',
          arguments: [property('use'), createLiteral('wood'), createLiteral('#00FF00')],
        },
      },
      displacement: { x: createLiteral(1), y: createLiteral(1) },
      perpendicularOffset: createLiteral(2),
    },
    `<PolygonSymbolizer>
  <Fill>
    <GraphicFill>
      <Graphic>
        <Mark>
          <WellKnownName>shape://slash</WellKnownName>
          <Stroke/>
        </Mark>
      </Graphic>
    </GraphicFill>
    <CssParameter name="fill-opacity">0.4</CssParameter>
  </Fill>
  <Stroke>
    <CssParameter name="stroke">
      <ogc:Function name="Recode">
        <ogc:PropertyName>use</ogc:PropertyName>
        <ogc:Literal>wood</ogc:Literal>
        <ogc:Literal>#00FF00</ogc:Literal>
      </ogc:Function>
    </CssParameter>
  </Stroke>
  <Displacement>
    <DisplacementX>1</DisplacementX>
    <DisplacementY>1</DisplacementY>
  </Displacement>
  <PerpendicularOffset>2</PerpendicularOffset>
</PolygonSymbolizer>`,
  ],
  [
    'a text with all options',
    {
      kind: 'textSymbolizer',
      label: {
        kind: 'concatenation',
        parts: [property('name'), createLiteral(' ('), property('height'), createLiteral('m)')],
      },
      font: {
        kind: 'font',
        families: [createLiteral('Noto Sans'), createLiteral('Serif')],
        style: createLiteral('italic'),
        weight: createLiteral('bold'),
        size: createLiteral(12),
      },
      placement: {
        kind: 'pointPlacement',
        anchorPoint: { x: createLiteral(0.5), y: createLiteral(0) },
        displacement: { x: createLiteral(0), y: createLiteral(5) },
        rotation: property('angle'),
      },
      halo: { kind: 'halo', radius: createLiteral(2), fill: { kind: 'fill', color: createLiteral('#FFFFFF') } },
      fill: { kind: 'fill', color: createLiteral('#333333') },
      graphic: { kind: 'graphic', symbols: [{ kind: 'mark', wellKnownName: createLiteral('square') }] },
      priority: property('people'),
      snippet: createLiteral('short'),
      featureDescription: createLiteral('long'),
      otherText: { target: 'extrude', text: createLiteral('1') },
      vendorOptions: [{ name: 'autoWrap', value: createLiteral(60) }],
    },
    `<TextSymbolizer>
  <Label><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal> (</ogc:Literal><ogc:PropertyName>height</ogc:PropertyName>m)</Label>
  <Font>
    <CssParameter name="font-family">Noto Sans</CssParameter>
    <CssParameter name="font-family">Serif</CssParameter>
    <CssParameter name="font-style">italic</CssParameter>
    <CssParameter name="font-weight">bold</CssParameter>
    <CssParameter name="font-size">12</CssParameter>
  </Font>
  <LabelPlacement>
    <PointPlacement>
      <AnchorPoint>
        <AnchorPointX>0.5</AnchorPointX>
        <AnchorPointY>0</AnchorPointY>
      </AnchorPoint>
      <Displacement>
        <DisplacementX>0</DisplacementX>
        <DisplacementY>5</DisplacementY>
      </Displacement>
      <Rotation><ogc:PropertyName>angle</ogc:PropertyName></Rotation>
    </PointPlacement>
  </LabelPlacement>
  <Halo>
    <Radius>2</Radius>
    <Fill>
      <CssParameter name="fill">#FFFFFF</CssParameter>
    </Fill>
  </Halo>
  <Fill>
    <CssParameter name="fill">#333333</CssParameter>
  </Fill>
  <Graphic>
    <Mark>
      <WellKnownName>square</WellKnownName>
    </Mark>
  </Graphic>
  <Priority><ogc:PropertyName>people</ogc:PropertyName></Priority>
  <Snippet>short</Snippet>
  <FeatureDescription>long</FeatureDescription>
  <OtherText target="extrude">1</OtherText>
  <VendorOption name="autoWrap">60</VendorOption>
</TextSymbolizer>`,
  ],
  [
    'a text along a line',
    {
      kind: 'textSymbolizer',
      label: property('name'),
      placement: { kind: 'linePlacement', perpendicularOffset: createLiteral(4) },
    },
    `<TextSymbolizer>
  <Label><ogc:PropertyName>name</ogc:PropertyName></Label>
  <LabelPlacement>
    <LinePlacement>
      <PerpendicularOffset>4</PerpendicularOffset>
    </LinePlacement>
  </LabelPlacement>
</TextSymbolizer>`,
  ],
]);
