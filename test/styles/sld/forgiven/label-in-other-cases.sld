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
          <TextSymbolizer>
            <label><!--? 'label' is read as 'Label' -->
              <ogc:PropertyName>name</ogc:PropertyName>
            </label>
            <font><!--? 'font' is read as 'Font' -->
              <CssParameter name="font-family">Serif</CssParameter>
            </font>
            <labelPlacement><!--? 'labelPlacement' is read as 'LabelPlacement' -->
              <pointPlacement><!--? 'pointPlacement' is read as 'PointPlacement' -->
                <Rotation>12</Rotation>
              </pointPlacement>
            </labelPlacement>
            <halo><!--? 'halo' is read as 'Halo' -->
              <radius>2</radius><!--? 'radius' is read as 'Radius' -->
            </halo>
            <vendorOption name="group">yes</vendorOption><!--? 'vendorOption' is read as 'VendorOption' -->
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
