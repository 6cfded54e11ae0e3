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
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Mark>
                <se:WellKnownName>star</se:WellKnownName>
                <se:Format>ttf</se:Format><!--! 'Format' requires an OnlineResource or InlineContent in the Mark -->
              </se:Mark>
              <se:Mark><!--! 'Format' is missing in Mark -->
                <se:OnlineResource xlink:href="a.ttf"/>
                <se:MarkIndex>first</se:MarkIndex><!--! MarkIndex is 'first', but a non-negative whole number was expected -->
              </se:Mark>
            </se:Graphic>
          </se:PointSymbolizer>
          <se:TextSymbolizer>
            <se:LabelPlacement>
              <se:LinePlacement>
                <se:IsRepeated>often</se:IsRepeated><!--! IsRepeated is 'often', but true or false was expected -->
                <se:Gap>none</se:Gap><!--! Gap is 'none', but a number -->
              </se:LinePlacement>
            </se:LabelPlacement>
          </se:TextSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
