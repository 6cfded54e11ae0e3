<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>terrain</Name>
    <UserStyle>
      <Title>Shaded relief, the newest image on top</Title>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <ChannelSelection>
              <GrayChannel>
                <SourceChannelName>elevation</SourceChannelName>
              </GrayChannel>
            </ChannelSelection>
            <OverlapBehavior>
              <LATEST_ON_TOP/>
            </OverlapBehavior>
            <ContrastEnhancement>
              <Logarithmic/>
            </ContrastEnhancement>
            <ShadedRelief>
              <BrightnessOnly>false</BrightnessOnly>
              <ReliefFactor>40</ReliefFactor>
            </ShadedRelief>
            <ImageOutline>
              <LineSymbolizer>
                <Stroke><CssParameter name="stroke">#E53E3E</CssParameter></Stroke>
              </LineSymbolizer>
            </ImageOutline>
            <VendorOption name="interpolation">bilinear</VendorOption>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
