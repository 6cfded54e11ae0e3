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
            <opacity>0.7</opacity><!--? 'opacity' is read as 'Opacity' -->
            <colorMap><!--? 'colorMap' is read as 'ColorMap' -->
              <colorMapEntry color="#004400" quantity="0"/><!--? 'colorMapEntry' is read as 'ColorMapEntry' -->
              <ColorMapEntry color="#FFFFFF" quantity="100"/>
            </colorMap>
            <overlapBehavior><!--? 'overlapBehavior' is read as 'OverlapBehavior' -->
              <average/><!--? 'average' is read as 'AVERAGE' -->
            </overlapBehavior>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
