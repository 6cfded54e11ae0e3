<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>slopes</se:Name>
    <UserStyle>
      <se:Name>slopes_style</se:Name>
      <se:Description>
        <se:Title>Entries, as many programs write them here too</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap type="values">
              <se:ColorMapEntry color="#F0FFF4" quantity="1" label="flat"/>
              <se:ColorMapEntry color="#22543D" quantity="2" label="steep" opacity="0.5"/>
            </se:ColorMap>
            <se:ChannelSelection>
              <se:GrayChannel><se:SourceChannelName>1</se:SourceChannelName></se:GrayChannel>
            </se:ChannelSelection>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
