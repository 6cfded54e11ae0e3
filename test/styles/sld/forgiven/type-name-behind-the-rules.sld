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
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#226688</CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
        <FeatureTypeName>river</FeatureTypeName><!--? 'FeatureTypeName' must come before 'Rule' in FeatureTypeStyle -->
        <Name>water</Name><!--? 'Name' must come before 'Rule' in FeatureTypeStyle -->
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
