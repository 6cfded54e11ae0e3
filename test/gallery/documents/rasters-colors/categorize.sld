<!-- gallery: data=hill -->
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se">
  <NamedLayer>
    <se:Name>rasters</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Categorize fallbackValue="#ff00ff"><se:LookupValue>Rasterdata</se:LookupValue><se:Value>#2b83ba</se:Value><se:Threshold>40</se:Threshold><se:Value>#abdda4</se:Value><se:Threshold>120</se:Threshold><se:Value>#d7191c</se:Value></se:Categorize>
            </se:ColorMap>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
