<!-- gallery: data=hill -->
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se">
  <NamedLayer>
    <se:Name>rasters</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Interpolate fallbackValue="#ff00ff" mode="linear" method="color"><se:LookupValue>Rasterdata</se:LookupValue><se:InterpolationPoint><se:Data>0</se:Data><se:Value>#2b83ba</se:Value></se:InterpolationPoint><se:InterpolationPoint><se:Data>200</se:Data><se:Value>#d7191c</se:Value></se:InterpolationPoint></se:Interpolate>
            </se:ColorMap>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
