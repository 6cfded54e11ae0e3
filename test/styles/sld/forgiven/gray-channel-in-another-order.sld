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
          <RasterSymbolizer>
            <ChannelSelection>
              <GrayChannel>
                <ContrastEnhancement>
                  <GammaValue>1.2</GammaValue>
                  <Normalize/><!--? 'Normalize' must come before 'GammaValue' in ContrastEnhancement -->
                </ContrastEnhancement>
                <SourceChannelName>1</SourceChannelName><!--? 'SourceChannelName' must come before 'ContrastEnhancement' in GrayChannel -->
              </GrayChannel>
            </ChannelSelection>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
