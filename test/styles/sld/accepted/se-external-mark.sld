<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>castles</se:Name>
    <UserStyle>
      <se:Name>castles_style</se:Name>
      <se:Description>
        <se:Title>A glyph of a font file</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Mark>
                <se:OnlineResource xlink:type="simple" xlink:href="fonts/castles.ttf"/>
                <se:Format>ttf</se:Format>
                <se:MarkIndex>97</se:MarkIndex>
                <se:Fill><se:SvgParameter name="fill">#742A2A</se:SvgParameter></se:Fill>
              </se:Mark>
              <se:Size>20</se:Size>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
