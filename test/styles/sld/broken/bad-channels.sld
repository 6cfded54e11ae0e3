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
            <ChannelSelection><!--! ChannelSelection must contain RedChannel, GreenChannel and BlueChannel, or only GrayChannel -->
              <RedChannel><SourceChannelName>1</SourceChannelName></RedChannel>
              <GreenChannel/><!--! 'SourceChannelName' is missing in GreenChannel -->
            </ChannelSelection>
            <ContrastEnhancement>
              <Normalize/>
              <Histogram/><!--! 'Histogram' cannot be combined with 'Normalize' in ContrastEnhancement -->
              <GammaValue>bright</GammaValue><!--! GammaValue is 'bright', but a non-negative number was expected -->
            </ContrastEnhancement>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
