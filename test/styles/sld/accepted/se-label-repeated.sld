<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>canals</se:Name>
    <UserStyle>
      <se:Name>canals_style</se:Name>
      <se:Description>
        <se:Title>Names again and again along the canal</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:TextSymbolizer>
            <se:Label>
              <se:ChangeCase fallbackValue="?" direction="toUpper">
                <se:StringValue><ogc:PropertyName>name</ogc:PropertyName></se:StringValue>
              </se:ChangeCase>
            </se:Label>
            <se:Font>
              <se:SvgParameter name="font-family">DejaVu Sans</se:SvgParameter>
              <se:SvgParameter name="font-size">9</se:SvgParameter>
            </se:Font>
            <se:LabelPlacement>
              <se:LinePlacement>
                <se:PerpendicularOffset>0</se:PerpendicularOffset>
                <se:IsRepeated>true</se:IsRepeated>
                <se:InitialGap>20</se:InitialGap>
                <se:Gap>150</se:Gap>
                <se:IsAligned>true</se:IsAligned>
                <se:GeneralizeLine>false</se:GeneralizeLine>
              </se:LinePlacement>
            </se:LabelPlacement>
            <se:Halo>
              <se:Radius>1.5</se:Radius>
              <se:Fill><se:SvgParameter name="fill">#FFFFFF</se:SvgParameter></se:Fill>
            </se:Halo>
            <se:Fill><se:SvgParameter name="fill">#2A4365</se:SvgParameter></se:Fill>
            <se:VendorOption name="spaceAround">2</se:VendorOption>
          </se:TextSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
