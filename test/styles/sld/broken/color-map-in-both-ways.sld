<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <se:Name>parks</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Categorize fallbackValue="#000000">
                <se:LookupValue>Rasterdata</se:LookupValue>
                <se:Value>#FFFFFF</se:Value>
                <se:Threshold>
                  <ogc:Literal>10</ogc:Literal>
                </se:Threshold>
                <se:Value>black-ish</se:Value>
              </se:Categorize>
              <se:ColorMapEntry color="#FFFFFF" quantity="1"/><!--!15 'ColorMapEntry' cannot be combined with 'Categorize' in ColorMap -->
            </se:ColorMap>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
