<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>lifts</se:Name>
    <UserStyle>
      <se:Name>lifts_style</se:Name>
      <se:Description>
        <se:Title>Chairs along a lift</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:LineSymbolizer uom="http://www.opengeospatial.org/se/units/foot">
            <se:Stroke>
              <se:GraphicStroke>
                <se:Graphic>
                  <se:Mark>
                    <se:WellKnownName>square</se:WellKnownName>
                    <se:Fill><se:SvgParameter name="fill">#1A202C</se:SvgParameter></se:Fill>
                  </se:Mark>
                  <se:Size>4</se:Size>
                </se:Graphic>
                <se:InitialGap>10</se:InitialGap>
                <se:Gap>25</se:Gap>
              </se:GraphicStroke>
            </se:Stroke>
            <se:PerpendicularOffset>2</se:PerpendicularOffset>
          </se:LineSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
