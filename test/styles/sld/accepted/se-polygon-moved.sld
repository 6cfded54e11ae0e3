<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>roofs</se:Name>
    <UserStyle>
      <se:Name>roofs_style</se:Name>
      <se:Description>
        <se:Title>Roofs moved up from their walls</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <ogc:Filter>
            <ogc:And>
              <ogc:PropertyIsGreaterThan>
                <ogc:PropertyName>floors</ogc:PropertyName>
                <ogc:Literal>1</ogc:Literal>
              </ogc:PropertyIsGreaterThan>
              <ogc:PropertyIsLike wildCard="%" singleChar="_" escapeChar="\" matchCase="false">
                <ogc:PropertyName>roof</ogc:PropertyName>
                <ogc:Literal>flat%</ogc:Literal>
              </ogc:PropertyIsLike>
            </ogc:And>
          </ogc:Filter>
          <se:PolygonSymbolizer>
            <se:Fill>
              <se:SvgParameter name="fill">#CBD5E0</se:SvgParameter>
            </se:Fill>
            <se:Stroke>
              <se:SvgParameter name="stroke">#4A5568</se:SvgParameter>
              <se:SvgParameter name="stroke-linejoin">bevel</se:SvgParameter>
            </se:Stroke>
            <se:Displacement>
              <se:DisplacementX>0</se:DisplacementX>
              <se:DisplacementY><ogc:Mul><ogc:PropertyName>floors</ogc:PropertyName><ogc:Literal>2</ogc:Literal></ogc:Mul></se:DisplacementY>
            </se:Displacement>
            <se:PerpendicularOffset>-0.5</se:PerpendicularOffset>
          </se:PolygonSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
