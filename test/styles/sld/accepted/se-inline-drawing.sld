<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>pins</se:Name>
    <UserStyle>
      <se:Name>pins_style</se:Name>
      <se:Description>
        <se:Title>A drawing inside of the style</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:LegendGraphic>
            <se:Graphic><se:Mark><se:WellKnownName>star</se:WellKnownName></se:Mark></se:Graphic>
          </se:LegendGraphic>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:ExternalGraphic>
                <se:InlineContent encoding="xml">
                  <svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="10" height="10">
                    <svg:defs><svg:circle id="c" r="2"/></svg:defs>
                    <svg:use xlink:href="#c" x="5" y="5"/>
                    <svg:text>A &amp; B</svg:text>
                  </svg:svg>
                </se:InlineContent>
                <se:Format>image/svg+xml</se:Format>
              </se:ExternalGraphic>
              <se:Size>10</se:Size>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
