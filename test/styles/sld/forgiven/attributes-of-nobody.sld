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
          <LineSymbolizer id="l1"><!--? LineSymbolizer has no attribute 'id': it has no effect -->
            <Stroke width="3"><!--? Stroke has no attribute 'width': it has no effect -->
              <CssParameter name="stroke" unit="px">#226688</CssParameter><!--? CssParameter has no attribute 'unit': it has no effect -->
            </Stroke>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
