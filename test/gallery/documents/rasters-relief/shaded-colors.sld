<!-- gallery: data=hill -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>rasters</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <ColorMap><ColorMapEntry color="#2b83ba" quantity="0"/><ColorMapEntry color="#abdda4" quantity="60"/><ColorMapEntry color="#d7191c" quantity="200"/></ColorMap><ShadedRelief><ReliefFactor>200000</ReliefFactor></ShadedRelief>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
