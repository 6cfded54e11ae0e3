<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <Title>c</Title><!--! 'Title' is not expected in StyledLayerDescriptor; it belongs to SLD 1.0.0, but this document is 1.1.0 -->
  <NamedLayer>
    <se:Name>a</se:Name>
    <UserStyle>
      <se:Name>a_style</se:Name>
      <se:Description>
        <se:Title>b</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PolygonSymbolizer>
            <se:Fill>
              <se:CssParameter name="fill">#000000</se:CssParameter>
            </se:Fill>
          </se:PolygonSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
