/** The contents of the built-in styles, written for this project. */
import type { BuiltInName } from './built-in-names.ts';

export interface BuiltInStyle {
  readonly name: BuiltInName;
  /** The SLD 1.0.0 document. */
  readonly sld: string;
}

const pointRules = `\
        <Rule>
          <Title>Point</Title>
          <PointSymbolizer>
            <Graphic>
              <Mark>
                <WellKnownName>circle</WellKnownName>
                <Fill>
                  <CssParameter name="fill">#e8833a</CssParameter>
                </Fill>
                <Stroke>
                  <CssParameter name="stroke">#5b2c0c</CssParameter>
                  <CssParameter name="stroke-width">1</CssParameter>
                </Stroke>
              </Mark>
              <Size>7</Size>
            </Graphic>
          </PointSymbolizer>
        </Rule>
`;

const lineRules = `\
        <Rule>
          <Title>Line</Title>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#1f5f99</CssParameter>
              <CssParameter name="stroke-width">1.5</CssParameter>
              <CssParameter name="stroke-linecap">round</CssParameter>
              <CssParameter name="stroke-linejoin">round</CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
`;

const polygonRules = `\
        <Rule>
          <Title>Polygon</Title>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">#b9d8b0</CssParameter>
            </Fill>
            <Stroke>
              <CssParameter name="stroke">#3f6b35</CssParameter>
              <CssParameter name="stroke-width">0.75</CssParameter>
            </Stroke>
          </PolygonSymbolizer>
        </Rule>
`;

const rasterRules = `\
        <Rule>
          <Title>Raster</Title>
          <RasterSymbolizer>
            <Opacity>1</Opacity>
          </RasterSymbolizer>
        </Rule>
`;

const genericRules = `\
        <Rule>
          <Title>Raster</Title>
          <ogc:Filter>
            <ogc:PropertyIsEqualTo>
              <ogc:Function name="isCoverage"/>
              <ogc:Literal>true</ogc:Literal>
            </ogc:PropertyIsEqualTo>
          </ogc:Filter>
          <RasterSymbolizer>
            <Opacity>1</Opacity>
          </RasterSymbolizer>
        </Rule>
        <Rule>
          <Title>Polygon</Title>
          <ogc:Filter>
            <ogc:PropertyIsEqualTo>
              <ogc:Function name="dimension">
                <ogc:Function name="geometry"/>
              </ogc:Function>
              <ogc:Literal>2</ogc:Literal>
            </ogc:PropertyIsEqualTo>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">#c9c4dd</CssParameter>
            </Fill>
            <Stroke>
              <CssParameter name="stroke">#4d4470</CssParameter>
              <CssParameter name="stroke-width">0.75</CssParameter>
            </Stroke>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <Title>Line</Title>
          <ogc:Filter>
            <ogc:PropertyIsEqualTo>
              <ogc:Function name="dimension">
                <ogc:Function name="geometry"/>
              </ogc:Function>
              <ogc:Literal>1</ogc:Literal>
            </ogc:PropertyIsEqualTo>
          </ogc:Filter>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#4d4470</CssParameter>
              <CssParameter name="stroke-width">1.5</CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
        <Rule>
          <Title>Point</Title>
          <ElseFilter/>
          <PointSymbolizer>
            <Graphic>
              <Mark>
                <WellKnownName>square</WellKnownName>
                <Fill>
                  <CssParameter name="fill">#7a6db0</CssParameter>
                </Fill>
                <Stroke>
                  <CssParameter name="stroke">#332b55</CssParameter>
                  <CssParameter name="stroke-width">1</CssParameter>
                </Stroke>
              </Mark>
              <Size>7</Size>
            </Graphic>
          </PointSymbolizer>
        </Rule>
`;

export const builtInStyles: readonly BuiltInStyle[] = [
  {
    name: 'point',
    sld: buildDescriptor('point', 'Orange dot', 'A small round dot with a dark edge, for points.', pointRules),
  },
  {
    name: 'line',
    sld: buildDescriptor('line', 'Blue line', 'A plain line, for lines.', lineRules),
  },
  {
    name: 'polygon',
    sld: buildDescriptor('polygon', 'Green area', 'A light area with a darker edge, for polygons.', polygonRules),
  },
  {
    name: 'raster',
    sld: buildDescriptor('raster', 'Opaque raster', 'Shows a raster in its own colours.', rasterRules),
  },
  {
    name: 'generic',
    sld: buildDescriptor(
      'generic',
      'Anything',
      'Draws rasters, polygons, lines and points with a different symbol each.',
      genericRules,
    ),
  },
];

function buildDescriptor(name: string, title: string, abstract: string, rules: string): string {
  return `\
<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>${name}</Name>
    <UserStyle>
      <Name>${name}</Name>
      <Title>${title}</Title>
      <Abstract>${abstract}</Abstract>
      <FeatureTypeStyle>
${rules}      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
`;
}
