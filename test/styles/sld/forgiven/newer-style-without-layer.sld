<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <UserStyle><!--? 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer -->
    <se:Name>parcels</se:Name>
    <se:FeatureTypeStyle>
      <se:Rule>
        <se:PolygonSymbolizer/>
      </se:Rule>
    </se:FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
