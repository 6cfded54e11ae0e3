<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Description>
      <se:Title>Places</se:Title>
    </se:Description>
    <se:Name>places</se:Name><!--? 'Name' must come before 'Description' in NamedLayer -->
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:LineSymbolizer/>
        </se:Rule>
        <se:Name>roads</se:Name><!--? 'Name' must come before 'Rule' in FeatureTypeStyle -->
      </se:FeatureTypeStyle>
      <IsDefault>true</IsDefault><!--? 'IsDefault' must come before 'FeatureTypeStyle' in UserStyle -->
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
