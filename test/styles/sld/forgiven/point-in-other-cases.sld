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
          <PointSymbolizer>
            <Graphic>
              <Mark>
                <WellknownName>circle</WellknownName><!--? 'WellknownName' is read as 'WellKnownName' -->
                <fill><!--? 'fill' is read as 'Fill' -->
                  <CSSParameter name="fill">#2040A0</CSSParameter><!--? 'CSSParameter' is read as 'CssParameter' -->
                </fill>
              </Mark>
              <size>9</size><!--? 'size' is read as 'Size' -->
              <Anchorpoint><!--? 'Anchorpoint' is read as 'AnchorPoint' -->
                <AnchorPointx>0.5</AnchorPointx><!--? 'AnchorPointx' is read as 'AnchorPointX' -->
                <AnchorPointy>1</AnchorPointy><!--? 'AnchorPointy' is read as 'AnchorPointY' -->
              </Anchorpoint>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
