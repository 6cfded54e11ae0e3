<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>a</Name>
    <UserStyle>
      <Title>b</Title>
      <FeatureTypeStyle>
        <Rule>
          <MinScaleDenominator>1:5000</MinScaleDenominator><!--! MinScaleDenominator is '1:5000', but a non-negative number was expected -->
          <MaxScaleDenominator>-1</MaxScaleDenominator><!--! MaxScaleDenominator is '-1', but a non-negative number was expected -->
          <PointSymbolizer>
            <Graphic>
              <Opacity>50</Opacity><!--! Opacity is '50', but a number from 0 to 1 was expected -->
              <Size>big</Size><!--! Size is 'big', but a non-negative number with an optional unit (px, m or ft) was expected -->
              <Rotation>45°</Rotation><!--! Rotation is '45°', but a number was expected -->
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
