<?xml version="1.0" encoding="UTF-8"?>
<!-- Of version 1.0.0, with words of 1.1.0, as it comes about where styles are put together from others. -->
<sld:StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:sld="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <UserStyle>
      <sld:Name>harbours</sld:Name>
      <sld:FeatureTypeStyle>
        <sld:Rule>
          <sld:Name>ferries</sld:Name>
          <sld:Description>
            <sld:Title>Ferry landings</sld:Title>
            <sld:Abstract>Where cars go on board</sld:Abstract>
          </sld:Description>
          <ogc:Filter/>
          <MaxScaleDenominator>250000</MaxScaleDenominator>
          <MinScaleDenominator>5000</MinScaleDenominator>
          <sld:PointSymbolizer>
            <sld:Graphic>
              <sld:Mark>
                <sld:WellKnownName>triangle</sld:WellKnownName>
                <sld:Fill>
                  <sld:SvgParameter name="fill">#1F6FB2</sld:SvgParameter>
                </sld:Fill>
                <sld:Stroke>
                  <sld:CssParameter name="stroke">#0B2A45</sld:CssParameter>
                  <sld:SvgParameter name="stroke-width">0.5</sld:SvgParameter>
                </sld:Stroke>
              </sld:Mark>
              <sld:Size>9</sld:Size>
              <sld:Rotation>180</sld:Rotation>
              <sld:Opacity>0.8</sld:Opacity>
            </sld:Graphic>
          </sld:PointSymbolizer>
          <sld:TextSymbolizer>
            <sld:Label>
              <ogc:PropertyName>name</ogc:PropertyName>
            </sld:Label>
            <sld:Font>
              <sld:SvgParameter name="font-family">Noto Sans</sld:SvgParameter>
              <sld:CssParameter name="font-size">11</sld:CssParameter>
            </sld:Font>
          </sld:TextSymbolizer>
        </sld:Rule>
      </sld:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</sld:StyledLayerDescriptor>
