<?xml version="1.0" encoding="UTF-8"?>
<!-- In the manner of desktop programs: pictures with colours, graphics in their own order, titles without a description. -->
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <UserStyle>
      <se:Name>camping</se:Name>
      <se:Title>Camp sites and trails</se:Title>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:Name>pitches</se:Name>
          <se:Title>Pitches</se:Title>
          <se:Abstract>Filled with tents</se:Abstract>
          <se:Filter xmlns="http://www.opengis.net/ogc"/>
          <se:PolygonSymbolizer>
            <se:Fill>
              <se:GraphicFill>
                <se:Graphic>
                  <se:ExternalGraphic>
                    <se:OnlineResource xlink:type="simple" xlink:href="tent.svg?fill=%23aa3322"/>
                    <se:Format>image/svg+xml</se:Format>
                  </se:ExternalGraphic>
                  <se:Size>14</se:Size>
                  <se:SvgParameter name="stroke">#402010</se:SvgParameter>
                  <se:SvgParameter name="stroke-width">0.4</se:SvgParameter>
                  <se:Rotation>
                    <ogc:Literal>15</ogc:Literal>
                  </se:Rotation>
                </se:Graphic>
              </se:GraphicFill>
            </se:Fill>
          </se:PolygonSymbolizer>
        </se:Rule>
        <se:Rule>
          <se:Name>trails</se:Name>
          <se:LineSymbolizer>
            <VendorOption name="placement">centralPoint</VendorOption>
            <se:Stroke>
              <se:GraphicStroke>
                <se:Gap>12.5</se:Gap>
                <se:InitialGap>4</se:InitialGap>
                <se:PerpendicularOffset>-3.5</se:PerpendicularOffset>
                <se:Graphic>
                  <se:Displacement>
                    <se:DisplacementX>1</se:DisplacementX>
                    <se:DisplacementY>2</se:DisplacementY>
                  </se:Displacement>
                  <se:Mark>
                    <se:WellKnownName>circle</se:WellKnownName>
                    <se:Fill>
                      <se:SvgParameter name="fill">#7a5230</se:SvgParameter>
                    </se:Fill>
                  </se:Mark>
                  <se:Size>5</se:Size>
                  <VendorOption name="widthHeightFactor">1.4</VendorOption>
                </se:Graphic>
              </se:GraphicStroke>
            </se:Stroke>
          </se:LineSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
