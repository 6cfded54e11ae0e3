<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>ndvi</se:Name>
    <UserStyle>
      <se:Name>greenness</se:Name>
      <IsDefault>true</IsDefault>
      <se:CoverageStyle version="1.1.0">
        <se:Name>classes</se:Name>
        <se:CoverageName>ndvi</se:CoverageName>
        <se:SemanticTypeIdentifier>raster</se:SemanticTypeIdentifier>
        <se:Rule>
          <se:RasterSymbolizer>
            <se:Opacity>1</se:Opacity>
            <se:OverlapBehavior>AVERAGE</se:OverlapBehavior>
            <se:ColorMap>
              <se:Categorize fallbackValue="#FF00FF">
                <se:LookupValue>Rasterdata</se:LookupValue>
                <se:Value>#8B4513</se:Value>
                <se:Threshold>0</se:Threshold>
                <se:Value>#ECC94B</se:Value>
                <se:Threshold>0.4</se:Threshold>
                <se:Value>#276749</se:Value>
              </se:Categorize>
            </se:ColorMap>
          </se:RasterSymbolizer>
        </se:Rule>
      </se:CoverageStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
