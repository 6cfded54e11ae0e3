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
            <ColorMap type="steps" extended="yes"><!--! the type of the ColorMap is 'steps', but ramp, intervals or values was expected --><!--! 'extended' is 'yes', but true or false was expected -->
              <ColorMapEntry quantity="1"/><!--! the attribute 'color' is missing on ColorMapEntry -->
              <ColorMapEntry color="#GG0000" quantity="2"/><!--! 'color' is '#GG0000', but a colour -->
              <ColorMapEntry color="#000000" quantity="two"/><!--! 'quantity' is 'two', but a number was expected -->
              <ColorMapEntry color="#000000" quantity="3" opacity="200%"/><!--! 'opacity' is '200%', but a number from 0 to 1 was expected -->
              <ColorMapEntry color="#000000" value="4"/><!--! ColorMapEntry has no attribute 'value'. Expected: color, quantity, opacity, label -->
            </ColorMap>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
