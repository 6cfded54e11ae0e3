<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>a</se:Name>
    <UserStyle>
      <se:Name>a_style</se:Name>
      <se:Description>
        <se:Title>b</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Categorize fallbackValue="#000000"><!--! Categorize must end with a 'Value' -->
                <se:LookupValue>Rasterdata</se:LookupValue>
                <se:Value>#FFFFFF</se:Value>
                <se:Threshold>5</se:Threshold>
              </se:Categorize>
            </se:ColorMap>
          </se:RasterSymbolizer>
          <se:RasterSymbolizer>
            <se:ColorMap>
              <se:Categorize fallbackValue="#000000" threshholdsBelongTo="both"><!--! the attribute 'threshholdsBelongTo' is 'both', but preceding or succeeding was expected -->
                <se:LookupValue>Rasterdata</se:LookupValue>
                <se:Threshold>5</se:Threshold><!--! 'Threshold' is not expected here: Value and Threshold must alternate -->
                <se:Value>#FFFFFF</se:Value>
                <se:Value>#FF0000</se:Value>
              </se:Categorize>
            </se:ColorMap>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
