<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>temperature</se:Name>
    <UserStyle>
      <se:Name>temperature_style</se:Name>
      <se:Description>
        <se:Title>Temperature as a ramp</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Interpolate fallbackValue="#000000" mode="linear" method="color">
                <se:LookupValue>Rasterdata</se:LookupValue>
                <se:InterpolationPoint><se:Data>-20</se:Data><se:Value>#2B6CB0</se:Value></se:InterpolationPoint>
                <se:InterpolationPoint><se:Data>0</se:Data><se:Value>#FFFFFF</se:Value></se:InterpolationPoint>
                <se:InterpolationPoint><se:Data>40</se:Data><se:Value>#C53030</se:Value></se:InterpolationPoint>
              </se:Interpolate>
            </se:ColorMap>
            <se:ContrastEnhancement>
              <se:Normalize/>
              <se:GammaValue>0.8</se:GammaValue>
            </se:ContrastEnhancement>
            <se:ShadedRelief/>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
