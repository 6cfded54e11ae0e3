<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>scene</Name>
    <UserStyle>
      <Title>False colours of a satellite scene</Title>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <Opacity>0.9</Opacity>
            <ChannelSelection>
              <RedChannel>
                <SourceChannelName>5</SourceChannelName>
                <ContrastEnhancement>
                  <Normalize>
                    <VendorOption name="algorithm">StretchToMinimumMaximum</VendorOption>
                    <VendorOption name="minValue">120</VendorOption>
                    <VendorOption name="maxValue">4800</VendorOption>
                  </Normalize>
                </ContrastEnhancement>
              </RedChannel>
              <GreenChannel>
                <SourceChannelName>4</SourceChannelName>
                <ContrastEnhancement><Histogram/></ContrastEnhancement>
              </GreenChannel>
              <BlueChannel>
                <SourceChannelName>
                  <ogc:Function name="env">
                    <ogc:Literal>blue</ogc:Literal>
                    <ogc:Literal>3</ogc:Literal>
                  </ogc:Function>
                </SourceChannelName>
              </BlueChannel>
            </ChannelSelection>
            <ContrastEnhancement>
              <GammaValue>1.2</GammaValue>
            </ContrastEnhancement>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
