<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <name>county</name><!--? 'name' is read as 'Name' -->
      <title>The county</title><!--? 'title' is read as 'Title' -->
      <abstract>All its places</abstract><!--? 'abstract' is read as 'Abstract' -->
      <isDefault>1</isDefault><!--? 'isDefault' is read as 'IsDefault' -->
      <FeatureTypeStyle>
        <Rule>
          <LineSymbolizer>
            <Stroke/>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
