<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:AND><!--? 'ogc:AND' is read as 'And' -->
              <ogc:PropertyIsNull>
                <ogc:PropertyName>closed</ogc:PropertyName>
              </ogc:PropertyIsNull>
              <ogc:NOT><!--? 'ogc:NOT' is read as 'Not' -->
                <ogc:PropertyIsGreaterThanorEqualTo><!--? 'ogc:PropertyIsGreaterThanorEqualTo' is read as 'PropertyIsGreaterThanOrEqualTo' -->
                  <ogc:PropertyName>lanes</ogc:PropertyName>
                  <ogc:Literal>4</ogc:Literal>
                </ogc:PropertyIsGreaterThanorEqualTo>
              </ogc:NOT>
            </ogc:AND>
          </ogc:Filter>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#226688</CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
