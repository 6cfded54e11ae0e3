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
          <RasterSymbolizer>
            <Opacity>2</Opacity><!--! Opacity is '2', but a number from 0 to 1 was expected -->
            <OverlapBehavior>TOP</OverlapBehavior><!--! OverlapBehavior is 'TOP', but LATEST_ON_TOP, EARLIEST_ON_TOP, AVERAGE or RANDOM was expected -->
            <ShadedRelief>
              <BrightnessOnly>perhaps</BrightnessOnly><!--! BrightnessOnly is 'perhaps', but true or false was expected -->
            </ShadedRelief>
            <ImageOutline/><!--! 'LineSymbolizer' or 'PolygonSymbolizer' is missing in ImageOutline -->
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
